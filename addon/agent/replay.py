# SPDX-License-Identifier: GPL-3.0-or-later
"""An agent that repeats a run: the same answers, in their order, with the code really run again.

Nothing is asked of any network. Where an episode held a conversation, the recorded replies are
given as they came, and what the protocol asks now is compared with what it asked then; where it had
none (the scripted agents, outside harnesses), the attempt's whole program is run; what a person
built without one is read again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ...tasks import Task, TaskError
from .agents import Agent, Assignment, Built, Fault, Workshop
from .bench import Scene
from .messages import Message, Reply, Request
from .providers.base import Cancel, Provider, ProviderError
from .scripted import HARNESS, look_once, run_once
from .transcript import message_from_plain, message_to_plain, read_events, usage_from_plain

PROGRAM = "program.py"
SCENE = "scene.blend"

#: What a replayed attempt says if it could not be made up from the transcript.
_DIFFERS = (
    "{count} of {total} questions differ from those of the run that is repeated (first: question "
    "{first}); the recorded answers were given all the same"
)


@dataclass(frozen=True)
class Recorded:
    """One attempt of the run that is repeated: its files, how it ended, who drove it."""

    variant: str | None
    epoch: int
    folder: Path | None
    end: str | None
    faulty: bool


@dataclass(frozen=True)
class Source:
    """A run to repeat: its attempts by task, and the model and harness that they name."""

    path: str
    attempts: Mapping[str, tuple[Recorded, ...]]
    agent: str
    model: str | None = None
    effort: str | None = None
    harness: str = HARNESS


class Replay:
    """Repeats the attempts of ``source``.

    ``model_agent`` makes the agent that leads a conversation with a provider in the repetition of
    that number, by the protocol and options of the run that is repeated.
    """

    def __init__(
        self, source: Source, model_agent: Callable[[Provider, int], Agent] | None = None
    ) -> None:
        self.name = f"replay:{source.path}"
        self.harness = source.harness
        self.model = source.model
        self.effort = source.effort
        self._source = source
        self._model_agent = model_agent

    def describe(self) -> Mapping[str, Any]:
        """Which agent is repeated, and how that one was led."""
        return {"repeats": self._source.agent}

    def assignments(self, tasks: Iterable[Task]) -> Iterator[Assignment]:
        """What the run made of these tasks, repetitions included. Raises ``TaskError``."""
        for task in tasks:
            for one in self._source.attempts.get(task.id, ()):
                yield Assignment(task, self.name, _twin(task, one, self.name), one.epoch)

    def build(self, assignment: Assignment, workshop: Workshop) -> Built:
        """Repeat one attempt. Raises ``BenchError``, ``Cancelled`` and ``OSError``."""
        before = next(
            one
            for one in self._source.attempts[assignment.task.id]
            if (one.variant, one.epoch) == (assignment.variant, assignment.epoch)
        )
        if before.folder is None:
            return self._gone(assignment, "its folder is not there")
        try:
            provider = ReplayProvider(before.folder, self.model or self._source.agent)
            program = (before.folder / PROGRAM).read_text(encoding="utf-8", errors="replace")
        except OSError as error:
            # The disk of the run that is repeated, not of the one that is made.
            return self._gone(assignment, f"{error.filename}: {error.strerror}")
        if provider.empty or self._model_agent is None:
            scene = before.folder / SCENE
            if not program.strip() and scene.is_file():
                return look_once(Scene(scene.resolve()), assignment, workshop)
            return run_once(program, assignment, workshop)
        return self._converse(provider, before, assignment, workshop)

    def _gone(self, assignment: Assignment, why: str) -> Built:
        message = f"{self._source.path}: {assignment.name} can't be repeated: {why}"
        return Built(None, "", "environment", fault=Fault("recording", message))

    def _converse(
        self,
        provider: ReplayProvider,
        before: Recorded,
        assignment: Assignment,
        workshop: Workshop,
    ) -> Built:
        assert self._model_agent is not None
        # The time that the model took then is not taken again, so time can't end it.
        limits = replace(workshop.limits, seconds=None)
        inner = self._model_agent(provider, assignment.epoch)
        try:
            built = inner.build(assignment, replace(workshop, limits=limits))
        finally:
            inner.close()
        if built.fault and built.fault.kind == "exhausted" and not before.faulty:
            # Then it was time that ended it here: the episode is judged by what it had.
            built = replace(built, fault=None, end=before.end or built.end)
        if provider.different:
            note = _DIFFERS.format(
                count=len(provider.different), total=provider.asked, first=provider.different[0]
            )
            built = replace(built, notes=(*built.notes, note))
        return built

    def close(self) -> None:
        """Nothing is held."""


def _twin(task: Task, one: Recorded, agent: str) -> Any:
    if one.variant is None:
        return None
    try:
        return task.twin(one.variant)
    except KeyError as error:
        remedy = "repeat the run with the tasks that it was made with"
        raise TaskError(
            task.path, "", f"{agent} needs a twin that is gone: {error}", remedy
        ) from None


class ReplayProvider:
    """Gives the recorded replies of one episode, in their order, to whoever asks.

    ``different`` holds the numbers (from 1) of the questions that are not those of the recording;
    the bytes of pictures don't count, since no two graphics drivers draw alike.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self.name = name
        self.asked = 0
        self.different: list[int] = []
        self._recorded = list(_recorded(folder))

    @property
    def empty(self) -> bool:
        """Whether the episode held no conversation."""
        return not self._recorded

    def complete(
        self, request: Request, cancel: Cancel, on_text: Callable[[str], None] | None = None
    ) -> Reply:
        """The next recorded reply. Raises ``ProviderError`` (``exhausted``) after the last."""
        cancel.check()
        if self.asked >= len(self._recorded):
            raise ProviderError(
                "exhausted",
                f"the run that is repeated holds no answer to question {self.asked + 1}: its "
                "episode ended before; run the task anew with the model itself",
            )
        digest, reply = self._recorded[self.asked]
        self.asked += 1
        if digest != digest_of(plain_request(request)):
            self.different.append(self.asked)
        if on_text is not None and reply.text:
            on_text(reply.text)
        return reply

    def close(self) -> None:
        """Nothing is held."""


