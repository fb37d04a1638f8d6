# SPDX-License-Identifier: GPL-3.0-or-later
"""Tools for building of blocks by code, turn by turn: run, check, look, list, hand in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ....checks.voxel.brief import VoxelBrief
from ....checks.voxel.structure import VoxelStructure
from ...scene.plain import structure_to_plain
from ..bench import Bench
from ..kinds.voxel import blocks_of, checks_text, prompts_of
from ..prompts import Prompts
from ..turn_building import TurnBuilding
from .building import Building
from .loop import PROMPTS
from .scene_tools import TOKENS, SceneTools, Words
from .tool import Outcome


class VoxelTools(SceneTools):
    """See :class:`.scene_tools.SceneTools`. To hand in a turn gives out the next one."""

    counted = "blocks"
    words = Words(
        run="Run Python that places and removes blocks. With fresh=false it goes on from the "
        "blocks that stand; with fresh=true from those that stood when this request was given, "
        "which for the first is an empty world. A run that fails changes nothing.",
        fresh="true: begin the present request anew; false: go on from what stands",
        check="Judge what stands by the checks of the present request: every check with its "
        "status, and the faults, the worst first.",
        listed="List the blocks that stand: number and extents by material, then layer by layer.",
        query="only blocks with this in their material's id",
        submit="Hand in what stands for the present request. The answer holds the next request; "
        "after the last one the episode is over.",
    )

    def _building(self, bench: Bench) -> Building:
        self._world = TurnBuilding(bench, len(prompts_of(self._task)))
        return self._world

    def now(self) -> str:
        turn = self._world.turn
        if turn == 1:
            return ""
        facts = {
            "number": turn,
            "turns": self._world.turns,
            "request": prompts_of(self._task)[turn - 1],
            "profile": self._profile,
            "checks": checks_text(VoxelBrief.from_mapping(self._task.brief), turn),
        }
        return Prompts(PROMPTS).render("next_turn", facts)

    def _list(self, arguments: Mapping[str, Any]) -> Outcome:
        blocks = blocks_of(self._standing())
        query = str(arguments.get("query", "")).lower()
        chosen = np.array([query in name.lower() for name in blocks.materials], dtype=bool)
        listed = structure_to_plain(_only(blocks, chosen))
        return Outcome(
            {
                "blocks": len(blocks),
                "listed": self._kind.inventory(listed, TOKENS).splitlines() if chosen.any() else [],
            }
        )

    def _submit(self, _: Mapping[str, Any]) -> Outcome:
        world = self._world
        if world.last_turn:
            world.settle()
            return Outcome({"submitted": True, "judged": "what stands now"})
        world.next_turn()
        facts = {"submitted": True, "turn": world.turn, "turns": world.turns}
        return Outcome({**facts, "next": self.now()}, ends=False)


def _only(blocks: VoxelStructure, chosen: Any) -> VoxelStructure:
    """The blocks of the rows that are chosen, (n,) bool."""
    names = tuple(name for name, kept in zip(blocks.materials, chosen, strict=True) if kept)
    return replace(blocks, positions=blocks.positions[chosen], materials=names, earlier=())
