# SPDX-License-Identifier: GPL-3.0-or-later
"""What a kind of structure must be able to do to be seen in the window, and who can."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Protocol

from ...checks.result import Judgement
from .drawing import Picture, Shown, Subjects


class KindPictures(Protocol):
    """Pictures of one kind of structure. Pure: called from threads, and never touches Blender."""

    def subjects(self, structure: Any) -> Subjects:
        """Boxes and roles of everything that can be at fault."""

    def explain(self, structure: Any, brief: Any, judgement: Judgement) -> Any:
        """What pictures need and the judgement does not hold; made once a check, in its thread."""

    def picture(self, shown: Shown) -> Picture:
        """The picture of one finding; of an unknown check, the members and the place."""

    def path(self, explained: Any, subjects: Subjects, name: str) -> Picture | None:
        """How the load of any member gets to the ground, ``None`` where a kind knows no loads."""


#: Module and name of the pictures of each kind; only the one asked for is imported.
_KINDS: dict[str, tuple[str, str]] = {
    "timber": (".timber.book", "PICTURES"),
}


def pictures_of(kind: str) -> KindPictures | None:
    """The pictures of a kind, ``None`` if it has none yet."""
    found = _KINDS.get(kind)
    if found is None:
        return None
    module, name = found
    pictures: KindPictures = getattr(import_module(module, __package__), name)
    return pictures
