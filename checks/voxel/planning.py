# SPDX-License-Identifier: GPL-3.0-or-later
"""Planning: how far one moves, and what is built before what (algorithms 12 and 13)."""

from __future__ import annotations

import numpy as np

from .cells import Ints
from .outcome import Outcome, failed, fault, listed, passed
from .rules import Rules
from .structure import VoxelStructure

_ORDER = "MineCEraft, algorithm 13"

# So many of the longest moves are shown.
_MOVES = 10


def l1_dist(blocks: VoxelStructure, rules: Rules) -> Outcome:
    """The least length of the way from block to block over its own: (n - 1) / L, at most 1.

    L adds up the steps |dx| + |dy| + |dz| in placement order. It is a score without a limit: the
    longest moves stand in the figures, none of them is a fault.
    """
    if len(blocks) < 2:
        return passed(length=0)
    steps = np.abs(np.diff(blocks.positions, axis=0)).sum(axis=1)
    length = int(steps.sum())
    longest = np.argsort(-steps, kind="stable")[:_MOVES]
    moves = [
        {
            "from": listed(blocks.positions[i])[0],
            "to": listed(blocks.positions[i + 1])[0],
            "length": int(steps[i]),
        }
        for i in longest.tolist()
        if steps[i] > 1
    ]
    value = min(1.0, (len(blocks) - 1) / length) if length > 0 else 1.0
    return Outcome(value, figures={"length": length, "least": len(blocks) - 1, "moves": moves})


def material_sequence_order(
    blocks: VoxelStructure,
    rules: Rules,
    *,
    material_sequence: tuple[str, ...],
    use_substring_match: bool = True,
) -> Outcome:
    """The materials are begun in the order of the list: a subsequence of what is placed.

    A block counts for the material that is awaited and for no other, so it is enough that one block
    of each comes after one of the one before. An empty list passes, no blocks fail.
    """
    if not material_sequence:
        return Outcome(1.0, vacuous="no order is asked for", neutral=True)
    if not len(blocks):
        return failed()
    place = -1
    found: list[int] = []
    for wanted in material_sequence:
        rows = np.flatnonzero(blocks.of_material(wanted, use_substring_match))
        later = rows[rows > place]
        if not len(later):
            return _out_of_order(blocks, material_sequence, found, rows)
        place = int(later[0])
        found.append(place)
    return passed(first=found)


def _out_of_order(
    blocks: VoxelStructure, sequence: tuple[str, ...], found: list[int], rows: Ints
) -> Outcome:
    """The first block of the material that should have come later, or the lack of any."""
    wanted = sequence[len(found)]
    figures = {"first": found, "missing": wanted}
    if not found or not len(rows) or rows[0] == found[-1]:
        after = f", after '{sequence[len(found) - 1]}'" if found else ""
        message = (
            f"no{' further' if len(rows) else ''} block of '{wanted}' was placed; it should come "
            f"as number {len(found) + 1} of {len(sequence)} materials{after}"
        )
        finding = fault(message, place=f"blocks of {wanted}", clause=_ORDER)
        return failed(finding, **figures)
    before = found[-1]
    pair = blocks.positions[[rows[0], before]]
    message = (
        f"'{wanted}' was placed as block {rows[0] + 1} of {len(blocks)}, before "
        f"'{sequence[len(found) - 1]}' at block {before + 1}, and none of it after: place it later"
    )
    finding = fault(
        message,
        blocks.positions[rows[rows < before]],
        related=pair[1:],
        clause=_ORDER,
        measured=int(rows[0]) + 1,
        limit=before + 1,
        unit="blocks",
    )
    return failed(finding, **figures)
