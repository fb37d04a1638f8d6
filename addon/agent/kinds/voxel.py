# SPDX-License-Identifier: GPL-3.0-or-later
"""Block constructions as protocols see them: asked for turn by turn, in words alone."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ....checks.result import Judgement
from ....checks.voxel import judge as judge_blocks
from ....checks.voxel.brief import CheckCall, VoxelBrief
from ....checks.voxel.rules import DEFAULT
from ....checks.voxel.structure import VoxelStructure
from ....tasks import Task
from ....tasks.constructions.system_prompt import system_prompt
from ...scene.plain import structure_from_plain
from ..history import CHARACTERS_PER_TOKEN
from .base import PlanProblem, Scope
from .voxel_listing import listing


class VoxelKind:
    """See :class:`.base.TaskKind`. It has one phase, which nothing gates."""

    name = "voxel"
    phases = ("building",)
    profile = DEFAULT
    protocols = ("atomic", "reactive", "tools")
    by_turns = True
    has_target = False

    def facts(self, task: Task, profile: str) -> Mapping[str, str]:
        brief = VoxelBrief.from_mapping(task.brief)
        prompts = prompts_of(task)
        if len(prompts) != len(brief.turns):
            raise ValueError(
                f"{len(prompts)} prompts and checks for {len(brief.turns)} turns; give as many of "
                "one as of the other"
            )
        return {
            "title": task.title,
            "style": task.style or "not said",
            "request": prompts[0],
            "turns": str(len(prompts)),
            "engineer": system_prompt(),
            "checks": checks_text(brief, 1),
            "gates": "nothing",
            "profile": profile,
        }

    def judge(
        self, task: Task, structure: Mapping[str, Any], profile: str, scope: Scope = "all"
    ) -> Judgement:
        """Judge what stands by the checks of the turn that the blocks are in.

        Which turn that is the blocks say by what stood after earlier ones. What an earlier turn
        left can't be mended any more, so nothing is said of it here.
        """
        blocks = blocks_of(structure)
        brief = VoxelBrief.from_mapping(task.brief)
        turn = min(len(blocks.earlier), len(brief.turns) - 1)
        return judge_blocks(replace(blocks, earlier=()), brief.at_turn(turn), profile)

    def check_plan(self, task: Task, plan: Any) -> Sequence[PlanProblem]:
        return (PlanProblem("$", "blocks are built without a plan; write the program"),)

    def inventory(self, structure: Mapping[str, Any], tokens: int) -> str:
        return listing(blocks_of(structure), tokens * CHARACTERS_PER_TOKEN) or "nothing yet"

    def phase_faults(
        self, task: Task, phase: str, before: Mapping[str, Any] | None, after: Mapping[str, Any]
    ) -> Sequence[str]:
        return ()

    def until(self, structure: Mapping[str, Any], phase: str) -> Sequence[str]:
        return ()


def prompts_of(task: Task) -> tuple[str, ...]:
    """What is asked in each turn: the task's prompts, else its description in one turn."""
    return task.prompts or (task.description,)


def blocks_of(structure: Mapping[str, Any]) -> VoxelStructure:
    """The blocks of plain data. Raises ``ValueError`` for a structure of another kind."""
    found = structure_from_plain(structure)
    if not isinstance(found, VoxelStructure):
        raise ValueError("what stands was read as members, not as blocks")
    return found


def checks_text(brief: VoxelBrief, turn: int) -> str:
    """The checks of a turn, counted from 1, in a line each: what a loop with feedback is told."""
    calls = brief.turns[turn - 1]
    return "\n".join(f"- {_called(call)}" for call in calls) or "- nothing"


def _called(call: CheckCall) -> str:
    """``shape.has_rooms (room_cnt 3, y 2)``."""
    said = ", ".join(f"{name} {json.dumps(value)}" for name, value in call.args.items())
    return f"{call.fn} ({said})" if said else call.fn
