# SPDX-License-Identifier: GPL-3.0-or-later
"""Which tools there are for a kind of task. A new kind is a line here and a module beside it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from ....checks.result import Judgement
from ....tasks import Task
from ..agents import AgentError, Limits, Target
from ..bench import Bench
from ..kinds import kind_for
from .box import Budgets, ToolBox
from .building import Building
from .tool import ToolSet


class BuildingTools(ToolSet, Protocol):
    """Tools whose work is a scene."""

    building: Building
    #: What structures are made of, as answers call it: ``members``.
    counted: str
    #: Told what the checks say whenever they are asked, and of how much.
    judged: Callable[[Judgement, str], None]

    def now(self) -> str:
        """What is asked now beyond what the task says at first; empty if nothing is."""
        ...


def toolset_for(
    task: Task,
    bench: Bench,
    profile: str,
    folder: Path,
    target: Callable[[], Target | None] = lambda: None,
    pictures: bool = True,
) -> BuildingTools:
    """The tools for a task. Raises :class:`AgentError` for a kind that has none."""
    kind = kind_for(task)
    made = _toolset(task)
    return made(task, kind, bench, profile, folder, target, pictures)


def _toolset(task: Task) -> Callable[..., BuildingTools]:
    if task.kind == "timber":
        from .timber import TimberTools

        return TimberTools
    if task.kind == "voxel":
        from .voxel import VoxelTools

        return VoxelTools
    if task.kind == "reconstruction":
        from .reconstruction import ReconstructionTools

        return ReconstructionTools
    raise AgentError(f"{task.id}: there are no tools for tasks of kind {task.kind}; choose others")


def budgets_for(task: Task, limits: Limits, keep_last: bool = False) -> Budgets:
    """What an episode on a task may use. Raises as :func:`toolset_for`."""
    _toolset(task)
    from .scene_tools import budgets

    return budgets(limits, keep_last)


def box_for(task: Task, tools: ToolSet, limits: Limits, keep_last: bool = False) -> ToolBox:
    """A fresh box with these tools."""
    return ToolBox(tools.tools(), budgets_for(task, limits, keep_last))
