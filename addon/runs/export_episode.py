# SPDX-License-Identifier: GPL-3.0-or-later
"""One attempt as exports see it: its record, and what its transcript says, in order."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any

from ..agent.transcript import FILE, read_events
from .runfolder import Run, attempt_folder, key_of

Event = dict[str, Any]

#: How runs of code, judgements and notes are called where an export has a place for them.
BESIDE_TALK = ("execution", "judgement", "note", "tool")


@dataclass(frozen=True)
class Episode:
    """One attempt: ``folder`` is its own in the run, ``None`` where there is none any more."""

    run: Run
    record: Mapping[str, Any]
    folder: Path | None

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """The events of its transcript, none where it has none."""
        if self.folder is None or not (self.folder / FILE).is_file():
            return ()
        return tuple(read_events(self.folder))

    def of(self, *kinds: str) -> list[Event]:
        """Its events of some types."""
        return [event for event in self.events if event.get("type") in kinds]

    def told(self) -> Iterator[Event]:
        """Its events with each system prompt as one of its own (``system``, with ``text``).

        A prompt comes before what the model was asked under it; transcripts tell it with the
        request, so only afterwards. A request that names none is under the one before.
        """
        waiting: list[Event] = []
        prompt: str | None = None
        known: set[str] = set()
        for event in self.events:
            if event["type"] == "message" and event["role"] == "user":
                waiting.append(event)
                continue
            if event["type"] == "request":
                prompt = event.get("system") or prompt
                event = {**event, "system": prompt}
                if prompt and prompt not in known:
                    known.add(prompt)
                    yield {"type": "system", "t": event["t"], "text": prompt}
            yield from waiting
            waiting = []
            yield event
        yield from waiting

    @cached_property
    def replies(self) -> dict[int, Event]:
        """Index of a message of the model -> what was said about it."""
        return {event["message"]: event for event in self.of("reply")}

    @property
    def name(self) -> str:
        """Folder of the attempt within the run, unique there.

        Not as the record says: files are written under this name, and a record that came from
        somewhere else may name any place.
        """
        return attempt_folder(key_of(self.record))

    @property
    def title(self) -> str:
        """What was to be built, for people."""
        return str(self.record.get("title") or self.record.get("task") or "unknown task")

    @property
    def sample(self) -> str:
        """Name of the task or the twin; with the epoch it is unique for each agent."""
        task, variant = self.record.get("task") or "no-task", self.record.get("variant")
        return f"{task} [{variant}]" if variant else str(task)

    @property
    def error(self) -> str | None:
        """What the environment did wrong."""
        fault = self.record.get("environment")
        return f"{fault['kind']}: {fault['message']}" if fault else None

    def time_of(self, event: Mapping[str, Any]) -> str | None:
        """When an event was, ISO 8601 in UTC."""
        started = self.started
        if started is None:
            return None
        return (started + timedelta(seconds=float(event.get("t", 0.0)))).isoformat()

    @cached_property
    def started(self) -> datetime | None:
        """When the attempt began."""
        try:
            moment = datetime.fromisoformat(str(self.record["timing"]["started"]))
        except (KeyError, TypeError, ValueError):
            return None
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)

    def picture(self, part: Mapping[str, Any]) -> bytes | None:
        """The picture that a part of a message shows; ``None`` if its file is gone."""
        if self.folder is None:
            return None
        try:
            path = (self.folder / str(part.get("file"))).resolve()
            return path.read_bytes() if path.is_relative_to(self.folder.resolve()) else None
        except (OSError, ValueError):  # a name may hold what no file's name does
            return None


def episodes(run: Run) -> Iterator[Episode]:
    """The attempts of a run in the order of their records, one in memory at a time."""
    for record in run.records:
        yield Episode(run, record, run.folder_of(record))


def identity(*parts: Any) -> str:
    """A stable name for what these parts name: 22 characters."""
    text = json.dumps(parts, sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:22]


def run_identity(run: Run) -> str:
    """The same for every export of one run, other for every other run."""
    first = run.header["sessions"][0]
    return identity(first.get("started"), first["asked"], first["versions"])


def content_of(
    parts: Sequence[Mapping[str, Any]],
    picture: Callable[[Mapping[str, Any]], list[dict[str, Any]]],
) -> str | list[dict[str, Any]]:
    """A message's parts as both formats have them: text alone as text, else pieces."""
    pieces: list[dict[str, Any]] = []
    for part in parts:
        if part["type"] == "text":
            pieces.append({"type": "text", "text": part["text"]})
        elif part["type"] == "picture":
            pieces += picture(part)
    if all(piece["type"] == "text" for piece in pieces):
        return "\n".join(piece["text"] for piece in pieces)
    return pieces


def told(event: Mapping[str, Any]) -> str:
    """What a run of code, a judgement, a note or a tool came to, in a few lines of text."""
    kind = event["type"]
    label = f"{event['label']}: " if event.get("label") else ""
    if kind == "execution":
        lines = [f"{label}the program {event.get('outcome')}"]
        lines += [event[key] for key in ("message", "output", "traceback") if event.get(key)]
        lines += [f"line {p['line']}: {p['message']}" for p in event.get("problems") or ()]
        return "\n".join(str(line).rstrip() for line in lines)
    if kind == "judgement":
        return f"{label}{_judged(event)}"
    if kind == "tool":
        how = "answered" if event.get("ok") else f"failed ({event.get('error')})"
        return f"tool {event.get('name')} {how}"
    return f"{label}{event.get('message') or event.get('what') or ''}"


def _judged(event: Mapping[str, Any]) -> str:
    checks = event.get("checks") or {}
    bad = [f"{name} {status}" for name, status in checks.items() if status != "passed"]
    faults = event.get("faults")
    found = f", {faults} fault{'s' * (faults != 1)}" if isinstance(faults, int) else ""
    return f"{event.get('verdict')}{found}" + (f": {', '.join(bad)}" if bad else "")


def findings_of(record: Mapping[str, Any]) -> Sequence[str]:
    """The sentences of all findings of a record, with the check in front."""
    return [
        f"{check['id']}: {finding['message']}"
        for check in record["checks"]
        for finding in check["findings"]
    ]
