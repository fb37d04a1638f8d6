# SPDX-License-Identifier: GPL-3.0-or-later
"""A transcript in words: a line for each thing that happened, or all of it to be read. No ``bpy``.

Works on the events of a running episode and on those of a stored transcript alike.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..runs import wording
from .labels import spoken

#: Characters of one text that are kept: a text editor must stay quick.
LONGEST_TEXT = 1_000_000
#: Characters of one line in a panel.
_LINE = 240
_RULE = 72

_OUTCOMES = {
    "finished": "to its end",
    "raised": "stopped with an error",
    "refused": "refused",
    "timeout": "too long",
    "memory": "too much memory",
    "crashed": "ended Blender",
}
_STOPS = {
    "length": ", cut off at its longest",
    "refusal": ", declined",
    "empty": ", empty",
}


def line_of(event: Mapping[str, Any]) -> str | None:
    """One line on an event, ``None`` for what needs none (messages: a question tells of them)."""
    teller = _LINES.get(str(event.get("type")))
    told = teller(event) if teller is not None else None
    return None if told is None else wording.clip(" ".join(told.split()), _LINE)


def _label(event: Mapping[str, Any]) -> str:
    return ", ".join(spoken(str(event.get("label") or "")))


def _asked(event: Mapping[str, Any]) -> str:
    return f"asked for {_label(event)}" if event.get("label") else "asked"


def _answered(event: Mapping[str, Any]) -> str:
    used = event.get("usage")
    usage: Mapping[str, Any] = used if isinstance(used, Mapping) else {}
    tokens = usage.get("output_tokens")
    told = f"answered {tokens:,} tokens" if isinstance(tokens, int) and tokens else "answered"
    took = event.get("seconds")
    told += f" in {wording.seconds(float(took))}" if isinstance(took, (int, float)) else ""
    return told + _STOPS.get(str(event.get("stop")), "")


def _ran(event: Mapping[str, Any]) -> str:
    outcome = str(event.get("outcome"))
    told = f"ran {_label(event)}: {_OUTCOMES.get(outcome, outcome)}"
    problems = event.get("problems") or ()
    if outcome == "refused" and problems:
        return f"{told}, {problems[0]['message']}"
    return told + (f", {event['message']}" if event.get("message") else "")


def _judged(event: Mapping[str, Any]) -> str:
    faults = event.get("faults")
    if event.get("verdict") == "failed":
        told = wording.count(faults, "fault") if isinstance(faults, int) else "failed"
    else:
        told = wording.VERDICT_WORDS.get(str(event.get("verdict")), "judged")
    return f"checked {_label(event)}: {told}"


def _tool(event: Mapping[str, Any]) -> str:
    told = f"tool {event.get('name')}"
    if event.get("ok") is False:
        return f"{told} → {event.get('error') or 'an error'}"
    answer = event.get("answer")
    plain: Mapping[str, Any] = answer if isinstance(answer, Mapping) else {}
    if isinstance(plain.get("verdict"), str):
        word = wording.VERDICT_WORDS.get(plain["verdict"], plain["verdict"])
        faults = plain.get("faults")
        counted = f", {wording.count(faults, 'fault')}" if isinstance(faults, int) else ""
        return f"{told} → {word}{counted}"
    return f"{told} → done"


def _noted(event: Mapping[str, Any]) -> str:
    return f"note: {event.get('message') or event.get('what') or ''}"


def _ended(event: Mapping[str, Any]) -> str:
    told = f"ended: {event.get('end')}"
    return told + (f", {event['message']}" if event.get("message") else "")


def _began(event: Mapping[str, Any]) -> str:
    parts = (event.get("task"), event.get("agent"), event.get("protocol"))
    return "began " + ", ".join(str(part) for part in parts if part)


_LINES = {
    "episode": _began,
    "request": _asked,
    "reply": _answered,
    "execution": _ran,
    "judgement": _judged,
    "tool": _tool,
    "note": _noted,
    "end": _ended,
}


def text_of(events: Iterable[Mapping[str, Any]], title: str = "") -> str:
    """A whole transcript to be read: who said what, what was run and what came of it."""
    pieces: list[str] = [f"{title}\n" if title else ""]
    length = 0
    for event in events:
        piece = "\n".join(_paragraph(event))
        length += len(piece)
        if length > LONGEST_TEXT:
            pieces.append("… the rest is left out here; the file in the attempt's folder has it.")
            break
        pieces.append(piece)
    return "\n".join(piece for piece in pieces if piece) + "\n"


def _paragraph(event: Mapping[str, Any]) -> Iterator[str]:
    kind = event.get("type")
    moment = event.get("t")
    clock = f"{moment:8.1f} s  " if isinstance(moment, (int, float)) else ""
    if kind == "message":
        yield _heading(clock, f"{event['role']} says")
        for part in event["parts"]:
            yield from _part(part)
        return
    line = line_of(event)
    if line is None:
        return
    yield _heading(clock, line)
    if kind == "request" and event.get("tools"):
        names = (tool if isinstance(tool, str) else tool["name"] for tool in event["tools"])
        yield f"tools: {', '.join(names)}"
    if kind == "execution":
        yield from (f"line {one['line']}: {one['message']}" for one in event.get("problems") or ())
        yield from (str(event[name]) for name in ("output", "traceback") if event.get(name))
    if kind == "judgement":
        checks = event.get("checks") or {}
        yield from (f"{check}: {status}" for check, status in checks.items())
    if kind == "tool" and event.get("answer") is not None:
        yield json.dumps(event["answer"], indent=1, ensure_ascii=False)


def _heading(clock: str, words: str) -> str:
    told = f"--- {clock}{words} "
    return told + "-" * max(3, _RULE - len(told))


def _part(part: Mapping[str, Any]) -> Iterator[str]:
    kind = part["type"]
    if kind == "text":
        yield part["text"]
    elif kind == "picture":
        yield f"[picture {part['name']}: {part['file']}]"
    elif kind == "tool_call":
        yield f"[calls {part['name']}] {part['raw']}"
    else:
        yield f"[answer of {part['name']}{', an error' if part['failed'] else ''}]"
        for inner in part["content"]:
            yield from _part(inner)
