# SPDX-License-Identifier: GPL-3.0-or-later
"""The program or the JSON in what a model answered, or what to tell it instead."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import Any, Literal

from ... import strict_json
from ...scene.block_api import NAMES
from ..messages import Reply

#: What an answer was. ``usable``; ``refusal``, ``empty`` and ``cut_off`` as the provider says;
#: ``none``: nothing of what was asked for is in it; ``several``: more than one; ``malformed``: it
#: can't be read as JSON.
State = Literal["usable", "refusal", "empty", "cut_off", "none", "several", "malformed"]

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})[ \t]*([\w+.-]*)[^\n`]*$", re.MULTILINE)
_PYTHON = ("python", "py", "python3", "bpy")
_JSON = ("json", "json5", "jsonc")


@dataclass(frozen=True)
class Found:
    """What was found: ``code`` or ``data`` where usable, else ``message`` for the model."""

    state: State
    message: str = ""
    code: str = ""
    data: Any = None


@dataclass(frozen=True)
class _Block:
    language: str
    text: str
    closed: bool


def find_code(reply: Reply) -> Found:
    """The one Python block of an answer.

    Blocks without a language count where none says Python; blocks of other languages never do. An
    answer without any fence is taken as a whole if it is a program.
    """
    early = _stopped(reply, "program")
    if early is not None:
        return early
    blocks = _blocks(reply.text)
    python = [b for b in blocks if b.language in _PYTHON] or [b for b in blocks if not b.language]
    python = [b for b in python if b.text.strip()]
    if reply.stop == "length" and (not blocks or not blocks[-1].closed or len(python) != 1):
        return _cut_off(reply, "program")
    if len(python) > 1:
        return Found(
            "several",
            f"Your answer holds {len(python)} blocks of Python, so it is not clear which is meant. "
            "Answer with exactly one ```python block that holds the whole program; nothing was "
            "run.",
        )
    if python:
        return Found("usable", code=_tidy(python[0].text))
    if not blocks and _is_program(reply.text):
        return Found("usable", code=_tidy(reply.text))
    return Found(
        "none",
        "Your answer holds no Python program. Answer with exactly one ```python block; nothing was "
        "run.",
    )


def find_json(reply: Reply) -> Found:
    """The one JSON object of an answer: a block, else the answer itself, else what is in braces."""
    early = _stopped(reply, "JSON object")
    if early is not None:
        return early
    if reply.stop == "length":
        return _cut_off(reply, "JSON object")
    blocks = _blocks(reply.text)
    named = [b for b in blocks if b.language in _JSON] or [b for b in blocks if not b.language]
    named = [b for b in named if b.text.strip()]
    if len(named) > 1:
        return Found(
            "several",
            f"Your answer holds {len(named)} blocks of JSON, so it is not clear which is meant. "
            "Answer with exactly one ```json block.",
        )
    text = named[0].text if named else _braces(reply.text)
    if not text.strip():
        return Found("none", "Your answer holds no JSON object. Answer with one ```json block.")
    try:
        data = strict_json.loads(text)
    except ValueError as error:
        return Found("malformed", f"Your JSON can't be read: {error}. Send the whole of it again.")
    if not isinstance(data, dict):
        what = type(data).__name__
        return Found("malformed", f"Your JSON is a {what}, not an object. Send one object.")
    return Found("usable", data=data)


def _stopped(reply: Reply, wanted: str) -> Found | None:
    """What a provider's own word for the end of an answer means, ``None`` if it is to be read."""
    if reply.stop == "refusal":
        return Found(
            "refusal",
            "You declined to answer. All that is asked for is a script that adds boxes to an empty "
            f"3D scene, which is then measured. Answer with the {wanted}; if you decline again, "
            "the task ends here.",
        )
    if reply.stop == "empty" or not reply.text.strip():
        return Found("empty", f"Your answer was empty. Answer with the {wanted}.")
    return None


def _cut_off(reply: Reply, wanted: str) -> Found:
    return Found(
        "cut_off",
        f"Your answer was cut off at the limit of {reply.usage.output_tokens:,} tokens before the "
        f"{wanted} was complete, so nothing of it was used. Answer again and shorter: no prose, "
        "and loops instead of repeated lines.",
    )


def _blocks(text: str) -> list[_Block]:
    """Fenced blocks in order; the last may be open. A fence ends with one at least as long."""
    blocks: list[_Block] = []
    fence, language, start = "", "", 0
    for match in _FENCE.finditer(text):
        if not fence:
            fence, language, start = match[1], match[2].lower(), match.end()
        elif match[1][0] == fence[0] and len(match[1]) >= len(fence) and not match[2]:
            blocks.append(_Block(language, text[start : match.start()], True))
            fence = ""
    if fence:
        blocks.append(_Block(language, text[start:], False))
    return blocks


def _is_program(text: str) -> bool:
    """Whether a text without any fence is Python that imports something or calls for blocks."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return any(
        isinstance(node, (ast.Import, ast.ImportFrom))
        or (
            isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in NAMES
        )
        for node in ast.walk(tree)
    )


def _tidy(code: str) -> str:
    return code.replace("\r\n", "\n").strip("\n").rstrip() + "\n"


def _braces(text: str) -> str:
    """From the first brace to the last one."""
    start, end = text.find("{"), text.rfind("}")
    return text[start : end + 1] if 0 <= start < end else ""
