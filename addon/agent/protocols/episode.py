# SPDX-License-Identifier: GPL-3.0-or-later
"""What all protocols do alike: ask for code, run it, judge it, and tell the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ....checks.result import Finding, Judgement
from ....tasks import Task
from ...ranking import findings_of, grouped
from ...scene.cameras import VIEWS
from .. import feedback
from ..agents import Target, Workshop, shown_views
from ..bench import UNDRAWABLE, BenchError, Execution, Scene
from ..budget import Budget
from ..kinds import Scope, TaskKind
from ..messages import Message, Picture
from ..prompts import Prompts
from ..scripted import plain_execution
from .looks import Looks
from .options import ProtocolOptions
from .parse import Found, find_code
from .talk import Line, Talk, user

#: The view in which faults are shown.
FAULT_VIEW = "front_right"


@dataclass
class Outcome:
    """What an episode has to show so far.

    ``execution`` is the run that is judged if the episode ended now, ``program`` all code that
    makes its scene from nothing. ``last`` is the last run, whatever came of it; ``mishaps`` are
    those of :class:`..agents.Built`.
    """

    execution: Execution | None = None
    program: str = ""
    last: Execution | None = None
    last_program: str = ""
    metrics: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    mishaps: tuple[Finding, ...] = ()


class Episode:
    """One attempt at one task by one model, whatever its protocol."""

    def __init__(
        self,
        task: Task,
        kind: TaskKind,
        prompts: Prompts,
        workshop: Workshop,
        line: Line,
    ) -> None:
        self.task = task
        self.kind = kind
        self.prompts = prompts
        self.workshop = workshop
        self.line = line
        self.outcome = Outcome()
        self.looks = Looks(workshop.bench, self._target)
        self.facts: dict[str, object] = {
            **kind.facts(task, workshop.profile),
            "phases": ", ".join(kind.phases),
            "attempts": self.budget.limits.attempts,
            "tries": self.budget.limits.retries + 1,
            "plan": "",
            "printed": "",
        }

    @property
    def options(self) -> ProtocolOptions:
        return self.line.options

    @property
    def budget(self) -> Budget:
        return self.line.budget

    # --- What the model is told -------------------------------------------------------------------

    def render(self, name: str, **facts: object) -> str:
        """A template filled in with the facts of the task and those given."""
        return self.prompts.render(name, {**self.facts, **facts})

    def begin(self, name: str, system: str = "system", **facts: object) -> Talk:
        """A conversation that opens with the template ``name`` and the target's views."""
        return Talk(self.line, self.render(system), self.head(name, **facts))

    def head(self, name: str, **facts: object) -> Message:
        """The first message: the task, and the target's views where there are any."""
        shown = self.target_pictures()
        # Without a target the pictures are somebody else's, and nobody knows their cameras.
        known = "cameras" if shown and self.looks.target is not None else "references"
        cameras = self.render(known if shown else "no_pictures")
        reminder = self.render("reminder") if self.options.reserve_last_launch else ""
        return user(self.render(name, pictures=cameras, reminder=reminder, **facts), shown)

    def target_pictures(self) -> list[Picture]:
        """The target's views in the order of the camera table, those of the task itself first.

        None where there are none or the model reads no pictures.
        """
        views = shown_views(self.task, self.looks.target) if self.options.pictures else {}
        return [Picture(views[name], name) for name in VIEWS if name in views]

    def inventory(self, structure: Mapping[str, Any] | None) -> str:
        """What stands, as the model is told."""
        if structure is None:
            return "nothing yet"
        return self.kind.inventory(structure, self.options.inventory_tokens)

    # --- Asking, running, judging -----------------------------------------------------------------

    def code(self, talk: Talk, label: str) -> Found:
        """Ask for a program. If there was none its ``message`` is what to tell the model.

        Raises ``Ended`` after the second refusal.
        """
        found = find_code(talk.ask(label))
        if found.state != "usable":
            self.note(label, found.state, found.message)
            self.count(f"answers_{found.state}")
            if found.state == "refusal":
                self.budget.refused()
        return found

    def run(self, code: str, start: Scene | None, label: str) -> Execution:
        """Run a program and write down how it went."""
        self.workshop.cancel.check()
        self.workshop.progress(f"{label}: running the program")
        execution = self.workshop.bench.execute(code, start, label)
        self.workshop.transcript.event("execution", **plain_execution(execution, code, label))
        self.outcome.last, self.outcome.last_program = execution, code
        self.workshop.cancel.check()
        return execution

    def keep(self, execution: Execution, program: str) -> None:
        """From now on this is what the episode has to show."""
        self.outcome.execution, self.outcome.program = execution, program

    def judge(self, structure: Mapping[str, Any], scope: Scope, label: str) -> Judgement:
        """Judge what stands and write down the verdict."""
        self.workshop.progress(f"{label}: judging")
        judgement = self.kind.judge(self.task, structure, self.workshop.profile, scope)
        self.workshop.on_judgement(judgement, scope)
        record = feedback.record_of(judgement)
        self.workshop.transcript.event(
            "judgement",
            label=label,
            scope=scope,
            profile=judgement.profile,
            verdict=judgement.verdict,
            checks={check.id: check.status for check in judgement.checks},
            faults=len(grouped(findings_of(record))),
        )
        return judgement

    def findings(
        self, judgement: Judgement, scene: Scene | None, label: str
    ) -> tuple[str, list[Picture]]:
        """What the model is told of a judgement, with a picture of where the faults are."""
        text = feedback.findings_text(judgement, self.options.feedback_tokens)
        if not self.options.pictures or scene is None or not judgement.findings:
            return text, []
        self.workshop.progress(f"{label}: drawing the faults")
        record = feedback.record_of(judgement)
        try:
            png = self.workshop.bench.picture(scene, record, FAULT_VIEW)
        except BenchError as error:
            if error.kind != UNDRAWABLE:
                raise
            self.note(label, "picture", str(error))
            return text, []
        return text, [Picture(png, "where the faults are, coloured")]

    # --- Bookkeeping ------------------------------------------------------------------------------

    def note(self, label: str, what: str, message: str) -> None:
        """Write something down in the transcript."""
        self.workshop.transcript.event("note", label=label, what=what, message=message)

    def count(self, name: str) -> None:
        """Count something in the episode's metrics."""
        metrics = self.outcome.metrics
        metrics[name] = metrics.get(name, 0) + 1

    def similar(self, value: float, label: str) -> None:
        """Write down a similarity."""
        self.outcome.metrics.setdefault("similarity_by_step", {})[label] = round(value, 4)
        self.note(label, "similarity", f"{value:.4f}")

    def _target(self) -> Target | None:
        self.workshop.progress("making the target")
        with self.budget.aside():  # it takes a Blender some seconds, once a run and task
            return self.workshop.target()


def joined(programs: Sequence[tuple[str, str]]) -> str:
    """Programs that ran one after the other as one program, each under a mark with its name.

    Imports from the future must stand first in a program, so they are taken to the top.
    """
    future: dict[str, None] = {}
    pieces = []
    for name, code in programs:
        kept = []
        for line in code.splitlines():
            if line.startswith("from __future__ import "):
                future.setdefault(line.strip())
            else:
                kept.append(line)
        pieces.append(f"# phase: {name}\n" + "\n".join(kept).strip("\n") + "\n")
    head = "".join(f"{line}\n" for line in future)
    return (head + "\n" if head else "") + "\n\n".join(pieces)
