# SPDX-License-Identifier: GPL-3.0-or-later
"""How near one has to go to see a finding."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...checks.reconstruction.simulation import Simulation
from ...checks.result import Finding
from ...checks.voxel.cells import to_blender
from ...checks.voxel.structure import VoxelStructure
from .drawing import Place
from .reconstruction.places import corners_of
from .voxel.told import cells, function_of, groups, related_cells

#: Round an overlap, and at least round a contact area or a cut of a few centimetres, m.
_OVERLAP, _NEAREST = 0.7, 0.28
#: Round a place where something is missing, whatever its size, m.
_PLACE, _FARTHEST = 1.6, 6.0
#: Gaps shorter than this are lost in a picture of the whole post, m.
_SMALL = 0.3
#: So much round blocks, and at least this radius, so that one sees where in the whole they are, m;
#: of larger constructions more, up to the last.
_ROUND_BLOCKS, _LEAST_BLOCKS, _MOST_BLOCKS = 2.5, 6.0, 12.0
#: Checks that are about the whole, so that all of it comes into the picture.
_OF_THE_WHOLE = ("size.", "shape.has_no_axis_symmetry", "shape.is_reachable_by_stairs")


def radius_of(finding: Finding) -> float | None:
    """The radius round its location in which a finding is seen, m.

    ``None`` where the whole member is what one looks at.
    """
    detail = finding.detail
    if not isinstance(detail, Mapping):
        return None
    if _half_extent(detail, "solid") is not None:
        return _OVERLAP
    for key in ("needed", "cut"):
        half = _half_extent(detail, key)
        if half is not None:
            return max(4.0 * half, _NEAREST)
    if finding.subject_kind == "place":
        spread = max((_half_extent(detail, key) or 0.0) for key in ("places", "cells", "missing"))
        return min(max(0.8 * spread + 0.8, _PLACE), _FARTHEST)
    gap = _half_extent({"gap": [detail.get("from"), detail.get("to")]}, "gap")
    if finding.check == "point_load" and gap is not None and gap < 0.5 * _SMALL:
        return _OVERLAP
    return None


def aim_of(finding: Finding, structure: Any) -> tuple[Place, float] | None:
    """Where to look for a finding of blocks, m, and the radius round it; ``None`` for nowhere.

    All cells that it tells of come into the picture; where it tells of none and is about the whole,
    all blocks do.
    """
    found = [cells(finding, key) for key in ("blocks", "air", "slice", "farthest", "hindered")]
    for key in ("rooms", "clusters"):
        found += groups(finding, key)
    found.append(related_cells(finding))
    every = np.concatenate(found)
    least = _LEAST_BLOCKS
    if isinstance(structure, VoxelStructure) and len(structure):
        ends = np.stack([structure.low, structure.high])
        if not len(every) or function_of(finding.check).startswith(_OF_THE_WHOLE):
            every = np.concatenate([every, ends])
        # The eye is then outside of all but large constructions.
        least = min(max(least, 0.5 * float(np.linalg.norm(ends[1] - ends[0]))), _MOST_BLOCKS)
    if not len(every):
        return None
    low, high = to_blender(every).min(axis=0), to_blender(every).max(axis=0)
    x, y, z = ((low + high) / 2).tolist()
    return (x, y, z), max(0.5 * float(np.linalg.norm(high - low)) + _ROUND_BLOCKS, least)


def body_aim(finding: Finding, structure: Simulation) -> tuple[Place | None, float | None]:
    """Where to look for a finding of a simulation, m, and the radius round it.

    The body at fault in the finding's frame, with as much round it as shows what is beside it and
    where it is going. ``None`` and ``None`` where it names no body and no place.
    """
    run = structure.trajectory
    if finding.subject not in run.names:
        return finding.location, None
    row = 0 if finding.frame is None else run.row(finding.frame)
    box = corners_of(run, row)[run.index(finding.subject)]
    size = float(np.linalg.norm(np.ptp(box, axis=0)))
    at = finding.location or tuple(box.mean(0).tolist())
    if not np.isfinite(at).all():
        at = tuple(box.mean(0).tolist())
    # Of a body larger than the place at fault, such as a table, the place is what is looked at.
    return (at[0], at[1], at[2]), max(1.6 * size, 1e-3)


def _half_extent(detail: Mapping[str, Any], key: str) -> float | None:
    """Half of the longest side of the box round places of a detail, m."""
    value = detail.get(key)
    if not isinstance(value, (list, tuple)) or not value:
        return None
    try:
        places = np.asarray(value, dtype=np.float64).reshape(-1, 3)
    except (TypeError, ValueError, OverflowError):
        return None
    if not np.isfinite(places).all():
        return None
    return float(0.5 * np.ptp(places, axis=0).max())
