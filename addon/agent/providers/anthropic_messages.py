# SPDX-License-Identifier: GPL-3.0-or-later
"""Anthropic's Messages API through its own SDK, streaming."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Mapping
from typing import Any, ClassVar

from ..messages import Part, Request, Stop, Text, Usage
from . import anthropic_request
from .asking import Answer, Asking, Collector, Extra, sent_arguments, tool_call
from .links import client_options, sdk

_STOPS: Mapping[str, Stop] = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}
_THOUGHTS = "thoughts"


class AnthropicMessages(Asking):
    """Models of Anthropic, and servers that speak like them."""

    api = anthropic_request.API
    takes = frozenset({"temperature", "effort"})
    optional: ClassVar[Mapping[str, Extra]] = {
        # Thoughts are signed for their conversation; a history that was cut is another one.
        _THOUGHTS: Extra(re.compile(r"signature|cannot be modified", re.IGNORECASE), False),
    }

    def _connect(self) -> Any:
        module = sdk("anthropic")
        options = client_options(module, self.setup.place, self.setup.timeouts)
        if "open_telemetry" in inspect.signature(module.Anthropic).parameters:
            options["open_telemetry"] = False
        return module.Anthropic(**options)

    def _begin(self, client: Any, request: Request, without: frozenset[str]) -> Any:
        model = self.setup.place.model
        body = anthropic_request.body(request, model, _THOUGHTS not in without)
        required = {name: body.pop(name) for name in ("max_tokens", "messages")}
        # The rest goes past the SDK's own arguments, which come and go with its versions.
        return client.messages.create(model=model, stream=True, extra_body=body, **required)

    def _collector(self) -> Collector:
        return _Blocks()


class _Blocks:
    """Puts a message together from its blocks."""

    def __init__(self) -> None:
        self._blocks: dict[int, dict[str, Any]] = {}
        self._message: dict[str, Any] = {}
        self._usage: dict[str, Any] = {}
        self._reason: str | None = None
        self._refusal = ""

    def feed(self, event: Mapping[str, Any]) -> str:
        """Take one event; returns the text that it brings."""
        kind = event.get("type")
        if kind == "message_start":
            self._message = dict(event["message"])
            self._count(self._message.get("usage"))
        elif kind == "content_block_start":
            block = dict(event["content_block"])
            self._blocks[event["index"]] = {**block, "raw": ""}
            return str(block.get("text") or "")
        elif kind == "content_block_delta":
            return self._grow(self._blocks[event["index"]], event["delta"])
        elif kind == "message_delta":
            delta = event["delta"]
            self._reason = delta.get("stop_reason") or self._reason
            self._refusal = (delta.get("stop_details") or {}).get("explanation") or ""
            self._count(event.get("usage"))
        elif kind == "message_stop":
            self._reason = self._reason or "end_turn"
        return ""

    def _count(self, usage: Mapping[str, Any] | None) -> None:
        """Later numbers are sums, so they replace earlier ones."""
        self._usage |= {name: n for name, n in (usage or {}).items() if n is not None}

    def _grow(self, block: dict[str, Any], delta: Mapping[str, Any]) -> str:
        kind = delta.get("type")
        if kind == "text_delta":
            block["text"] = block.get("text", "") + delta["text"]
            return str(delta["text"])
        if kind == "thinking_delta":
            block["thinking"] = block.get("thinking", "") + delta["thinking"]
        elif kind == "signature_delta":
            block["signature"] = block.get("signature", "") + delta["signature"]
        elif kind == "input_json_delta":
            block["raw"] += delta["partial_json"]
        return ""

    def finish(self) -> Answer | None:
        """The answer; ``None`` if its end never came."""
        if self._reason is None:
            return None
        parts: list[Part] = []
        blocks: list[dict[str, Any]] = []
        thoughts: list[str] = [self._refusal] if self._refusal else []
        for _, block in sorted(self._blocks.items()):
            raw = block.pop("raw")
            if block["type"] == "text" and block["text"].strip():
                parts.append(Text(block["text"]))
                blocks.append({"type": "text", "text": block["text"]})
            elif block["type"] == "tool_use":
                call = tool_call(block["id"], block["name"], raw or _whole(block))
                parts.append(call)
                use = {name: block[name] for name in ("type", "id", "name")}
                blocks.append({**use, "input": sent_arguments(call)})
            elif block["type"] in ("thinking", "redacted_thinking"):
                thoughts.append(block.get("thinking") or "")
                # One that was cut off has no signature and can't go back.
                blocks += [block] if block.get("signature") or block.get("data") else []
        thought = any("think" in block["type"] for block in blocks)
        return Answer(
            tuple(parts),
            _STOPS.get(self._reason, "end"),
            self._used(),
            {"api": anthropic_request.API, "blocks": blocks} if thought else None,
            "\n".join(text for text in thoughts if text),
            self._message.get("model"),
            self._message.get("id"),
        )

    def _used(self) -> Usage:
        told = self._usage
        details = told.get("output_tokens_details") or {}
        return Usage(
            told.get("input_tokens", 0),
            told.get("cache_read_input_tokens", 0),
            told.get("cache_creation_input_tokens", 0),
            told.get("output_tokens", 0),
            details.get("thinking_tokens", 0),
            uncounted=0 if "output_tokens" in told else 1,
        )


def _whole(block: Mapping[str, Any]) -> str:
    """Arguments that came all at once with the beginning of their block."""
    return json.dumps(block["input"]) if block.get("input") else ""
