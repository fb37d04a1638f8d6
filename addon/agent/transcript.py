# SPDX-License-Identifier: GPL-3.0-or-later
"""What happened in an episode, line by line: schema ``plumbline.transcript/1``.

One JSON object a line, written as it happens and flushed, so that a killed run still tells how far
it came. Pictures are files beside it, named by their digest. A transcript holds everything that a
replay needs: the replies in order, and what was run in between.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from .. import strict_json
from .messages import Message, Picture, Reply, Text, ToolCall, ToolResult, Usage
from .transcript_shape import is_event

SCHEMA = "plumbline.transcript/1"
FILE = "transcript.jsonl"
PICTURES = "pictures"
# A line beyond this is read in pieces, none of which is an event, bytes.
_LONGEST_LINE = 512 << 20


class Transcript:
    """Writes the transcript of one episode into its ``folder``. Use as a context manager.

    Types of events, each with ``t`` (s since the start): ``episode`` (what was asked: task, agent,
    protocol, prompts and their hash, limits), ``message`` (a new message with its ``index``),
    ``request`` (``system``, indices of the messages sent, tools, sampling), ``reply`` (its
    message's index, stop, usage, seconds), ``execution``, ``judgement``, ``tool``, ``note``,
    ``end``.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._begin = time.monotonic()
        self._stream = open(folder / FILE, "a", encoding="utf-8")  # noqa: SIM115 - closed in close
        self._known: dict[int, int] = {}
        self._kept: list[Message] = []

    def event(self, kind: str, **content: Any) -> None:
        """Write one event; what JSON doesn't know becomes text, NaN null. Raises ``OSError``."""
        line = {"schema": SCHEMA, "t": round(time.monotonic() - self._begin, 4), "type": kind}
        self._stream.write(_line({**line, **content}) + "\n")
        self._stream.flush()

    def message(self, message: Message) -> int:
        """Write a message if it wasn't yet; returns its index."""
        if id(message) not in self._known:
            self._known[id(message)] = len(self._kept)
            self._kept.append(message)  # keeps the id from being used again
            self.event(
                "message", index=len(self._kept) - 1, **message_to_plain(message, self._picture)
            )
        return self._known[id(message)]

    def reply(self, reply: Reply) -> None:
        """Write a reply and its message."""
        index = self.message(reply.message)
        self.event(
            "reply",
            message=index,
            stop=reply.stop,
            usage=asdict(reply.usage),
            seconds=reply.seconds,
            retries=reply.retries,
            thoughts=reply.thoughts,
            model=reply.model,
            id=reply.id,
        )

    def _picture(self, picture: Picture) -> str:
        name = f"{hashlib.sha256(picture.data).hexdigest()[:16]}.png"
        path = self.folder / PICTURES / name
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(picture.data)
        return f"{PICTURES}/{name}"

    def close(self) -> None:
        """Close the file."""
        self._stream.close()

    def __enter__(self) -> Transcript:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _line(event: Mapping[str, Any]) -> str:
    try:
        return json.dumps(event, default=str, allow_nan=False)
    except ValueError:
        known = json.loads(json.dumps(event, default=str), parse_constant=lambda _: None)
        return json.dumps(known)


def message_to_plain(message: Message, keep: Any) -> dict[str, Any]:
    """A message as plain data; ``keep`` stores a picture and returns its file's name."""
    parts = [_part_to_plain(part, keep) for part in message.parts]
    return {"role": message.role, "parts": parts, "opaque": message.opaque}


def _part_to_plain(part: Any, keep: Any) -> dict[str, Any]:
    if isinstance(part, Text):
        return {"type": "text", "text": part.text}
    if isinstance(part, Picture):
        return {
            "type": "picture",
            "name": part.name,
            "file": keep(part),
            "media_type": part.media_type,
        }
    if isinstance(part, ToolCall):
        return {"type": "tool_call", **asdict(part)}
    content = [_part_to_plain(inner, keep) for inner in part.content]
    plain = {"call_id": part.call_id, "name": part.name, "failed": part.failed}
    return {"type": "tool_result", **plain, "content": content}


def message_from_plain(plain: Mapping[str, Any], folder: Path) -> Message:
    """The message that :func:`message_to_plain` wrote, with pictures read from ``folder``.

    Raises ``KeyError``, ``TypeError``, ``ValueError`` or ``OSError`` for anything else.
    """
    parts = tuple(_part_from_plain(part, folder) for part in plain["parts"])
    return Message(plain["role"], parts, plain.get("opaque"))


def _part_from_plain(plain: Mapping[str, Any], folder: Path) -> Any:
    kind = plain["type"]
    if kind == "text":
        return Text(plain["text"])
    if kind == "picture":
        data = (folder / plain["file"]).read_bytes()
        return Picture(data, plain["name"], plain["media_type"])
    if kind == "tool_call":
        names = ("id", "name", "arguments", "raw", "problem")
        return ToolCall(**{name: plain[name] for name in names})
    if kind == "tool_result":
        content = tuple(_part_from_plain(inner, folder) for inner in plain["content"])
        return ToolResult(plain["call_id"], plain["name"], content, plain["failed"])
    raise ValueError(f"no part of a message is of type {kind!r}")


def read_events(folder: Path) -> Iterator[dict[str, Any]]:
    """The events of a transcript in order; lines that are no event are left out.

    The last line of a killed run is half-written, for one. With a message goes the reply that it
    was. Raises ``OSError`` if there is none.
    """
    said: set[int] = set()
    with open(folder / FILE, "rb") as stream:
        while line := stream.readline(_LONGEST_LINE):
            try:
                event = strict_json.loads(line, strict_json.DEEPEST_FILE)
            except ValueError:
                continue
            if not is_event(event, SCHEMA):
                continue
            if event["type"] == "message" and event["role"] == "assistant":
                said.add(event["index"])
            if event["type"] != "reply" or event["message"] in said:
                yield event


def usage_from_plain(plain: Mapping[str, Any]) -> Usage:
    """Usage as a transcript stores it."""
    known = Usage.__dataclass_fields__
    return Usage(**{name: value for name, value in plain.items() if name in known})
