# SPDX-License-Identifier: GPL-3.0-or-later
"""Blocks as a log of ours: a line a turn, with what has to be placed and removed.

What stood for a while within one turn is not in a structure, so it is not written.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...checks.voxel.brief import CheckCall
from ...checks.voxel.structure import Action, VoxelStructure
from .json_lines import dump_turn


def dump_blocks(
    structure: VoxelStructure,
    prompts: Sequence[str] = (),
    checks: Sequence[Sequence[CheckCall]] = (),
    model: str | None = None,
    ts: str | None = None,
) -> str:
    """The text of a file that reads back as the same blocks in the same order, turn by turn.

    ``prompts`` and ``checks`` are those of the turns, as far as they are known; ``ts`` is the time
    as ISO 8601.
    """
    turns = (*structure.earlier, structure)
    lines = []
    for turn, stands in enumerate(turns):
        lines.append(
            dump_turn(
                actions_between(turns[turn - 1] if turn else None, stands),
                turn_idx=turn,
                n_turns=len(turns),
                prompt=prompts[turn] if turn < len(prompts) else "",
                checks=checks[turn] if turn < len(checks) else (),
                model=model,
                ts=ts,
            )
        )
    return "\n".join(lines) + "\n"


def actions_between(previous: VoxelStructure | None, stands: VoxelStructure) -> list[Action]:
    """What leads from one turn's blocks to the next's, as the published merge reads it.

    Kept blocks come first there, in their order; a block that comes later in it was removed and
    placed again. A block whose material alone is another is placed over the one before.
    """
    before = {} if previous is None else dict(zip(previous.index, previous.materials, strict=True))
    ranks = {cell: rank for rank, cell in enumerate(before)}
    kept, last = 0, -1
    cells = list(stands.index)
    while kept < len(cells) and ranks.get(cells[kept], -1) > last:
        last = ranks[cells[kept]]
        kept += 1
    stay = set(cells[:kept])
    actions = [Action("remove", *cell) for cell in before if cell not in stay]
    for number, (cell, material) in enumerate(zip(cells, stands.materials, strict=True)):
        if number >= kept or before[cell] != material:
            actions.append(Action("place", *cell, material))
    return actions
