# SPDX-License-Identifier: GPL-3.0-or-later
"""JSON as models write it: arithmetic between numbers, closing brackets left out, nothing more."""

from __future__ import annotations

import ast
import json
import operator
import re
from collections.abc import Callable
from typing import Any

# One without an end goes to the end of the text: every start is looked at once.
_STRING = re.compile(r'"(?:[^"\\]|\\.)*(?:(")|\\?\Z)', re.S)
_NUMBER = r"[+-]?(?:\d{1,30}\.?\d{0,30}|\.\d{1,30})(?:[eE][+-]?\d{1,3})?"
_SUM = re.compile(
    rf"(?<![\w.]){_NUMBER}(?:[ \t]{{0,8}}[-+*/][ \t]{{0,8}}{_NUMBER}){{1,20}}(?![\w.])"
)
_OPERATORS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_CLOSING = {"{": "}", "[": "]"}
# Deeper nesting is no call of any tool.
_DEEPEST = 100


def loads(text: str, complete: bool) -> Any:
    """The value of a JSON text, its sums worked out and missing closing brackets added.

    ``complete`` says that its writer meant to end here. Otherwise it may have been cut off, and
    then a number or a word at its very end counts as half-written. Raises ``ValueError`` with what
    is wrong.
    """
    problem: ValueError | None = None
    for version in (lambda: text, lambda: _worked_out(text), lambda: _closed(text, complete)):
        try:
            return json.loads(version(), parse_constant=_refuse)
        except RecursionError:
            raise ValueError("it is nested too deeply") from None
        except ValueError as error:
            problem = problem or error
    assert problem is not None
    raise ValueError(_told(problem)) from None


def _told(error: ValueError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} (line {error.lineno}, column {error.colno})"
    return str(error)


def _refuse(word: str) -> Any:
    raise ValueError(f"{word} is no number in JSON")


def _worked_out(text: str) -> str:
    """The text with sums, products and quotients of plain numbers replaced by their values."""
    pieces: list[str] = []
    end = 0
    for string in _STRING.finditer(text):
        pieces += [_SUM.sub(_evaluated, text[end : string.start()]), string[0]]
        end = string.end()
    return "".join([*pieces, _SUM.sub(_evaluated, text[end:])])


def _evaluated(match: re.Match[str]) -> str:
    try:
        value = _value(ast.parse(match[0].strip(), mode="eval").body)
        return json.dumps(value, allow_nan=False)
    except (SyntaxError, ValueError, ArithmeticError, RecursionError, MemoryError):
        return match[0]


def _value(node: ast.AST) -> Any:
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return _OPERATORS[type(node.op)](_value(node.left), _value(node.right))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.UAdd, ast.USub)):
        value = _value(node.operand)
        return -value if isinstance(node.op, ast.USub) else value
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return node.value
    raise ValueError("no plain number")


def _closed(text: str, complete: bool) -> str:
    """The text with the brackets closed that are open at its end."""
    text = _worked_out(text).rstrip()
    stack: list[str] = []
    if any(string[1] is None for string in _STRING.finditer(text)):
        raise ValueError("a text in it has no end")
    for character in _STRING.sub("", text):
        if character in _CLOSING:
            stack.append(_CLOSING[character])
            if len(stack) > _DEEPEST:
                raise ValueError("it is nested too deeply")
        elif stack and character == stack[-1]:
            stack.pop()
    if not complete and stack and text[-1:] not in ('"', "}", "]"):
        raise ValueError("it was cut off in the middle of a value")
    return text + "".join(reversed(stack))
