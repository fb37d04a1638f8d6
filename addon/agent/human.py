# SPDX-License-Identifier: GPL-3.0-or-later
"""``human``: a person builds in any Blender, saves, and hands in; judged like everybody."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ...tasks import Task
from .agents import AgentError, Assignment, Built, Workshop, shown_views
from .bench import BenchError, Execution, Scene
from .kinds import kind_for
from .outside_folder import (
    CLIENT,
    REFERENCE,
    SCRIPT,
    TASK_FILE,
    Place,
    make_place,
    python,
    write_scripts,
    write_views,
)
from .outside_server import Asked, OutsideServer
from .prompts import Prompts
from .scripted import NOTHING, plain_execution
from .tools.agent import task_text
from .tools.box import Budgets
from .tools.loop import PROMPTS

HUMAN = "human"
HARNESS = "blender"
#: The file that the person builds in.
FILE = "build.blend"
#: Names the person who builds, if they want to be named.
PERSON_VARIABLE = "PLUMBLINE_PERSON"
_POLL = 0.2

_ANSWERS = {"prompt", "status", "finish"}


def person_facts(person: str) -> dict[str, Any]:
    """What ``run.json`` says of who built: a name, ``None`` if none was given."""
    return {"person": person.strip() or None}


def work_figures(seconds: float, tries: int | None) -> dict[str, Any]:
    """Metrics of a person's work: how long it took, s, and how often it was checked before it was
    handed in (``None``: nobody counted)."""
    return {"work_seconds": round(seconds, 1), "tries": tries}


def human_agent() -> HumanAgent:
    """The agent ``human``, talking on the terminal. Raises :class:`AgentError` without one."""
    if sys.stderr is None or not sys.stderr.isatty():
        raise AgentError(
            "agent human needs a terminal, to say which file to build in; run it in one or choose "
            "another agent"
        )
    return HumanAgent(_say)


def _say(text: str) -> None:
    print(f"\r{text}", file=sys.stderr, flush=True)


class HumanAgent:
    """A person; see :class:`.agents.Agent`. ``say`` tells where to build, and how to hand in."""

    name = HUMAN
    harness = HARNESS
    model: str | None = None
    effort: str | None = None

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say

    def describe(self) -> Mapping[str, Any]:
        person = person_facts(os.environ.get(PERSON_VARIABLE, ""))
        return {"protocol": HUMAN, **person, "prompts": Prompts(PROMPTS).describe()}

    def assignments(self, tasks: Iterable[Task]) -> Iterator[Assignment]:
        for task in tasks:
            kind = kind_for(task)
            if kind.by_turns:
                raise AgentError(
                    f"{task.id}: agent human builds what is asked for once, in a Blender file, and "
                    f"tasks of kind {kind.name} are built turn by turn with block calls; use "
                    "`plumbline session` for them"
                )
            yield Assignment(task, self.name)

    def build(self, assignment: Assignment, workshop: Workshop) -> Built:
        place = make_place(workshop.folder)
        file = place.work / FILE
        self._prepare(file, assignment, workshop, place)
        workshop.transcript.event(
            "episode", task=assignment.task.id, agent=self.name, profile=workshop.profile
        )
        script = place.work / SCRIPT
        self._say(
            f"{assignment.name}: build in {file} (the task is in {TASK_FILE} beside it), save, "
            f"then run `{script} finish`, or `{script} finish --skip` to leave it out"
        )
        workshop.progress(f"waiting for you to build in {file}")
        begin = time.monotonic()
        with OutsideServer(place.address) as server:
            end, message = _wait(server, file, assignment, workshop)
        figures = work_figures(time.monotonic() - begin, None)  # in a Blender of their own
        execution = self._read(file, workshop) if end != "gave_up" else None
        workshop.transcript.event("end", end=end, message=message)
        return Built(execution, "", end, message, metrics=figures)

    def _prepare(
        self, file: Path, assignment: Assignment, workshop: Workshop, place: Place
    ) -> None:
        """An empty metric file to begin with, the task beside it. Raises ``BenchError``."""
        empty = workshop.bench.execute(NOTHING, None, "empty")
        if empty.scene is None:
            raise BenchError(f"no empty file could be made: {empty.message or empty.unreadable}")
        shutil.copyfile(empty.scene.blend, file)
        views = write_views(place.work / REFERENCE, shown_views(assignment.task, workshop.target()))
        facts = {
            "task": task_text(assignment.task, workshop.profile, Budgets(), False),
            "file": FILE,
            "script": SCRIPT,
            "reference": f"Pictures of how it should become lie in {REFERENCE}." if views else "",
        }
        text = Prompts(PROMPTS).render("human_task", facts)
        (place.work / TASK_FILE).write_text(text + "\n", encoding="utf-8")
        write_scripts(place.work, [python(), "-I", str(CLIENT), str(place.address)])

    def _read(self, file: Path, workshop: Workshop) -> Execution:
        """What the person saved, read where models' code runs: a file may hold anything."""
        kept = workshop.folder / f"handed-in-{FILE}"
        shutil.copyfile(file, kept)
        execution = workshop.bench.execute(NOTHING, Scene(kept), "human")
        workshop.transcript.event("execution", **plain_execution(execution, "", "human"))
        return execution

    def close(self) -> None:
        """Nothing is held."""


def _wait(
    server: OutsideServer, file: Path, assignment: Assignment, workshop: Workshop
) -> tuple[str, str | None]:
    """Wait until the person hands in, skips, or the time is up."""
    limit = workshop.limits.seconds
    deadline = None if limit is None else time.monotonic() + limit
    while True:
        workshop.cancel.check()
        asked = server.next(_POLL)
        if asked is not None and _answered(asked, file, assignment):
            if asked.request.get("skip"):
                return "gave_up", "the person left it out"
            return "finished", None
        if deadline is not None and time.monotonic() > deadline:
            return "seconds", f"the limit of {limit:g} s ran out; what was saved is judged"


def _answered(asked: Asked, file: Path, assignment: Assignment) -> bool:
    """Answer a request; whether the person is done."""
    wanted = asked.request.get("do")
    if wanted == "finish" and not asked.request.get("skip") and not file.is_file():
        asked.answer({"ok": False, "error": f"{file}: there is no such file; save it there"})
        return False
    if wanted == "prompt":
        text = (file.parent / TASK_FILE).read_text(encoding="utf-8")
        asked.answer({"ok": True, "prompt": text, "tools": []})
    elif wanted in _ANSWERS:
        asked.answer({"ok": True, "task": assignment.task.id, "file": str(file)})
    else:
        asked.answer({"ok": False, "error": "you build in Blender here; there are no tools"})
    return wanted == "finish"
