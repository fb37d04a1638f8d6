# SPDX-License-Identifier: GPL-3.0-or-later
"""Tool calls written as text, for models without tool use.

A call is a JSON object with ``name`` and ``arguments`` between ``<tool_call>`` tags; several in one
reply run in order. Where no tagged call can be read, what models write instead is tried, in this
order: pairs of tags, bare JSON that names a real tool, ``name(key=value)`` on a line of its own,
and the same in the end of the reasoning. Only the envelope is recovered, never a value: a call that
was cut off inside one is no call.
"""

from __future__ import annotations

import ast
import itertools
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from ..messages import ToolCall
from .loose_json import loads

#: What is read of a reply and of the reasoning, characters from their ends.
TEXT_READ = 400_000
REASONING_READ = 4_000
#: Characters that a call written as Python may have.
CALL_READ = 100_000
#: Brackets within brackets that such a call may have.
DEEPEST = 40
#: More calls in one reply are not read.
MOST_CALLS = 50
#: Tags that are looked into before the rest counts as noise.
BODIES_READ = 4 * MOST_CALLS

_OPEN, _CLOSE = "<tool_call>", "</tool_call>"
_NAME_TAG = re.compile(r"<(?:name|tool_name|function_name)>\s{0,8}([\w.-]{1,80})\s{0,8}</")
_ARGUMENT_TAG = re.compile(r"<(arguments|parameters|args)>")
_FUNCTION_TAG = re.compile(r"<function=([\w.-]{1,80})>")
_PARAMETER_TAG = re.compile(r"<parameter=([\w.-]{1,80})>\n?")
_KEY_TAG = re.compile(r"<arg_key>\s{0,8}([\w.-]{1,80})\s{0,8}</arg_key>\s{0,8}<arg_value>")
_BARE = re.compile(r'\{\s*"(?:name|arguments|parameters|tool)"\s*:')
_PYTHON_TOKEN = re.compile(
    # A string without an end goes to the end of what is read: every start is looked at once.
    r""""{3}(?:[^\\]|\\.)*?(?:"{3}|\\?\Z)|'{3}(?:[^\\]|\\.)*?(?:'{3}|\\?\Z)"""
    r"""|"(?:[^"\\\n]|\\.)*(?:"|\\?\Z|)|'(?:[^'\\\n]|\\.)*(?:'|\\?\Z|)|[()]""",
    re.S,
)
_ARGUMENT_NAMES = ("arguments", "parameters", "args")
_NAMES = ("name", "tool", "tool_name")


class TextCalls(NamedTuple):
    """The calls of a reply. ``how``: ``tagged`` or the way they were recovered; ``problem``: what
    kept tagged calls from being read, for the model, where there are none."""

    calls: tuple[ToolCall, ...]
    how: str = "none"
    problem: str | None = None


def find_calls(text: str, names: Iterable[str], reasoning: str = "") -> TextCalls:
    """The tool calls in a reply of a model that has no tool use.

    ``names`` are those of the real tools: only tagged calls may name others. Never raises.
    """
    known = tuple(names)
    text, reasoning = text[-TEXT_READ:], reasoning[-REASONING_READ:]
    found = _in_text(text, known)
    if found.calls or not reasoning.strip():
        return found
    thought = _in_text(reasoning, known)
    return TextCalls(thought.calls, f"reasoning_{thought.how}") if thought.calls else found


def _in_text(text: str, known: Sequence[str]) -> TextCalls:
    calls: list[ToolCall] = []
    problems: list[str] = []
    for body, closed in itertools.islice(_tagged(text), BODIES_READ):
        call, problem = _tagged_call(body, closed)
        if call is not None:
            calls.append(_numbered(call, len(calls)))
        elif problem:
            problems.append(problem)
        if len(calls) == MOST_CALLS:
            break
    if calls:
        return TextCalls(tuple(calls), "tagged")
    for how, way in _WAYS:
        pairs = list(itertools.islice(way(text, known), MOST_CALLS))
        if pairs:
            return TextCalls(tuple(_numbered(p, i) for i, p in enumerate(pairs)), how)
    return TextCalls((), "none", problems[0] if problems else None)


_Pair = tuple[str, Any]


def _numbered(pair: _Pair, index: int) -> ToolCall:
    name, arguments = pair[0], pair[1]
    raw = json.dumps(arguments, default=str) if not isinstance(arguments, str) else arguments
    if isinstance(arguments, dict):
        return ToolCall(f"text-{index + 1}", name, arguments, raw)
    problem = "the arguments must be one JSON object"
    return ToolCall(f"text-{index + 1}", name, None, raw, problem)


def _tagged(text: str) -> Iterator[tuple[str, bool]]:
    """What stands between the tags; one that was not closed ends at the next or at the end."""
    pieces = text.split(_OPEN)
    for number, piece in enumerate(pieces[1:], start=1):
        body, closing, _ = piece.partition(_CLOSE)
        yield body, bool(closing) or number < len(pieces) - 1


