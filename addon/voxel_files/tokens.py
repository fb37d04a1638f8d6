# SPDX-License-Identifier: GPL-3.0-or-later
"""Splits JavaScript into words, numbers, texts and signs, as far as lists of calls need it."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

_PARTS = re.compile(
    r"""
    (?P<word>[A-Za-z_$][\w$]*)
  | (?P<space>[\s\ufeff]+)
  | (?P<number>(?:0[xX][0-9a-fA-F]+|(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)
        (?:[eE][+-]?[0-9]+)?)(?![\w$.]))
  | (?P<comment>//[^\n]*|/\*.*?\*/)
  | (?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\$]|\\.|\$(?!\{))*`)
  | (?P<open>/\*|["'`])
  | (?P<sign>\*\*|=>|[-+*/%(){}\[\].,;=<>!&|?:^~@\#])
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|\r\n|.)", re.DOTALL)
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}

Kind = Literal["number", "text", "word", "sign", "other", "end"]
_KEPT: dict[str | None, Kind] = {"number": "number", "word": "word", "sign": "sign"}


class Token(NamedTuple):
    """A piece of the program and its line, counted from 1. Texts are without quotes."""

    kind: Kind
    text: str
    line: int


def tokens(program: str) -> list[Token]:
    """All pieces; where the program can't be split further, the last but one is ``"other"``.

    The last is always of the kind ``"end"``.
    """
    found: list[Token] = []
    line, at = 1, 0
    for part in _PARTS.finditer(program):
        kind, text = part.lastgroup, part.group()
        if kind == "open" or part.start() != at:  # a comment or text without end, or no piece
            break
        if kind in _KEPT:
            found.append(Token(_KEPT[kind], text, line))
        else:
            if kind == "text":
                inner = _ESCAPE.sub(_letter, text[1:-1]) if "\\" in text else text[1:-1]
                found.append(Token("text", inner, line))
            line += text.count("\n")
        at = part.end()
    if at < len(program):
        found.append(Token("other", program[at : at + 20].split("\n")[0], line))
    found.append(Token("end", "", line))
    return found


def number(text: str) -> float:
    """The value of a number's text. JavaScript has no other numbers than these of 64 bits."""
    if text[:2] in ("0x", "0X"):
        digits = text[2:].lstrip("0")
        return float(int(digits or "0", 16)) if len(digits) <= 255 else float("inf")
    return float(text)


def _letter(match: re.Match[str]) -> str:
    """The letter of an escape."""
    code = match.group(1)
    if code[0] in "ux" and len(code) > 1:
        value = int(code[1:].strip("{}"), 16)
        return chr(value) if value < 0x110000 and not 0xD800 <= value < 0xE000 else "\ufffd"
    if code[0] in "\r\n":
        return ""
    return _LETTERS.get(code, code)
