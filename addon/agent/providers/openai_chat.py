# SPDX-License-Identifier: GPL-3.0-or-later
"""Chat Completions through OpenAI's SDK, streaming: the protocol that most servers speak.

They resemble it more or less: some number every call of a tool 0, some give no ids, some send
arguments as an object, some tell no tokens, some put thoughts into a field or a tag of their own.
Where the server doesn't tell its tokens, the usage says so (``uncounted``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from ..messages import Message, Part, Picture, Request, Stop, Text, ToolCall, ToolResult, Usage
from .asking import Answer, Asking, Collector, Extra, sent_arguments, tool_call
from .faults import Failed, Place, from_stream
from .links import client_options, sdk
from .openai_responses import cache_key, data_url
from .pairing import paired, without_pictures

API = "openai/chat"
OFFICIAL_HOST = "api.openai.com"
_STOPS: Mapping[str, Stop] = {"length": "length", "content_filter": "refusal"}
#: Fields that servers put thoughts into, and those that they want back while tools are in use.
_THOUGHTS = ("reasoning_content", "reasoning")
_DETAILS = "reasoning_details"
_TAGGED = re.compile(r"\s*<think>(.*?)</think>\s*", re.DOTALL)


class OpenAIChat(Asking):
    """Servers that speak Chat Completions."""

    api = API
    takes = frozenset({"temperature", "seed", "effort"})
    optional: ClassVar[Mapping[str, Extra]] = {
        "stream_options": Extra(re.compile("stream_options|include_usage")),
        "prompt_cache_key": Extra(re.compile("prompt_cache_key")),
        # The new name of the limit, which most servers don't know and OpenAI's newer models want.
        "max_tokens": Extra(re.compile("max_completion_tokens")),
    }

    def _connect(self) -> Any:
        module = sdk("openai")
        return module.OpenAI(**client_options(module, self.setup.place, self.setup.timeouts))

    def _begin(self, client: Any, request: Request, without: frozenset[str]) -> Any:
        body = _body(request, self.setup.place.host == OFFICIAL_HOST)
        if "max_tokens" in without and "max_tokens" in body:
            body["max_completion_tokens"] = body["max_tokens"]
        body = {name: value for name, value in body.items() if name not in without}
        messages = body.pop("messages")
        return client.chat.completions.create(
            model=self.setup.place.model, messages=messages, stream=True, extra_body=body
        )

    def _collector(self) -> Collector:
        return _Chunks(self.setup.place)


def _body(request: Request, official: bool) -> dict[str, Any]:
    """The JSON of a request, without ``model`` and ``stream``."""
    messages: list[dict[str, Any]] = []
    if request.system.strip():
        messages.append({"role": "system", "content": request.system})
    for sent in paired(request.messages):
        messages += _messages(sent.message)
    made: dict[str, Any] = {"messages": messages, "stream_options": {"include_usage": True}}
    if official:
        made["prompt_cache_key"] = cache_key(request)
    if request.tools:
        made["tools"] = [
            {
                "type": "function",
                "function": {
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": dict(tool.parameters),
                },
            }
            for tool in request.tools
        ]
    if request.max_tokens is not None:
        made["max_completion_tokens" if official else "max_tokens"] = request.max_tokens
    told = {
        "temperature": request.temperature,
        "seed": request.seed,
        "reasoning_effort": request.effort,
    }
    return made | {name: value for name, value in told.items() if value is not None}


def _messages(message: Message) -> list[dict[str, Any]]:
    if message.role == "assistant":
        return [_own(message)]
    if message.role == "user":
        return [{"role": "user", "content": _content(message.parts)}]
    made: list[dict[str, Any]] = []
    shown: list[Part] = []
    for part in message.parts:
        if isinstance(part, ToolResult):
            text, pictures = without_pictures(part)
            answer = {"role": "tool", "tool_call_id": part.call_id}
            made.append({**answer, "content": text or "(nothing)"})
            shown += pictures
    # Results are text here, and nothing may come between them: pictures follow all of them.
    return made + ([{"role": "user", "content": _content(shown)}] if shown else [])


def _own(message: Message) -> dict[str, Any]:
    """What the model itself said; thoughts go back only where tools are in use."""
    made: dict[str, Any] = {"role": "assistant", "content": message.text}
    calls = [part for part in message.parts if isinstance(part, ToolCall)]
    if calls:
        made["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": json.dumps(sent_arguments(call))},
            }
            for call in calls
        ]
        opaque = message.opaque
        if isinstance(opaque, dict) and opaque.get("api") == API:
            made |= opaque["fields"]
    return made


def _content(parts: Iterable[Part]) -> str | list[dict[str, Any]]:
    """Text alone as a string, since small servers take nothing else."""
    told = [p for p in parts if isinstance(p, Picture) or (isinstance(p, Text) and p.text.strip())]
    if not any(isinstance(part, Picture) for part in told):
        return "\n".join(part.text for part in told if isinstance(part, Text))
    return [
        {"type": "image_url", "image_url": {"url": data_url(part)}}
        if isinstance(part, Picture)
        else {"type": "text", "text": part.text}
        for part in told
    ]


class _Chunks:
    """Puts a completion together from its chunks."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._texts: list[str] = []
        self._thoughts: list[str] = []
        self._details: list[Any] = []
        self._field = ""
        self._calls: list[dict[str, Any]] = []
        self._usage: Mapping[str, Any] | None = None
        self._finish: str | None = None
        self._refused = False
        self._head: dict[str, Any] = {}

    def feed(self, event: Mapping[str, Any]) -> str:
        """Take one chunk; returns the text that it brings. Raises ``Failed``."""
        if event.get("error"):
            error = event["error"]
            told = error if isinstance(error, Mapping) else {"message": str(error)}
            words = self._place.key.scrub(str(told.get("message") or ""))
            kind = f"{told.get('type') or ''} {told.get('code') or ''}".strip()
            raise Failed(from_stream(kind, words, self._place))
        self._head = {name: event.get(name) or self._head.get(name) for name in ("id", "model")}
        self._usage = event.get("usage") or self._usage
        choices = event.get("choices") or ()
        if not choices:
            return ""
        self._finish = choices[0].get("finish_reason") or self._finish
        return self._take(choices[0].get("delta") or {})

    def _take(self, delta: Mapping[str, Any]) -> str:
        for name in _THOUGHTS:
            if isinstance(delta.get(name), str) and delta[name]:
                self._field = self._field or name
                # Some send the same thoughts under both names.
                self._thoughts += [delta[name]] if name == self._field else []
        self._details += delta.get(_DETAILS) or []
        for piece in delta.get("tool_calls") or ():
            self._call(piece)
        text = _plain(delta.get("content"))
        if delta.get("refusal"):
            self._refused = True
            text += delta["refusal"]
        self._texts.append(text)
        return text

    def _call(self, piece: Mapping[str, Any]) -> None:
        """A piece of a call; a new id, or a new name at a new place, begins a new one."""
        id, index = piece.get("id"), piece.get("index")
        function = piece.get("function") or {}
        call = next((c for c in reversed(self._calls) if c["index"] == index), None)
        if call is None or (id and call["id"] and id != call["id"]):
            call = {"index": index, "id": "", "name": "", "raw": ""}
            self._calls.append(call)
        call["id"] = call["id"] or id or ""
        call["name"] = call["name"] or function.get("name") or ""
        raw = function.get("arguments") or ""
        call["raw"] += raw if isinstance(raw, str) else json.dumps(raw)

    def finish(self) -> Answer | None:
        """The answer; ``None`` if its end never came."""
        if self._finish is None:
            return None
        text = "".join(self._texts)
        thoughts = "".join(self._thoughts)
        tagged = _TAGGED.match(text)
        if tagged:
            thoughts, text = thoughts or tagged[1].strip(), text[tagged.end() :]
        parts: list[Part] = [Text(text)] if text.strip() else []
        parts += [
            tool_call(id, call["name"], call["raw"])
            for id, call in zip(_own_ids(self._calls), self._calls, strict=True)
        ]
        refused = self._refused and not self._calls
        stop: Stop = "refusal" if refused else _STOPS.get(self._finish, "end")
        head = (self._head.get("model"), self._head.get("id"))
        return Answer(tuple(parts), stop, self._used(), self._opaque(), thoughts, *head)

    def _opaque(self) -> Any:
        fields: dict[str, Any] = {}
        if self._field:
            fields[self._field] = "".join(self._thoughts)
        if self._details:
            fields[_DETAILS] = self._details
        return {"api": API, "fields": fields} if fields else None

    def _used(self) -> Usage:
        told = self._usage
        if told is None or told.get("completion_tokens") is None:
            return Usage(uncounted=1)
        read = told.get("prompt_tokens_details") or {}
        wrote = told.get("completion_tokens_details") or {}
        # DeepSeek's name for the same.
        cached = read.get("cached_tokens") or told.get("prompt_cache_hit_tokens") or 0
        written = read.get("cache_write_tokens") or 0
        fresh = max(0, (told.get("prompt_tokens") or 0) - cached - written)
        reasoned = wrote.get("reasoning_tokens") or 0
        return Usage(fresh, cached, written, told["completion_tokens"], reasoned)


def _own_ids(calls: Sequence[Mapping[str, Any]]) -> list[str]:
    """An id for each call: a few servers send none, or the same for all."""
    ids: list[str] = []
    for number, call in enumerate(calls):
        id = call["id"]
        while not id or id in ids:
            id = f"{call['id'] or 'call'}_{number}"
            number += 1
        ids.append(id)
    return ids


def _plain(content: Any) -> str:
    """Text of a piece, which a few servers send in parts."""
    if isinstance(content, list):
        return "".join(str(p.get("text") or "") for p in content if isinstance(p, Mapping))
    return content if isinstance(content, str) else ""