def plain_request(request: Request) -> dict[str, Any]:
    """What is asked, as plain data without the bytes of pictures and what providers keep."""
    return {
        "system": request.system,
        "messages": [_bare(message_to_plain(m, lambda _: None)) for m in request.messages],
        "tools": [tool.name for tool in request.tools],
    }


def digest_of(plain: Mapping[str, Any]) -> str:
    """SHA-256 of plain data."""
    text = json.dumps(plain, sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _bare(plain: Any) -> Any:
    """Plain data of a message without files, media types and opaque parts."""
    if isinstance(plain, Mapping):
        left = {k: v for k, v in plain.items() if k not in ("file", "media_type", "opaque")}
        return {key: _bare(value) for key, value in left.items()}
    if isinstance(plain, list):
        return [_bare(item) for item in plain]
    return plain


def _recorded(folder: Path) -> Iterator[tuple[str, Reply]]:
    """Digest of each answered question of a transcript, and its answer."""
    messages: dict[int, dict[str, Any]] = {}
    asked: Mapping[str, Any] = {}
    for event in read_events(folder):
        if event["type"] == "message":
            messages[event["index"]] = event
        elif event["type"] == "request":
            asked = event
        elif event["type"] == "reply":
            yield _digest_of_event(asked, messages), _reply(event, messages, folder)


def _digest_of_event(asked: Mapping[str, Any], messages: Mapping[int, Mapping[str, Any]]) -> str:
    told = [messages[index] for index in asked.get("messages", ()) if index in messages]
    bare = [_bare({"role": m["role"], "parts": m["parts"]}) for m in told]
    tools = [tool["name"] if isinstance(tool, dict) else tool for tool in asked.get("tools") or ()]
    return digest_of({"system": asked.get("system"), "messages": bare, "tools": tools})


def _reply(
    event: Mapping[str, Any], messages: Mapping[int, Mapping[str, Any]], folder: Path
) -> Reply:
    message: Message = message_from_plain(messages[event["message"]], folder)
    return Reply(
        message,
        event["stop"],
        usage_from_plain(event["usage"]),
        event["seconds"],
        event["retries"],
        event["thoughts"],
        event["model"],
        event["id"],
    )
