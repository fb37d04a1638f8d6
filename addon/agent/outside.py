# SPDX-License-Identifier: GPL-3.0-or-later
"""``cli:COMMAND``: an outside coding agent builds, with the session's tools and within our budgets.

The command runs in a working folder with the person's own rights, environment and keys: it is the
person's program, and keeping it in is the person's business. Code that it sends through the session
goes through our box like anybody's. Session, budgets and time stay in this process, out of its
files' reach.
"""

from __future__ import annotations

import os
import shlex
import shutil
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ...tasks import Task
from .agents import AgentError, Assignment, Built, Fault, Workshop
from .bench import TAMPERED, BenchError
from .kinds import target_of
from .outside_bench import SealedBench
from .outside_folder import Place, make_place, write_task
from .outside_process import Command, CommandError
from .outside_server import Asked, OutsideServer
from .prompts import Prompts
from .providers.keys import NO_KEY, Key
from .scripted import HARNESS
from .tools.agent import runs_into
from .tools.loop import PROMPTS
from .tools.registry import toolset_for
from .tools.session import Session

CLI = "cli:"
#: How long a command may take if the run sets no limit, s.
SECONDS = 3600.0
#: How long a command may go on after it handed in, s.
GRACE = 10.0
#: How often a command is looked after, s.
_POLL = 0.1

#: What the command finds in its environment beside the person's own.
EFFORT_VARIABLE = "PLUMBLINE_EFFORT"
TASK_VARIABLE = "PLUMBLINE_TASK"

RIGHTS_NOTE = (
    "the outside command itself ran with the rights of whoever started the run; only the code that "
    "it sent through the session ran in isolation"
)


class OutsideAgent:
    """A command of the person's own; see :class:`.agents.Agent`.

    ``command`` is split like a shell would, but no shell is used. Raises :class:`AgentError`.
    """

    def __init__(self, command: str, effort: str | None = None, keep_last: bool = False) -> None:
        try:
            self._argv = shlex.split(command, posix=os.name == "posix")
        except ValueError as error:
            raise AgentError(f"cli:{command}: can't be read ({error}); quote it properly") from None
        if Key(NO_KEY).scrub(command) != command:
            raise AgentError(
                "the command after cli: holds what looks like a key, which would be written into "
                "the run; leave it out and give the key in the environment"
            )
        if not self._argv:
            raise AgentError("cli: names no command; write --agent 'cli:COMMAND ARGUMENTS'")
        program = shutil.which(self._argv[0])
        if program is None:
            raise AgentError(
                f"{self._argv[0]} is no program that can be started; check the command after cli:"
            )
        # It starts in a folder of its own, where a relative path would lead elsewhere.
        self._argv[0] = os.path.abspath(program)
        self.name = f"{CLI}{command}"
        # Never our own name: what runs under that is trusted with more.
        own = Path(self._argv[0]).name
        self.harness = own if own != HARNESS else self.name
        self.model = _option(self._argv, "--model")
        self.effort = effort
        self._keep_last = keep_last

    def describe(self) -> Mapping[str, Any]:
        return {
            "protocol": "session",
            "command": self._argv,
            "keep_last": self._keep_last,
            "prompts": Prompts(PROMPTS).describe(),
        }

    def assignments(self, tasks: Iterable[Task]) -> Iterator[Assignment]:
        yield from (Assignment(task, self.name) for task in tasks)

    def build(self, assignment: Assignment, workshop: Workshop) -> Built:
        place = make_place(workshop.folder)
        bench = SealedBench(workshop.bench)
        session = open_session(assignment.task, workshop, bench, place, self._keep_last)
        target = target_of(assignment.task, workshop)
        write_task(place, session, target(), "outside_task")
        begun(workshop, assignment, self.describe())
        with OutsideServer(place.address) as server:
            try:
                with Command(
                    self._argv, place.work, self._environment(place), place.log
                ) as command:
                    end, message = _attend(command, server, session, workshop)
                    code = command.code
            except CommandError as error:
                missing = Fault("command", str(error))
                return built(session, workshop, "environment", str(error), missing)
        fault = _fault(self._argv[0], code, session, place) if end == "gave_up" else None
        try:
            standing = session.tools.building.standing
            bench.check(standing.scene if standing else None)
        except BenchError as error:
            fault = Fault(TAMPERED, str(error))
        if fault is not None:
            end, message = "environment", fault.message
        return built(session, workshop, end, message, fault, (RIGHTS_NOTE,))

    def _environment(self, place: Place) -> dict[str, str]:
        own = {**os.environ, TASK_VARIABLE: str(place.work)}
        return {**own, EFFORT_VARIABLE: self.effort} if self.effort else own

    def close(self) -> None:
        """Nothing is held between attempts."""


