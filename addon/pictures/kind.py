# SPDX-License-Identifier: GPL-3.0-or-later
"""What a kind of structure must be able to do to be seen in the window, and who can.

A kind is a package beside this file with a ``book`` in it that maps check ids to makers, functions
from :class:`.drawing.Shown` to a :class:`.drawing.Picture`; those of timber, voxel and
reconstruction are the models. The parts are the same for all, and so are their helpers in
:mod:`.solids` and :mod:`.marks`:

========== ========================= ============================================================
kind       finding                   parts
========== ========================= ============================================================
assembly   colliding pair            ``Finding.detail["solid"]`` and ``hull``, as a clash
..         joint off its surfaces    a ``dimension`` of the gap, ``ring`` round the anchor
..         blocked insertion         ``Flow`` along the way in, the blocking part in ``fault``,
                                     ``Lines(dashed=True)`` for where it should arrive
========== ========================= ============================================================

Findings may come from foreign files: a maker that misses something in a detail returns the plain
picture, it never raises. What was measured is left out once a member was moved (``Shown.moves``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any, Protocol

from ...checks.result import Finding, Judgement
from .drawing import Picture, Shown, Subjects, metres


class KindPictures(Protocol):
    """Pictures of one kind of structure. Pure: called from threads, and never touches Blender."""

    def subjects(self, structure: Any, findings: Iterable[Finding] = ()) -> Subjects:
        """Boxes and roles of everything that can be at fault, or of what ``findings`` name."""

    def explain(self, structure: Any, brief: Any, judgement: Judgement) -> Any:
        """What pictures need and the judgement does not hold; made once a check, in its thread."""

    def picture(self, shown: Shown) -> Picture:
        """The picture of one finding; of an unknown check, the members and the place."""

    def path(
        self,
        explained: Any,
        subjects: Subjects,
        name: str,
        length: Callable[[float], str] = metres,
    ) -> Picture | None:
        """How the load of any member gets to the ground, ``None`` where a kind knows no loads.

        ``length`` writes lengths in m for people.
        """


#: Module and name of the pictures of each kind; only the one asked for is imported.
_KINDS: dict[str, tuple[str, str]] = {
    "timber": (".timber.book", "PICTURES"),
    "voxel": (".voxel.book", "PICTURES"),
    "reconstruction": (".reconstruction.book", "PICTURES"),
}


def pictures_of(kind: str) -> KindPictures | None:
    """The pictures of a kind, ``None`` if it has none yet."""
    found = _KINDS.get(kind)
    if found is None:
        return None
    module, name = found
    pictures: KindPictures = getattr(import_module(module, __package__), name)
    return pictures
