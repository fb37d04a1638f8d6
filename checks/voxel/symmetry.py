# SPDX-License-Identifier: GPL-3.0-or-later
"""Mirror symmetry of the blocks, whatever they are made of (MineCEraft, section 4.1, shape iii)."""

from __future__ import annotations

import numpy as np

from .cells import pack
from .outcome import Outcome, failed, fault, passed
from .rules import Rules
from .structure import VoxelStructure

_CLAUSE = "MineCEraft, section 4.1"


def symmetry_axes(blocks: VoxelStructure) -> tuple[int, ...]:
    """Axes (0 x, 1 y, 2 z) along which the blocks are their own mirror image in the box's middle.

    An axis along which all lies in one layer is left out.
    """
    if not len(blocks):
        return ()
    keys = np.sort(blocks.keys)
    found = []
    for axis in range(3):
        ends = blocks.low[axis] + blocks.high[axis]
        if blocks.low[axis] == blocks.high[axis]:
            continue
        mirrored = blocks.positions.copy()
        mirrored[:, axis] = ends - mirrored[:, axis]
        if np.array_equal(np.sort(pack(mirrored)), keys):
            found.append(axis)
    return tuple(found)


def has_no_axis_symmetry(blocks: VoxelStructure, rules: Rules) -> Outcome:
    """The blocks are not symmetric about the box's middle along any axis, y among them.

    The paper also speaks of folding, without a rule for it; mirrors alone are looked at.
    """
    if not len(blocks):
        return failed()
    axes = symmetry_axes(blocks)
    names = "".join("xyz"[axis] for axis in axes)
    if not axes:
        return passed(symmetric="")
    middle = (blocks.low + blocks.high) / 2
    findings = []
    for axis in axes:
        name = "xyz"[axis]
        plane = f"{name} = {middle[axis]:g}"
        message = f"the blocks are symmetric about the plane {plane}; nothing should be"
        findings.append(
            fault(message, place=f"plane {plane}", at=middle, clause=_CLAUSE, axis=name)
        )
    return failed(*findings, symmetric=names)
