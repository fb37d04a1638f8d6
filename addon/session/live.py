# SPDX-License-Identifier: GPL-3.0-or-later
"""An episode as the panel shows it, folded from the events of its job. No ``bpy`` here."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..agent.agents import Limits
from ..agent.messages import Usage
from .job import Event

#: Characters of a model's text that are kept for showing.
TEXT_KEPT = 4000
#: Lines of the talk that are kept; all of it is in the transcript.
LINES_KEPT = 200


@dataclass
class Try:
    """One run of code: how it ended, and what the checks said of it if they were asked.

    ``scene`` is the ``session_uid`` of its scene in the open file; ``whole`` tells whether it was
    judged as a whole house rather than as a phase. ``told`` are the worst faults in words, as they
    were told to the model.
    """

    title: str
    code: str = ""
    outcome: str | None = None
    message: str | None = None
    seconds: float = 0.0
    verdict: str | None = None
    faults: int = 0
    whole: bool = False
    scene: int | None = None
    told: tuple[str, ...] = ()


@dataclass
class Live:
    """What is going on, and what came of it.

    ``doing`` is what the agent does now, ``hindered`` why it waits for the person. ``end`` is the
    word of :class:`..agent.agents.Built`, or ``stopped`` or ``failed``; ``message`` a sentence on
    it, ``fault`` its kind if it was one of the environment. ``code`` is what it ran last, and
    ``isolation`` what that ran in, empty before. ``waiting`` tells that it stands still in a pause.
    ``lines`` is the talk, newest last; ``final`` is the try that is the attempt's result, and
    ``record`` what was stored of the attempt in the run folder ``run``, once it was.
    """

    agent: str
    title: str
    where: str
    doing: str = "starting"
    hindered: str | None = None
    text: str = ""
    usage: Usage = field(default_factory=Usage)
    tries: dict[int, Try] = field(default_factory=dict)
    end: str | None = None
    message: str | None = None
    fault: str | None = None
    verdict: str | None = None
    folder: str = ""
    code: str = ""
    isolation: str = ""
    notes: list[str] = field(default_factory=list)
    limits: Limits = field(default_factory=Limits)
    waiting: bool = False
    lines: deque[str] = field(default_factory=lambda: deque(maxlen=LINES_KEPT))
    final: int | None = None
    run: str = ""
    record: Mapping[str, Any] = field(default_factory=dict)

    def hear(self, event: Event) -> None:
        """Take one event in."""
        handler = getattr(self, f"_on_{event.kind}", None)
        if handler is not None:
            handler(**event.content)

    def _on_doing(self, words: str) -> None:
        self.doing = words

    def _on_hindered(self, reason: str | None) -> None:
        self.hindered = reason

    def _on_text(self, piece: str) -> None:
        self.text = (self.text + piece)[-TEXT_KEPT:]

    def _on_asked(self) -> None:
        self.text = ""

    def _on_used(self, usage: Usage) -> None:
        self.usage = self.usage + usage

    def _on_running(self, key: int, title: str, code: str) -> None:
        self.tries[key] = Try(title, code)
        self.code = code

    def _on_ran(
        self, key: int, outcome: str, message: str | None, seconds: float, isolation: str
    ) -> None:
        self.isolation = isolation
        row = self.tries[key]
        row.outcome, row.message, row.seconds = outcome, message, seconds

    def _on_landed(self, key: int, scene: int, title: str) -> None:
        self.tries[key].scene, self.tries[key].title = scene, title

    def _on_judged(
        self, key: int, verdict: str, faults: int, whole: bool, told: tuple[str, ...] = ()
    ) -> None:
        row = self.tries[key]
        row.verdict, row.faults, row.whole, row.told = verdict, faults, whole, told

    def _on_paused(self, waiting: bool) -> None:
        self.waiting = waiting

    def _on_line(self, words: str) -> None:
        self.lines.append(words)

    def _on_final(self, key: int) -> None:
        self.final = key

    def _on_recorded(self, run: str, record: Mapping[str, Any]) -> None:
        self.run, self.record = run, record

    def _on_note(self, words: str) -> None:
        self.notes.append(words)

    def _on_folder(self, path: str) -> None:
        self.folder = path

    def _on_built(
        self, end: str, message: str | None, verdict: str, notes: Sequence[str] = ()
    ) -> None:
        self.end, self.message, self.verdict = end, message, verdict
        self.notes += notes

    def _on_failed(self, end: str, message: str, fault: str | None) -> None:
        self.end, self.message, self.fault = end, message, fault

    def tail(self, characters: int = 300) -> str:
        """The end of what the model has said last, as one line of text."""
        return " ".join(self.text[-characters:].split())

    def used(self) -> Mapping[str, Any]:
        """What it has cost so far: tokens, and US dollars where the price is known."""
        return {"tokens": self.usage.tokens, "cost": self.usage.cost, "calls": self.usage.calls}
