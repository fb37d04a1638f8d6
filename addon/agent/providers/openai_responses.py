# SPDX-License-Identifier: GPL-3.0-or-later
"""OpenAI's Responses API through its own SDK, streaming and without anything stored there.

Source: its public reference (responses, streaming events, function calling, reasoning).
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from ..messages import (
    Message,
    Part,
    Picture,
    Request,
    Stop,
    Text,
    ToolCall,
    ToolResult,
    ToolSpec,
    Usage,
)
from .asking import Answer, Asking, Collector, Extra, sent_arguments, tool_call
from .base import ProviderError
from .faults import Failed, Place, from_stream
from .links import client_options, sdk
from .pairing import paired

API = "openai/responses"
# Models that reason can give their thoughts back sealed; the others refuse to be asked for that.
_REASONS = re.compile(r"(?:o\d|gpt-(?:[5-9]|\d\d))(?!.*-chat)")


class OpenAIResponses(Asking):
    """Models of OpenAI."""

    api = API
    takes = frozenset({"temperature", "effort"})
    optional: ClassVar[Mapping[str, Extra]] = {
        "include": Extra(re.compile(r"\binclude\b|encrypted.content", re.IGNORECASE)),
        "prompt_cache_key": Extra(re.compile("prompt_cache_key")),
        "store": Extra(re.compile(r"\bstore\b")),
    }

    def _connect(self) -> Any:
        module = sdk("openai")
        client = module.OpenAI(**client_options(module, self.setup.place, self.setup.timeouts))
        if not hasattr(client, "responses"):
            raise ProviderError(
                "missing",
                f"The package openai {module.__version__} is too old for this API: "
                "`python -m pip install -U openai`.",
            )
        return client

    def _begin(self, client: Any, request: Request, without: frozenset[str]) -> Any:
        model = self.setup.place.model
        body = _body(request, model)
        body = {name: value for name, value in body.items() if name not in without}
        items = body.pop("input")
        return client.responses.create(model=model, input=items, stream=True, extra_body=body)

    def _collector(self) -> Collector:
        return _Items(self.setup.place)


def _body(request: Request, model: str) -> dict[str, Any]:
    """The JSON of a request, without ``model`` and ``stream``."""
    items = [item for sent in paired(request.messages) for item in _items(sent.message)]
    made: dict[str, Any] = {"input": items, "store": False}
    made["prompt_cache_key"] = cache_key(request)
    if _REASONS.match(model):
        made["include"] = ["reasoning.encrypted_content"]
    if request.system.strip():
        made["instructions"] = request.system
    if request.tools:
        made["tools"] = [
            {
                "type": "function",
                "name": tool.name,
                "description": tool.description,
                "parameters": dict(tool.parameters),
                "strict": False,
            }
            for tool in request.tools
        ]
    if request.max_tokens is not None:
        made["max_output_tokens"] = request.max_tokens
    if request.temperature is not None:
        made["temperature"] = request.temperature
    if request.effort is not None:
        made["reasoning"] = {"effort": request.effort}
    return made


def cache_key(request: Request) -> str:
    """The same for all requests that begin with the same system prompt and tools."""
    tools: Iterable[ToolSpec] = request.tools
    begin = json.dumps([request.system, [[t.name, dict(t.parameters)] for t in tools]])
    return f"plumbline-{hashlib.sha256(begin.encode()).hexdigest()[:24]}"


def data_url(picture: Picture) -> str:
    """A picture as an address that holds it."""
    return f"data:{picture.media_type};base64,{base64.b64encode(picture.data).decode('ascii')}"


def _items(message: Message) -> list[dict[str, Any]]:
    if message.role == "assistant":
        kept = _opaque_items(message)
        return kept if kept is not None else [_own(part) for part in message.parts if _full(part)]
    if message.role == "tool":
        return [_output(part) for part in message.parts if isinstance(part, ToolResult)]
    return [{"role": "user", "content": _content(message.parts)}]


def _full(part: Part) -> bool:
    return not isinstance(part, Text) or bool(part.text.strip())


def _own(part: Part) -> dict[str, Any]:
    """What the model itself said."""
    if isinstance(part, ToolCall):
        call = {"type": "function_call", "call_id": part.id, "name": part.name}
        return {**call, "arguments": json.dumps(sent_arguments(part))}
    return {"role": "assistant", "content": part.text if isinstance(part, Text) else ""}


def _opaque_items(message: Message) -> list[dict[str, Any]] | None:
    """The items as the model sent them, sealed thoughts and all, if they still say the same."""
    opaque = message.opaque
    if not isinstance(opaque, dict) or opaque.get("api") != API:
        return None
    items = [dict(item) for item in opaque["items"]]
    parts, _ = _parts(items)
    same = [p.text for p in parts if isinstance(p, Text)] == [
        p.text for p in message.parts if isinstance(p, Text)
    ] and [p.id for p in parts if isinstance(p, ToolCall)] == [
        p.id for p in message.parts if isinstance(p, ToolCall)
    ]
    return items if same else None


def _output(result: ToolResult) -> dict[str, Any]:
    output: Any = _content(result.content)
    if all(part["type"] == "input_text" for part in output):
        output = "\n".join(part["text"] for part in output) or "(nothing)"
    return {"type": "function_call_output", "call_id": result.call_id, "output": output}


def _content(parts: Iterable[Part]) -> list[dict[str, Any]]:
    content: list[dict[str, Any]] = []
    for part in parts:
        if isinstance(part, Text) and part.text.strip():
            content.append({"type": "input_text", "text": part.text})
        elif isinstance(part, Picture):
            picture = {"type": "input_image", "image_url": data_url(part), "detail": "auto"}
            content.append(picture)
    return content


def _parts(items: Iterable[Mapping[str, Any]]) -> tuple[list[Part], bool]:
    """What items say, and whether they decline."""
    parts: list[Part] = []
    refused = False
    for item in items:
        if item["type"] == "function_call":
            raw = item.get("arguments") or ""
            parts.append(tool_call(item["call_id"], item["name"], raw))
        for content in item.get("content") or () if item["type"] == "message" else ():
            refused |= content["type"] == "refusal"
            text = content.get("text") or content.get("refusal") or ""
            parts += [Text(text)] if text.strip() else []
    return parts, refused


class _Items:
    """Puts a response together from its items."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._items: list[dict[str, Any]] = []
        self._thoughts: list[str] = []
        self._response: dict[str, Any] = {}
        self._ended = False

    def feed(self, event: Mapping[str, Any]) -> str:
        """Take one event; returns the text that it brings. Raises ``Failed``."""
        kind = str(event.get("type"))
        if kind in ("response.output_text.delta", "response.refusal.delta"):
            return str(event["delta"])
        if kind in ("response.reasoning_summary_text.delta", "response.reasoning_text.delta"):
            self._thoughts.append(event["delta"])
        elif kind == "response.output_item.done":
            self._items.append(dict(event["item"]))
        elif kind == "error":
            told = event.get("error") or event
            self._fail(told.get("code") or told.get("type"), told.get("message"))
        elif kind.startswith("response.") and "response" in event:
            self._response = dict(event["response"])
            self._ended = kind in ("response.completed", "response.incomplete")
            if kind == "response.failed":
                error = self._response.get("error") or {}
                self._fail(error.get("code"), error.get("message"))
        return ""

    def _fail(self, kind: Any, words: Any) -> None:
        words = self._place.key.scrub(str(words or ""))
        raise Failed(from_stream(str(kind or ""), words, self._place))

    def finish(self) -> Answer | None:
        """The answer; ``None`` if its end never came."""
        if not self._ended:
            return None
        items = self._items or [dict(item) for item in self._response.get("output") or ()]
        # Thoughts that aren't sealed can't go back, since nothing is stored over there.
        items = [i for i in items if i["type"] != "reasoning" or i.get("encrypted_content")]
        parts, refused = _parts(items)
        return Answer(
            tuple(parts),
            self._stop(refused),
            self._used(),
            {"api": API, "items": items},
            "".join(self._thoughts),
            self._response.get("model"),
            self._response.get("id"),
        )

    def _stop(self, refused: bool) -> Stop:
        reason = (self._response.get("incomplete_details") or {}).get("reason")
        if refused or reason == "content_filter":
            return "refusal"
        return "length" if reason == "max_output_tokens" else "end"

    def _used(self) -> Usage:
        told = self._response.get("usage")
        if not told:
            return Usage(uncounted=1)
        read = told.get("input_tokens_details") or {}
        cached = read.get("cached_tokens") or 0
        written = read.get("cache_write_tokens") or 0
        reasoned = (told.get("output_tokens_details") or {}).get("reasoning_tokens") or 0
        fresh = max(0, told.get("input_tokens", 0) - cached - written)
        return Usage(fresh, cached, written, told.get("output_tokens", 0), reasoned)
