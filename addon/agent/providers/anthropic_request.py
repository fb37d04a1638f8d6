# SPDX-License-Identifier: GPL-3.0-or-later
"""A request in the words of Anthropic's Messages API.

Sources: its public reference (messages, tool use, vision, prompt caching, thinking, effort).
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable
from typing import Any

from ..messages import Message, Part, Picture, Request, Text, ToolCall, ToolResult, ToolSpec
from .asking import sent_arguments
from .faults import Failed, Failure
from .pairing import Sent, paired

API = "anthropic/messages"

_MARK = {"type": "ephemeral"}
_VERSION = re.compile(r"claude-(?:[a-z]+-(\d+)(?:-(\d{1,2}))?|(\d+)(?:-(\d{1,2}))?-[a-z]+)(?!\d)")
#: Models that a version says nothing about, since the family is newer than the forms of thinking.
_NEW_FAMILIES = ("claude-fable", "claude-mythos")
# Output tokens, thoughts included, that a model may write unless told otherwise; the API wants a
# number. Half of what the models can, or all of it for the old ones.
_MOST_TOKENS = (((4, 5), 64_000), ((4, 0), 32_000), ((0, 0), 8_192))
#: Tokens to think with, for models that take a budget in place of an effort.
_BUDGETS = {"low": 4_096, "medium": 12_288, "high": 24_576}
_SMALLEST_BUDGET = 1_024
_BLOCKS_WITH_THOUGHTS = ("thinking", "redacted_thinking")


def version(model: str) -> tuple[int, int] | None:
    """``(4, 5)`` for ``claude-sonnet-4-5-20250929``; ``None`` if the name says nothing."""
    if model.startswith(_NEW_FAMILIES):
        return (5, 0)
    match = _VERSION.match(model)
    if match is None:
        return None
    major, minor = (match[1], match[2]) if match[1] else (match[3], match[4])
    return (int(major), int(minor or 0))


def most_tokens(model: str) -> int:
    """Output tokens where a request says nothing."""
    known = version(model) or (0, 0)
    return next(most for since, most in _MOST_TOKENS if known >= since)


def body(request: Request, model: str, with_thoughts: bool = True) -> dict[str, Any]:
    """The JSON of a request, without ``model`` and ``stream``.

    ``with_thoughts``: give the model back what it thought since the last word of the user. Raises
    ``Failed`` for an effort that the model doesn't have.
    """
    limit = request.max_tokens or most_tokens(model)
    made: dict[str, Any] = {
        "max_tokens": limit,
        "messages": _turns(paired(request.messages), request.stable, with_thoughts),
    }
    if request.system.strip():
        made["system"] = [{"type": "text", "text": request.system, "cache_control": _MARK}]
    if request.tools:
        made["tools"] = _tools(request.tools)
    if request.temperature is not None:
        made["temperature"] = request.temperature
    if request.effort is not None:
        made |= _effort(request.effort, model, limit)
    return made


def _tools(tools: Iterable[ToolSpec]) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = [
        {"name": t.name, "description": t.description, "input_schema": dict(t.parameters)}
        for t in tools
    ]
    made[-1]["cache_control"] = _MARK
    return made


def _effort(effort: str, model: str, limit: int) -> dict[str, Any]:
    """Effort in the form that this generation of models has.

    Since 5.0 thinking is on by itself, 4.6 to 4.8 want it asked for; Opus 4.5 has efforts without
    it; before, there is a budget of tokens to think with (since 3.7).
    """
    known = version(model)
    config = {"output_config": {"effort": effort}}
    if known is None or known >= (5, 0) or model.startswith("claude-opus-4-5"):
        return config
    if known >= (4, 6):
        return {"thinking": {"type": "adaptive"}, **config}
    if known < (3, 7) or effort not in _BUDGETS:
        levels = "no effort" if known < (3, 7) else f"the efforts {', '.join(_BUDGETS)}"
        raise Failed(Failure("request", f"{model} has {levels}, not --effort {effort}."))
    budget = max(_SMALLEST_BUDGET, min(_BUDGETS[effort], limit // 2))
    return {"thinking": {"type": "enabled", "budget_tokens": budget}}


def _turns(sent: list[Sent], stable: int, with_thoughts: bool) -> list[dict[str, Any]]:
    """Messages whose roles alternate, the end of the stable ones marked for the cache."""
    last_word = max((n for n, s in enumerate(sent) if s.message.role == "user"), default=0)
    turns: list[dict[str, Any]] = []
    mark: dict[str, Any] | None = None
    for number, one in enumerate(sent):
        role = "assistant" if one.message.role == "assistant" else "user"
        thoughts = with_thoughts and number > last_word
        blocks = _blocks(one.message, thoughts)
        if turns and turns[-1]["role"] == role:
            turns[-1]["content"] += blocks
        else:
            turns.append({"role": role, "content": blocks})
        markable = [b for b in blocks if b["type"] not in _BLOCKS_WITH_THOUGHTS]
        if one.origin < stable and markable:
            mark = markable[-1]
    if mark is not None:
        mark["cache_control"] = _MARK
    return turns


def _blocks(message: Message, thoughts: bool) -> list[dict[str, Any]]:
    kept = opaque_blocks(message) if thoughts else None
    if kept is not None:
        return kept
    blocks: list[dict[str, Any]] = []
    for part in message.parts:
        if isinstance(part, ToolResult):
            blocks.append(_result(part))
        elif isinstance(part, ToolCall):
            use = {"type": "tool_use", "id": part.id, "name": part.name}
            blocks.append({**use, "input": sent_arguments(part)})
        else:
            blocks += _shown((part,))
    return blocks


def opaque_blocks(message: Message) -> list[dict[str, Any]] | None:
    """The blocks as the model sent them, thoughts and all, if they still say the same."""
    opaque = message.opaque
    if not isinstance(opaque, dict) or opaque.get("api") != API:
        return None
    blocks = [dict(block) for block in opaque["blocks"]]
    said = [b["text"] for b in blocks if b["type"] == "text"]
    called = [b["id"] for b in blocks if b["type"] == "tool_use"]
    same = said == [p.text for p in message.parts if isinstance(p, Text)]
    same &= called == [p.id for p in message.parts if isinstance(p, ToolCall)]
    return blocks if same else None


def _result(result: ToolResult) -> dict[str, Any]:
    content = _shown(result.content) or [{"type": "text", "text": "(nothing)"}]
    made = {"type": "tool_result", "tool_use_id": result.call_id, "content": content}
    return {**made, "is_error": True} if result.failed else made


def _shown(parts: Iterable[Part]) -> list[dict[str, Any]]:
    """Texts and pictures; a text of blanks alone is refused, so it isn't sent."""
    blocks: list[dict[str, Any]] = []
    for part in parts:
        if isinstance(part, Text) and part.text.strip():
            blocks.append({"type": "text", "text": part.text})
        elif isinstance(part, Picture):
            data = base64.b64encode(part.data).decode("ascii")
            source = {"type": "base64", "media_type": part.media_type, "data": data}
            blocks.append({"type": "image", "source": source})
    return blocks
