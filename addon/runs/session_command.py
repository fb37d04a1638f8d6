# SPDX-License-Identifier: GPL-3.0-or-later
"""``plumbline session``: build a task by single calls, from any program or by hand.

``init`` makes a folder, ``call`` runs one tool, ``finish`` judges. Everything printed is JSON, one
object, but for the prompt. A folder whose harness is alive (``cli:`` and ``human`` of a run) passes
requests on to it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...tasks import Task, TaskError, load_task
from ..agent.agents import (
    AgentError,
    Assignment,
    Built,
    Limits,
    Target,
    Workshop,
    shown_views,
)
from ..agent.bench import Bench, BenchError
from ..agent.outside_bench import SealedBench
from ..agent.outside_client import ClientError, arguments_from, ask, prompt_text
from ..agent.outside_folder import TASK_FILE, write_views
from ..agent.tools.agent import runs_into
from ..agent.tools.session import Session
from ..agent.transcript import Transcript
from ..kinds import kind_named, read_as
from ..sandbox.policy import DEFAULT
from .attempts import Place, Settings, attempt
from .cli import FAILED, NOT_JUDGED, PASSED, UNREADABLE, exit_code
from .console import Console
from .records import to_line
from .runfolder import SCENE
from .seats import WorkerSeat
from .session_folder import REFERENCE, SessionError, SessionFolder, new_folder
from .session_options import PROTOCOLS
from .storage import write_whole
from .targets import Targets
from .verdicts import first_line

#: The judged record of a finished session.
RECORD = "record.json"
#: Who drives a session: whatever called us.
HARNESS = "session"
#: Where a run's harness says how to reach it, beside an attempt's working folder.
_ALIVE = ("address.json", "outside/address.json", "../outside/address.json")


def session(options: argparse.Namespace, terminal: Console) -> int:
    """Do what was asked; the exit code is 0 or 1 as the answer is ok, 2 for wrong usage.

    ``finish`` ends with the code of ``plumbline check``.
    """
    folder = Path(options.dir)
    try:
        if options.action == "init":
            return _init(folder, options, terminal)
        request = _request(options)
        alive = next((folder / name for name in _ALIVE if (folder / name).is_file()), None)
        if alive is not None:
            return _tell(ask(alive, request), terminal)
        with SessionFolder(folder) as kept:
            kept.load()
            return _local(kept, request, terminal)
    except (SessionError, AgentError, ClientError, TaskError) as error:
        terminal.warn(str(error))
        return UNREADABLE
    except BenchError as error:
        terminal.warn(first_line(error))
        return NOT_JUDGED


def _request(options: argparse.Namespace) -> dict[str, Any]:
    if options.action == "call":
        request = {"do": "call", "tool": options.tool}
        return {**request, **arguments_from(options.arguments)}
    if options.action == "finish":
        return {"do": "finish", "skip": options.skip}
    return {"do": options.action}


def _tell(answer: Mapping[str, Any], terminal: Console) -> int:
    if "prompt" in answer:
        for line in prompt_text(answer).splitlines():
            terminal.line(line)
    else:
        terminal.line(json.dumps(answer))
    return PASSED if answer.get("ok") else FAILED


def _init(folder: Path, options: argparse.Namespace, terminal: Console) -> int:
    task = load_task(options.task)
    new_folder(folder)
    names = ("profile", "timeout", "isolation", "agent", "model", "effort")
    with SessionFolder(folder) as kept:
        given = {name: getattr(options, name) for name in names}
        given["profile"] = _profile(task, options.profile)
        given["keep_last"] = options.reserve_last_launch
        kept.begin(task, given, Limits(attempts=options.attempts))
        seat = _seat(kept.plain)
        try:
            target = _target(kept, task, seat, terminal)
            session, sealed = kept.open(_bench(kept, task, seat))
            views = write_views(kept.folder / REFERENCE, shown_views(task, target))
            text = _prompt(session, views)
            (kept.folder / TASK_FILE).write_text(prompt_text(text) + "\n", encoding="utf-8")
            kept.keep(session, sealed)
        finally:
            seat.close()
    terminal.line(json.dumps({"ok": True, "dir": str(kept.folder), **session.status()}))
    return PASSED


def _profile(task: Task, asked: str | None) -> str:
    try:
        return kind_named(task.kind).profile_for(asked)
    except ValueError as error:
        raise SessionError(f"{error}; leave --profile out") from None


def _seat(plain: Mapping[str, Any]) -> WorkerSeat:
    return WorkerSeat(plain["timeout"], plain["isolation"])


def _bench(kept: SessionFolder, task: Task, seat: WorkerSeat) -> Bench:
    """A bench for the code of whoever calls; its Blender starts when it is needed."""
    return seat.bench(kept.folder, DEFAULT.widened(task.policy), read_as(task))


def _target(kept: SessionFolder, task: Task, seat: WorkerSeat, terminal: Console) -> Target | None:
    targets = Targets(kept.folder, terminal.warn)
    return targets(Assignment(task, kept.plain["agent"]), seat)


def _prompt(session: Session, views: Iterable[Path]) -> dict[str, Any]:
    answer = session.answer({"do": "prompt"})
    shown = [str(path) for path in views]
    if shown:
        listed = "\n".join(["Pictures of what is to be built:", *shown])
        answer["prompt"] = f"{answer['prompt']}\n\n{listed}"
    return answer


def _local(kept: SessionFolder, request: Mapping[str, Any], terminal: Console) -> int:
    """Answer a request on the folder itself, with a Blender of its own if one is needed."""
    seat = _seat(kept.plain)
    try:
        task = kept.task()

        def target() -> Target | None:
            return _target(kept, task, seat, terminal)

        session, sealed = kept.open(_bench(kept, task, seat), target)
        if request["do"] == "prompt":
            views = sorted((kept.folder / REFERENCE).glob("*.png"))
            return _tell(_prompt(session, views), terminal)
        if request["do"] == "status":
            return _tell(session.answer(request), terminal)
        if request["do"] == "finish" and request["skip"]:
            raise SessionError("--skip is for agent human; without it the session is judged")
        if request["do"] == "finish":
            return _finish(kept, (session, sealed), seat, target, terminal)
        with Transcript(kept.folder) as transcript:
            session.tools.building.heard = runs_into(transcript)
            answer = kept.call(session, sealed, request)
            transcript.event(
                "tool", request=request, ok=answer["ok"], error=answer.get("kind"), answer=answer
            )
        return _tell(answer, terminal)
    finally:
        seat.close()


def _finish(
    kept: SessionFolder,
    opened: tuple[Session, SealedBench],
    seat: WorkerSeat,
    target: Callable[[], Target | None],
    terminal: Console,
) -> int:
    """End the session and judge what stands; a second time says the same again."""
    session, sealed = opened
    path = kept.folder / RECORD
    if session.finished and path.is_file():
        record = json.loads(path.read_text(encoding="utf-8"))
        terminal.line(to_line(record))
        return exit_code([record["verdict"]])
    standing = session.tools.building.standing
    sealed.check(standing.scene if standing else None)
    session.answer({"do": "finish"})
    kept.keep(session, sealed)
    (kept.folder / SCENE).unlink(missing_ok=True)  # of a judgement that was broken off
    agent = _Finished(session, kept.plain)
    settings = Settings(session.profile, limits=kept.limits, protocol=PROTOCOLS[0])
    place = Place(kept.folder, kept.folder.name)
    assignment = Assignment(session.task, agent.name)
    result = attempt(assignment, agent, seat, place, settings, target=target)
    record = replace(result, attempt=None).to_record()
    write_whole(path, to_line(record) + "\n")
    terminal.line(to_line(record))
    return exit_code([record["verdict"]])


class _Finished:
    """Who built what stands in a finished session; see :class:`..agent.agents.Agent`."""

    harness = HARNESS

    def __init__(self, session: Session, plain: Mapping[str, Any]) -> None:
        self._session = session
        self.name: str = plain["agent"]
        self.model: str | None = plain["model"]
        self.effort: str | None = plain["effort"]

    def describe(self) -> Mapping[str, Any]:
        return {"protocol": PROTOCOLS[0]}

    def assignments(self, tasks: Iterable[Task]) -> Iterator[Assignment]:
        yield from (Assignment(task, self.name) for task in tasks)

    def build(self, assignment: Assignment, workshop: Workshop) -> Built:
        building = self._session.tools.building
        metrics, notes = self._session.box.metrics(), self._session.notes()
        building.settle()
        workshop.transcript.event("end", end="finished", tools=self._session.box.state())
        return Built(
            building.standing,
            building.program,
            "finished",
            metrics=metrics,
            notes=notes,
            mishaps=tuple(building.mishaps),
        )

    def close(self) -> None:
        """Nothing is held."""
