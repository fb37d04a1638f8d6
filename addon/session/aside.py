# SPDX-License-Identifier: GPL-3.0-or-later
"""The person's own data while code runs in a scene beside it: names lent, and nothing touched.

A model expects the names that it gave, and knows nothing of the other scenes of the file. So for
the moment of a run everything else is called something else, and afterwards everything has its own
name again. What belongs to others and was changed all the same is found by looking.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy

#: Types of data-blocks that are never code's to make or change.
_OF_THE_SESSION = frozenset({"WindowManager", "Screen", "WorkSpace", "Library", "Brush", "Palette"})

#: What is compared of an object that belongs to others: where it is, what it shows, how much.
_Look = tuple[Any, ...]


def blocks() -> Iterator[bpy.types.ID]:
    """Every data-block of the file itself that a scene can be made of."""
    for block in bpy.data.user_map():
        if block.library is None and type(block).__name__ not in _OF_THE_SESSION:
            yield block


def present() -> set[int]:
    """The ``session_uid`` of every data-block that is there now."""
    return {block.session_uid for block in bpy.data.user_map()}


class Aside:
    """Sets everything that is in the file aside. Made before code's own scene exists.

    ``restore`` must be called in any case; ``renamed`` then tells which of code's own objects got
    another name because somebody's has it: its name while the code ran -> its name now.
    """

    def __init__(self) -> None:
        self.before = present()
        self.renamed: dict[str, str] = {}
        self._names: dict[int, str] = {}
        self._looks: dict[int, _Look] = {}
        for block in list(blocks()):
            self._names[block.session_uid] = block.name
            if isinstance(block, bpy.types.Object):
                self._looks[block.session_uid] = _look(block)
        for block in list(blocks()):
            block.name = f"~{block.session_uid}"

    def touched(self) -> list[str]:
        """Names of others' data-blocks that are gone, and of their objects that look different.

        What is finer than an object's place, its data and its number of vertices isn't seen.
        """
        now = {block.session_uid: block for block in blocks()}
        gone = [name for uid, name in self._names.items() if uid not in now]
        changed = [
            self._names[uid]
            for uid, look in self._looks.items()
            if uid in now and _look(now[uid]) != look
        ]
        return gone + changed

    def restore(self) -> None:
        """Give everybody the name that is theirs; code's own give way and are told apart."""
        others = [b for b in blocks() if b.session_uid in self._names]
        taken = {(type(b).__name__, self._names[b.session_uid]) for b in others}
        own = [
            (block, block.name)
            for block in blocks()
            if block.session_uid not in self._names and (type(block).__name__, block.name) in taken
        ]
        for block, _ in own:
            block.name = f"~{block.session_uid}"
        for block in others:
            block.name = self._names[block.session_uid]
        for block, name in own:
            block.name = name
            if isinstance(block, bpy.types.Object):
                self.renamed[name] = block.name


def _look(obj: bpy.types.Object) -> _Look:
    data = obj.data
    vertices = len(data.vertices) if isinstance(data, bpy.types.Mesh) else 0
    place = tuple(tuple(row) for row in obj.matrix_basis)
    return place, data.session_uid if data is not None else 0, vertices, obj.library is None
