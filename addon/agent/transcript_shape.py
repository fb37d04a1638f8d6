# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether an event that was read from a transcript is one, whoever wrote the file.

What passes here can be replayed and exported without a second look at its types.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

#: Longer ago than anything runs, s.
_LONGEST = 1e9

Test = Callable[[Any], bool]


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _maybe_text(value: Any) -> bool:
    return value is None or isinstance(value, str)


def _number(value: Any) -> bool:
    sort = isinstance(value, (int, float)) and not isinstance(value, bool)
    return sort and math.isfinite(value) and abs(value) < _LONGEST


def _maybe_number(value: Any) -> bool:
    return value is None or _number(value)


def _index(value: Any) -> bool:
    return type(value) is int and 0 <= value < _LONGEST


def _flag(value: Any) -> bool:
    return isinstance(value, bool)


def _list_of(test: Test) -> Test:
    return lambda value: isinstance(value, list) and all(map(test, value))


def _maybe(test: Test) -> Test:
    return lambda value: value is None or test(value)


def _each(value: Any, test: Test) -> bool:
    return isinstance(value, dict) and all(map(test, value.values()))


def _counted(item: tuple[str, Any]) -> bool:
    """Only what something cost may be unknown."""
    return item[0] == "cost" or item[1] is not None


def _part(value: Any) -> bool:
    """A part of a message."""
    kind = value.get("type") if isinstance(value, dict) else None
    return isinstance(kind, str) and kind in _PARTS and _has(value, _PARTS[kind])


def _tool(value: Any) -> bool:
    return isinstance(value, str) or (isinstance(value, dict) and _text(value.get("name")))


def _problem(value: Any) -> bool:
    return isinstance(value, dict) and _has(value, {"line": _number, "message": _text})


def _has(value: Mapping[str, Any], wanted: Mapping[str, Test]) -> bool:
    return all(name in value and test(value[name]) for name, test in wanted.items())


def _fits(value: Mapping[str, Any], known: Mapping[str, Test]) -> bool:
    return all(test(value[name]) for name, test in known.items() if name in value)


def _arguments(value: Any) -> bool:
    return value is None or isinstance(value, dict)


_PARTS: Mapping[str, Mapping[str, Test]] = {
    "text": {"text": _text},
    "picture": {"name": _text, "file": _text, "media_type": _text},
    "tool_call": {
        **dict.fromkeys(("id", "name", "raw"), _text),
        "arguments": _arguments,
        "problem": _maybe_text,
    },
    "tool_result": {
        **dict.fromkeys(("call_id", "name"), _text),
        "failed": _flag,
        "content": _list_of(_part),
    },
}

# What an event of a type must have, and of which types.
_REQUIRED: Mapping[str, Mapping[str, Test]] = {
    "message": {
        "index": _index,
        "role": lambda v: v in ("user", "assistant", "tool"),
        "parts": _list_of(_part),
    },
    "request": {"system": _maybe_text, "messages": _list_of(_index), "tools": _list_of(_tool)},
    "reply": {
        **dict.fromkeys(("message", "retries"), _index),
        **dict.fromkeys(("stop", "thoughts"), _text),
        **dict.fromkeys(("model", "id"), _maybe_text),
        "usage": lambda v: _each(v, _maybe_number) and all(map(_counted, v.items())),
        "seconds": _number,
    },
}

# What others may have, and then of which types.
_KNOWN: Mapping[str, Mapping[str, Test]] = {
    "request": dict.fromkeys(("max_tokens", "temperature", "seed"), _maybe_number),
    "execution": {
        **dict.fromkeys(("label", "message", "output", "traceback", "code"), _maybe_text),
        "problems": _maybe(_list_of(_problem)),
    },
    "judgement": {
        **dict.fromkeys(("label", "verdict"), _maybe_text),
        "checks": _maybe(lambda v: _each(v, _text)),
    },
    "tool": dict.fromkeys(("name", "error"), _maybe_text),
    "note": dict.fromkeys(("label", "what", "message"), _maybe_text),
    "episode": {"limits": _maybe(lambda v: isinstance(v, dict))},
    "end": dict.fromkeys(("end", "message"), _maybe_text),
}


def is_event(value: Any, schema: str) -> bool:
    """Whether ``value`` is an event of that schema; types that nobody knows yet may be anything."""
    if not isinstance(value, dict) or value.get("schema") != schema:
        return False
    kind = value.get("type")
    if not isinstance(kind, str) or not _number(value.get("t", 0.0)):
        return False
    if kind == "message" and not _in_its_place(value):
        return False
    return _has(value, _REQUIRED.get(kind, {})) and _fits(value, _KNOWN.get(kind, {}))


def _in_its_place(message: Mapping[str, Any]) -> bool:
    """Whether answers of tools stand in a message of answers, and nothing else does."""
    parts = message.get("parts")
    if not isinstance(parts, list) or not all(isinstance(part, dict) for part in parts):
        return False
    answers = [part.get("type") == "tool_result" for part in parts]
    return all(answers) if message.get("role") == "tool" else not any(answers)
