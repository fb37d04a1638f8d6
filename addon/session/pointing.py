# SPDX-License-Identifier: GPL-3.0-or-later
"""The block that a person has pointed at: what it is, and which findings are about it.

Main thread only; nothing of it is written into the file.
"""

from __future__ import annotations

from dataclasses import dataclass

import bpy

from ...checks.voxel.cells import block_name
from ...checks.voxel.structure import VoxelStructure
from .. import review
from ..pictures.named import involved
from ..pictures.voxel.order import ordinal
from . import blocks_now
from .gallery import redraw

Cell = tuple[int, int, int]


@dataclass(frozen=True)
class Pointed:
    """A block of a scene and its caption; ``blocks`` tells of which reading of the scene."""

    cell: Cell
    caption: str
    blocks: int


_pointed: dict[int, Pointed] = {}
_rows: tuple[int, dict[str, tuple[int, ...]]] = (-1, {})


def point_at(scene: bpy.types.Scene, cell: Cell) -> Pointed | None:
    """Remember the block on a cell; ``None`` where none stands there any more."""
    now = blocks_now.of(scene)
    caption = caption_of(now.structure, cell) if now is not None else None
    if now is None or caption is None:
        forget(scene)
        return None
    found = _pointed[scene.session_uid] = Pointed(cell, caption, now.serial)
    redraw()
    return found


def caption_of(structure: VoxelStructure, cell: Cell) -> str | None:
    """``block (3, 1, 0) · oak_planks · 137th placed``; ``None`` where no block stands."""
    row = int(structure.rows_at([cell])[0])
    if row < 0:
        return None
    words = [block_name(cell), structure.materials[row] or "nameless"]
    if structure.ordered:
        words.append(f"{ordinal(row + 1)} placed")
    return " · ".join(words)


def of(scene: bpy.types.Scene) -> Pointed | None:
    """The block that was pointed at, as long as the blocks are the same."""
    found = _pointed.get(scene.session_uid)
    if found is None:
        return None
    now = blocks_now.of(scene)
    return found if now is not None and now.serial == found.blocks else None


def forget(scene: bpy.types.Scene) -> None:
    """Point at nothing any more."""
    if _pointed.pop(scene.session_uid, None) is not None:
        redraw()


def rows_about(found: review.Review, cell: Cell) -> tuple[int, ...]:
    """Rows of the findings that name the block on a cell, in the order of the table."""
    global _rows
    if _rows[0] != found.serial:
        about: dict[str, list[int]] = {}
        for row, finding in enumerate(found.table.findings):
            for name in involved(finding):
                about.setdefault(name, []).append(row)
        _rows = found.serial, {name: tuple(rows) for name, rows in about.items()}
    return _rows[1].get(block_name(cell), ())


def forget_all() -> None:
    """Another file was loaded, or the extension goes."""
    global _rows
    _pointed.clear()
    _rows = -1, {}


CLASSES: tuple[type, ...] = ()


def attach() -> None:
    """Nothing to do: what is pointed at is kept here."""


def detach() -> None:
    """Forget it all."""
    forget_all()
