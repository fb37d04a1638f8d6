# SPDX-License-Identifier: GPL-3.0-or-later
"""What all pictures of blocks are made of: shells in a tone, places, planes, counts in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ....checks.voxel.cells import Ints, to_blender
from ....checks.voxel.structure import VoxelStructure
from ..drawing import Faces, Floats, Lines, Picture, Place, Shown, Tone, Words
from ..marks import place
from ..solids import blocks as cubes
from ..solids import boxes, cross, moved, quads
from ..timber.parts import boxes_of, number
from .shell import shell
from .told import block_names, fault_cells, related_cells, turn_of

#: Opacity of blocks at fault, of those that take part, of empty cells and of planes: behind
#: something, and where nothing stands before them.
FAULT, RELATED, AIR, PLANE = (0.28, 0.72), (0.18, 0.55), (0.10, 0.26), (0.14, 0.26)
#: Half the arms of the cross at a place, and how far planes reach beyond the blocks, m.
_MARK, _BEYOND = 0.45, 0.6
_FARTHEST = 1e6


def blocks_of(shown: Shown) -> VoxelStructure | None:
    """The blocks that were judged, those of the finding's turn; ``None`` of a foreign structure or
    an empty one."""
    found, turn = shown.structure, turn_of(shown.finding.check)
    if isinstance(found, VoxelStructure) and turn is not None and turn <= len(found.earlier):
        found = found.earlier[turn - 1]
    return found if isinstance(found, VoxelStructure) and len(found) else None


def center(cell: Any) -> Floats:
    """The middle of a cell in the scene, (3,) m; halves of cells are fine."""
    middle: Floats = to_blender(cell)[0]
    return middle


def filled(
    cells: Ints, tone: Tone, opacity: tuple[float, float], outline: Tone | None = None
) -> tuple[Faces, ...]:
    """The shell of some cells in a tone, edged in it or in ``outline``; nothing for no cells."""
    if not len(cells):
        return ()
    return (Faces(shell(cells), tone, *opacity, outline=outline or tone),)


def company(shown: Shown) -> tuple[Faces, ...]:
    """The blocks at fault over those that take part, where they are now."""
    fault, beside = fault_cells(shown.finding), related_cells(shown.finding)
    if still(shown):
        return (*filled(beside, "related", RELATED), *filled(fault, "fault", FAULT))
    return (*_moved(shown, beside, "related", RELATED), *_moved(shown, fault, "fault", FAULT))


def _moved(shown: Shown, cells: Ints, tone: Tone, opacity: tuple[float, float]) -> Iterator[Faces]:
    wanted, corners = boxes_of(shown.subjects, block_names(cells))
    if wanted:
        solid = boxes(moved(corners, wanted, shown.moves))
        yield Faces(solid, tone, *opacity, outline=tone)


def still(shown: Shown) -> bool:
    """Whether no block was moved since the check: what was measured is then still true."""
    return not shown.moves


def location(shown: Shown) -> Place | None:
    """Where the finding says that one should look, or ``None``."""
    value = shown.finding.location
    if not isinstance(value, (tuple, list)) or len(value) != 3:
        return None
    found = [number(v) for v in value]
    if any(v is None or abs(v) > _FARTHEST for v in found):
        return None
    return place([v or 0.0 for v in found])


def anchor(shown: Shown) -> Place | None:
    """Where the label stands: at the finding's place, or at its first block."""
    if not still(shown):
        made = company(shown)
        return place(made[-1].solid.points.mean(axis=0)) if made else None
    at = location(shown)
    if at is not None:
        return at
    cells = fault_cells(shown.finding)
    return place(center(cells[0])) if len(cells) else None


def plain(shown: Shown) -> Picture:
    """The blocks of the finding; where it has none, a cross at its place."""
    faces, at = company(shown), location(shown)
    lines = () if faces or at is None else (Lines(cross(at, _MARK), "fault", 2.0),)
    return Picture(faces, lines, anchor=anchor(shown))


def words(text: str, at: Any, tone: Tone = "plain") -> tuple[Words, ...]:
    """A text at a place (3,), none where the text is empty."""
    return (Words(text, place(at), tone),) if text else ()


def figures(shown: Shown) -> tuple[float, float] | None:
    """What was measured and its limit, or ``None`` where one of them is missing or absurd."""
    measured, limit = number(shown.finding.measured), number(shown.finding.limit)
    if measured is None or limit is None or max(abs(measured), abs(limit)) > _FARTHEST:
        return None
    return measured, limit


def cube(cell: Floats, tone: Tone, opacity: tuple[float, float]) -> Faces:
    """One block-sized cube about a place (3,), m, as a shell."""
    return Faces(boxes(cubes(np.asarray(cell, float)[None])), tone, *opacity, outline=tone)


def versus(shown: Shown, what: str = "blocks") -> str:
    """``7 blocks, asked for 5``; empty where the finding has no figures."""
    measured, limit = number(shown.finding.measured), number(shown.finding.limit)
    if measured is None:
        return ""
    asked = "" if limit is None else f", asked for {limit:.4g}"
    return f"{measured:.4g} {what}{asked}"


def arguments(shown: Shown) -> Mapping[str, Any]:
    """What the check was asked with; nothing where that isn't known."""
    found = next((c for c in shown.judgement.checks if c.id == shown.finding.check), None)
    args = found.figures.get("args") if found is not None else None
    return args if isinstance(args, Mapping) else {}


def plane(low: Any, high: Any, axis: int, at: float) -> Floats:
    """A rectangle (4, 3), m, square to a task axis at ``at``, over the box of cells and beyond."""
    corners = np.array([low, high], dtype=np.float64) + [[-0.5 - _BEYOND], [0.5 + _BEYOND]]
    corners[:, axis] = at
    a, b = (k for k in range(3) if k != axis)
    ring = np.repeat(corners[:1], 4, axis=0)
    ring[1:3, a] = corners[1, a]
    ring[2:, b] = corners[1, b]
    found: Floats = to_blender(ring)
    return found


def sheet(corners: Floats, tone: Tone, outline: bool = True) -> Faces:
    """A rectangle (4, 3), m, that one sees through."""
    return Faces(quads(corners[None]), tone, *PLANE, outline=tone if outline else None)
