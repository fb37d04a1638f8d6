# SPDX-License-Identifier: GPL-3.0-or-later
"""Tools for building by code: run, check, look, list, hand in; a kind has its own words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ....checks.result import Judgement
from ....tasks import Task
from ...scene.cameras import VIEWS
from ...scene.plain import count_of
from ..agents import Limits, Target
from ..bench import TAMPERED, Bench, BenchError, Scene
from ..feedback import findings_text, printed_text, program_text, record_of
from ..kinds.base import TaskKind
from ..messages import Picture
from .box import Budgets
from .building import Building
from .tool import Outcome, Tool, ToolError, parameters

#: The view with the findings coloured.
FINDINGS = "findings"
#: How a picture of the findings is taken.
FINDINGS_VIEW = "front_right"
#: Names of the budgets; ``run`` is the one that launches Blender with new code.
RUN, CHECK, RENDER = "run", "check", "render"
#: Calls of any tool, checks and renders of an episode.
CALLS, CHECKS, RENDERS = 160, 30, 12
#: Faults of a bench after which nothing else would work either.
_GRAVE = (TAMPERED, "no_blender", "isolation", "disk")
#: Tokens of findings and of the list of what stands: within what a result may have.
TOKENS = 1200


@dataclass(frozen=True)
class Words:
    """What a kind says of its tools: descriptions, and of ``get_scene`` its one parameter."""

    run: str
    fresh: str
    check: str
    listed: str
    query: str
    submit: str


class SceneTools:
    """See :class:`.tool.ToolSet`. ``folder`` is where the bench keeps its scenes.

    Without ``pictures`` nothing is rendered, for those who read none.
    """

    words: Words
    #: What structures are made of, as answers call it.
    counted: str

    def __init__(
        self,
        task: Task,
        kind: TaskKind,
        bench: Bench,
        profile: str,
        folder: Path,
        target: Callable[[], Target | None] = lambda: None,
        pictures: bool = True,
    ) -> None:
        self._task = task
        self._kind = kind
        self._bench = bench
        self._profile = profile
        self._folder = folder
        self._target = target
        self._pictures = pictures
        self.building = self._building(bench)
        self.judged: Callable[[Judgement, str], None] = lambda _judgement, _scope: None

    def _building(self, bench: Bench) -> Building:
        return Building(bench)

    def now(self) -> str:
        """What is asked now beyond what the task says at first; empty if nothing is."""
        return ""

    def tools(self) -> Sequence[Tool]:
        words = self.words
        code = {"type": "string", "minLength": 1, "description": "Python for Blender"}
        fresh = {"type": "boolean", "description": words.fresh}
        view = {"type": "string", "enum": [*VIEWS, FINDINGS]}
        query = {"type": "string", "description": words.query}
        found = (
            Tool(
                "run_code",
                words.run,
                parameters({"code": code, "fresh": fresh}, ("code", "fresh")),
                self._run,
                budget=RUN,
            ),
            Tool(
                "check",
                words.check,
                parameters(),
                self._check,
                budget=CHECK,
                failures_cost=False,
            ),
            Tool(
                "render",
                "A picture of what stands from a named view; 'findings' shows the faults coloured.",
                parameters({"view": view}, ("view",)),
                self._render,
                budget=RENDER,
                failures_cost=False,
            ),
            Tool("get_scene", words.listed, parameters({"query": query}), self._list),
            Tool("submit", words.submit, parameters(), self._submit, always=True, ends=True),
        )
        return tuple(tool for tool in found if self._pictures or tool.budget != RENDER)

    def state(self) -> dict[str, Any]:
        return self.building.state(self._folder)

    def restore(self, state: Mapping[str, Any]) -> None:
        self.building.restore(state, self._folder)

    def _run(self, arguments: Mapping[str, Any]) -> Outcome:
        execution = self.building.run(arguments["code"], arguments["fresh"])
        if not execution.ok:
            stands = "what stood before still stands" if self.building.sound else "nothing stands"
            raise ToolError(execution.outcome, program_text(execution), scene=stands)
        return Outcome(
            {
                self.counted: count_of(execution.structure),
                **({"printed": text} if (text := printed_text(execution)) else {}),
            }
        )

    def _standing(self) -> Mapping[str, Any]:
        standing = self.building.standing
        if standing is None or standing.structure is None:
            raise ToolError("nothing_built", "nothing stands yet; build something with run_code")
        return standing.structure

    def _check(self, _: Mapping[str, Any]) -> Outcome:
        try:
            judgement = self._kind.judge(self._task, self._standing(), self._profile)
        except ToolError:
            raise
        except ValueError as error:
            raise ToolError("unjudgeable", f"what stands can't be judged: {error}") from None
        self.judged(judgement, "all")
        return Outcome(
            {
                "verdict": judgement.verdict,
                "checks": {check.id: check.status for check in judgement.checks},
                "report": findings_text(judgement, TOKENS),
            }
        )

    def _render(self, arguments: Mapping[str, Any]) -> Outcome:
        structure, view = self._standing(), arguments["view"]
        standing = self.building.standing
        if standing is None or standing.scene is None:
            raise ToolError("nothing_built", "what stands was not saved, so it can't be drawn")
        try:
            png = self._picture(standing.scene, structure, view)
        except BenchError as error:
            if error.kind in _GRAVE:
                raise
            # Without a drawing surface there is still something to be judged.
            raise ToolError("no_picture", f"no picture can be made here: {error}") from None
        return Outcome({"view": view}, (Picture(png, view),))

    def _picture(self, scene: Scene, structure: Mapping[str, Any], view: str) -> bytes:
        if view == FINDINGS:
            judgement = self._kind.judge(self._task, structure, self._profile)
            return self._bench.picture(scene, record_of(judgement), FINDINGS_VIEW)
        target = self._target()
        return self._bench.views(scene, target.scene if target else None, [view])[view]

    def _list(self, arguments: Mapping[str, Any]) -> Outcome:
        raise NotImplementedError

    def _submit(self, _: Mapping[str, Any]) -> Outcome:
        self._standing()
        return Outcome({"submitted": True, "judged": "what stands now"})


def budgets(limits: Limits, keep_last: bool = False) -> Budgets:
    """What an episode may use of these tools."""
    groups = {RUN: limits.attempts, CHECK: CHECKS, RENDER: RENDERS}
    return Budgets(CALLS, groups, RUN if keep_last else None)