def _tagged_call(body: str, closed: bool) -> tuple[_Pair | None, str | None]:
    body = _unfenced(body)
    try:
        value = loads(body, complete=closed)
    except ValueError as error:
        return None, f"what stands between {_OPEN} and {_CLOSE} is no JSON object: {error}"
    if not isinstance(value, dict):
        return None, f"what stands between {_OPEN} and {_CLOSE} must be one JSON object"
    name = next((value[key] for key in _NAMES if isinstance(value.get(key), str)), None)
    if name is None:
        return None, 'the object lacks "name", the name of a tool'
    return (name, _arguments_of(value)), None


def _arguments_of(value: dict[str, Any]) -> Any:
    arguments: Any = next((value[key] for key in _ARGUMENT_NAMES if key in value), {})
    if isinstance(arguments, str):  # an object inside a text, as some servers pass it on
        try:
            inner = json.loads(arguments)
        except (ValueError, RecursionError):
            return arguments
        return inner if isinstance(inner, dict) else arguments
    return arguments


def _unfenced(body: str) -> str:
    body = body.strip()
    if body.startswith("```"):
        body = body.partition("\n")[2] if "\n" in body else body[3:]
        body = body.rstrip().removesuffix("```")
    return body.strip()


def _tag_pairs(text: str, known: Sequence[str]) -> Iterator[_Pair]:
    """``<name>x</name><arguments>{}</arguments>``, and tags that name function and parameters."""
    for match, body in _parts(text, _NAME_TAG):
        if match[1] in known:
            yield from _with_arguments(match[1], body)
    for match, body in _parts(text, _FUNCTION_TAG):
        if match[1] in known:
            yield match[1], _values(body, _PARAMETER_TAG, "</parameter>")
    for body, _ in itertools.islice(_tagged(text), BODIES_READ):
        name = body.strip().partition("\n")[0].partition("<")[0].strip()
        if name in known:
            yield name, _values(body, _KEY_TAG, "</arg_value>")


def _parts(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[re.Match[str], str]]:
    """Each match with the text up to the next one."""
    matches = list(pattern.finditer(text))
    for match, following in zip(matches, [*matches[1:], None], strict=False):
        yield match, text[match.end() : following.start() if following else len(text)]


def _with_arguments(name: str, body: str) -> Iterator[_Pair]:
    match = _ARGUMENT_TAG.search(body)
    end = body.find(f"</{match[1]}>", match.end()) if match else -1
    if match is None or end < 0:
        return
    try:
        yield name, loads(_unfenced(body[match.end() : end]), complete=True)
    except ValueError:
        return


def _values(body: str, opening: re.Pattern[str], closing: str) -> dict[str, Any]:
    """What stands between each opening tag, which names it, and its closing one."""
    values: dict[str, Any] = {}
    start = 0
    while (match := opening.search(body, start)) is not None:
        end = body.find(closing, match.end())
        if end < 0:  # cut off inside a value
            break
        values[match[1]] = _value(body[match.end() : end].removesuffix("\n"))
        start = end + len(closing)
    return values


def _value(text: str) -> Any:
    """A value between tags: JSON where it is JSON, else the text itself."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _bare_objects(text: str, known: Sequence[str]) -> Iterator[_Pair]:
    """JSON objects anywhere in the text that name a real tool."""
    decoder = json.JSONDecoder()
    end = tried = 0
    for match in _BARE.finditer(text):
        if match.start() < end:
            continue
        tried += 1
        if tried > MOST_CALLS:  # each try may read to the end of the text
            return
        try:
            value, end = decoder.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            continue
        name = next((value[key] for key in _NAMES if isinstance(value.get(key), str)), None)
        if name in known and any(key in value for key in _ARGUMENT_NAMES):
            yield str(name), _arguments_of(value)


def _python_calls(text: str, known: Sequence[str]) -> Iterator[_Pair]:
    """``name(key=value, ...)`` that begins a line and ends one; values are literals."""
    if not known:
        return
    names = "|".join(map(re.escape, known))
    starts = re.finditer(rf"^[ \t>*`-]{{0,8}}({names})\(", text, re.M)
    for match in itertools.islice(starts, MOST_CALLS):
        inside = _up_to_bracket(text[match.end() : match.end() + CALL_READ])
        arguments = _keywords(inside) if inside is not None else None
        if arguments is not None:
            yield match[1], arguments


def _up_to_bracket(text: str) -> str | None:
    """What stands before the bracket that closes an open one, if a line ends behind it."""
    depth = 1
    for token in _PYTHON_TOKEN.finditer(text):
        depth += {"(": 1, ")": -1}.get(token[0], 0)
        if depth > DEEPEST:
            return None
        if not depth:
            rest = text[token.end() : token.end() + 200].partition("\n")[0]
            return None if rest.strip(" \t`;.") else text[: token.start()]
    return None


def _keywords(inside: str) -> dict[str, Any] | None:
    try:
        call = ast.parse(f"f({inside}\n)", mode="eval").body
        if not isinstance(call, ast.Call) or call.args or not isinstance(call.func, ast.Name):
            return None
        if any(keyword.arg is None for keyword in call.keywords):
            return None
        return {str(one.arg): ast.literal_eval(one.value) for one in call.keywords}
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        return None


_WAYS = (("tag_pairs", _tag_pairs), ("bare_json", _bare_objects), ("python", _python_calls))