def open_session(
    task: Task, workshop: Workshop, bench: SealedBench, place: Place, keep_last: bool
) -> Session:
    """The session of an attempt. Its pictures go into the working folder."""
    target = target_of(task, workshop)
    tools = toolset_for(task, bench, workshop.profile, workshop.folder, target)
    tools.building.heard = runs_into(workshop.transcript)
    return Session.fresh(
        task, workshop.profile, tools, place.work / "pictures", workshop.limits, keep_last
    )


def begun(workshop: Workshop, assignment: Assignment, described: Mapping[str, Any]) -> None:
    """Write the first event of an attempt."""
    workshop.transcript.event(
        "episode",
        task=assignment.task.id,
        agent=assignment.agent,
        profile=workshop.profile,
        limits=vars(workshop.limits),
        **described,
    )


def answer(asked: Asked, session: Session, workshop: Workshop) -> None:
    """Answer one request and write it down. Raises what the tools' bench raises."""
    request, start = asked.request, time.monotonic()
    workshop.progress(f"{request.get('do')} {request.get('tool') or ''}".strip())
    try:
        plain = session.answer(request)
    except BaseException:
        asked.answer({"ok": False, "kind": "harness", "error": "the harness ended this attempt"})
        raise
    if request.get("do") != "status":
        workshop.transcript.event(
            "tool",
            name=str(request.get("tool") or request.get("do")),
            request=request,
            ok=plain.get("ok") is True,
            error=plain.get("kind"),
            seconds=round(time.monotonic() - start, 4),
            answer=plain if request.get("do") == "call" else None,
        )
    asked.answer(plain)


def _attend(
    command: Command, server: OutsideServer, session: Session, workshop: Workshop
) -> tuple[str, str | None]:
    """Serve the command until it is done or its time is up; the word and sentence of the end."""
    limit = workshop.limits.seconds or SECONDS
    deadline = time.monotonic() + limit
    handed_in: float | None = None
    while True:
        workshop.cancel.check()
        asked = server.next(_POLL)
        if asked is not None:
            answer(asked, session, workshop)
        now = time.monotonic()
        if session.over and handed_in is None:
            handed_in = now
        if handed_in is not None and (command.code is not None or now > handed_in + GRACE):
            return "finished", None
        if now > deadline:
            return "seconds", f"the command was ended after {limit:g} s"
        if asked is None and command.code is not None:
            return _ended(command.code)


def _ended(code: int) -> tuple[str, str]:
    if code == 0:
        return "finished", "the command ended without handing in; what stood was judged"
    how = f"signal {-code}" if code < 0 else f"exit code {code}"
    return "gave_up", f"the command ended with {how} before it handed in"


def _fault(program: str, code: int | None, session: Session, place: Place) -> Fault | None:
    """A command that failed before it ever called a tool never began: the environment's fault."""
    if session.box.state()["calls"]:
        return None
    return Fault(
        "command",
        f"{program} ended with code {code} before its first call; see {place.log.name} in the "
        "attempt's folder",
    )


def built(
    session: Session,
    workshop: Workshop,
    end: str,
    message: str | None,
    fault: Fault | None = None,
    notes: tuple[str, ...] = (),
) -> Built:
    """What a session built. Raises ``BenchError``."""
    building = session.tools.building
    if fault is None:
        building.settle()
    workshop.transcript.event("end", end=end, message=message, tools=session.box.state())
    return Built(
        building.standing,
        building.program,
        end,
        message,
        fault=fault,
        metrics=session.box.metrics(),
        notes=(*notes, *session.notes()),
        mishaps=tuple(building.mishaps),
    )


def _option(argv: list[str], name: str) -> str | None:
    """The value of an option of the command, as it was written."""
    for word, following in zip(argv, [*argv[1:], None], strict=False):
        if word == name:
            return following
        if word.startswith(f"{name}="):
            return word.partition("=")[2]
    return None
