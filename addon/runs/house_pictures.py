# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of generated houses, drawn by one worker Blender: as models get them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...tasks.packs.entry import Entry
from ...tasks.packs.recipe import unpack_members
from ..sandbox.client import BlenderWorker, WorkerError
from ..scene.plain import structure_to_plain
from .seats import PICTURE_TIMEOUT


class PicturesError(RuntimeError):
    """No pictures can be drawn; one sentence."""


class HousePictures:
    """A Blender that draws house after house; a context that ends it."""

    def __init__(self) -> None:
        # No program of anybody runs in it, and in a box it would not see how houses are drawn.
        self._worker = BlenderWorker(isolation="process")

    def __enter__(self) -> HousePictures:
        return self

    def __exit__(self, *_: Any) -> None:
        self._worker.close()

    def draw(self, entry: Entry, skin: bool) -> Mapping[str, bytes]:
        """The five canonical views of the frame, or of the closed house: PNG, 512 x 512.

        Raises :class:`PicturesError`.
        """
        plain = structure_to_plain(unpack_members(entry.members))
        try:
            answer = self._worker.request(
                "house", timeout=PICTURE_TIMEOUT, structure=plain, skin=skin
            )
        except WorkerError as error:
            raise PicturesError(f"{entry.name}: {error.message}") from error
        return dict(answer["views"])
