# SPDX-License-Identifier: GPL-3.0-or-later
"""Members drawn twice at one place: each copy is told once, and the rest is judged without it.

A program that runs again on the scene that it left piles up copies of the whole house. Were they
judged against each other, every pair of every pile would be a finding, and a hundred copies at one
joint ten thousand pairs.
"""

from __future__ import annotations

import numpy as np

from ...result import Finding
from ..roles import resolve
from ..structure import TimberStructure
from . import table
from .outcome import metres, point

CHECK = "clash"
CLAUSE = "LoD 350 (ii)"

# Rounding starts off the halves of millimetres, where the centres of 89 mm lumber lie.
_OFF_GRID = 0.137


def duplicates(structure: TimberStructure, ground: float = 0.0) -> dict[int, int]:
    """Copy -> the member that it repeats: same role, same box within about a millimetre.

    The first by name of each pile stays, so that the order of the members doesn't matter.
    """
    n = len(structure)
    if n < 2:
        return {}
    roles = resolve(structure, "engineering", ground).role
    # Whatever the order and the signs of its axes, a box has one tensor; in metres of its length.
    longest = np.maximum(structure.half[:, :1], 1e-12)[:, :, None]
    stretched = structure.axes * structure.half[:, :, None]
    tensor = (stretched.transpose(0, 2, 1) @ (stretched / longest)).reshape(n, 9)
    place = structure.center - structure.center.min(axis=0)
    traits = np.concatenate([place, structure.half, tensor], axis=1)
    keys = np.floor(traits / table.SLACK + _OFF_GRID)
    first: dict[tuple[str | None, bytes], int] = {}
    copies: dict[int, int] = {}
    for i in sorted(range(n), key=lambda k: structure.names[k]):
        pile = first.setdefault((roles[i], (keys[i] + 0.0).tobytes()), i)
        if pile != i:
            copies[i] = pile
    return copies


def told(structure: TimberStructure, copies: dict[int, int]) -> list[Finding]:
    """One finding of ``clash`` a copy, with what it repeats and the overlap as a solid."""
    findings = []
    for copy, kept in copies.items():
        name, other = structure.names[copy], structure.names[kept]
        size = 2.0 * structure.half[copy]
        depth, volume = float(size.min()), float(size.prod())
        findings.append(
            Finding(
                CHECK,
                name,
                f"{name} lies in the same place as {other} ({metres(depth)} deep, "
                f"{volume * 1e6:.0f} cm³): delete one of them.",
                related=(other,),
                measured=round(depth, 5),
                limit=table.CLASH_DEPTH,
                unit="m",
                margin=round(table.CLASH_DEPTH - depth, 5),
                location=point(structure.center[copy]),
                clause=CLAUSE,
                detail={"solid": structure.corners[copy].round(5).tolist(), "volume": volume},
            )
        )
    return findings
