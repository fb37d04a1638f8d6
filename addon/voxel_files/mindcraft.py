# SPDX-License-Identifier: GPL-3.0-or-later
"""Mindcraft's action files: plain lists of calls are read here, programs are run by :mod:`.node`.

Of such a file two calls count, in order: ``skills.placeBlock(bot, material, x, y, z)`` and
``skills.breakBlockAt(bot, x, y, z)``. Mindcraft's other skills and calls of ``world``, ``bot``,
``console`` and ``log`` place nothing; a skill that there isn't is told. One function may stand
round the list, as Mindcraft writes it. What has variables, loops, conditions or functions of its
own has to be run; nothing is run here.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

from ...checks.voxel.structure import Action
from .blocks import not_whole, tell_cut
from .node import NodeNeeded, run, why_not
from .skills import BUILDING, HARMLESS, no_skill
from .tokens import Token, number, tokens

_SKILLS = "skills"
_PLACE, _BREAK = (f"{_SKILLS}.{name}" for name in BUILDING)
_SILENT = (_SKILLS, "world", "bot", "console", "log")
_VALUES = {"true": True, "false": False, "null": None, "undefined": None, "bot": None}
_DEEPEST = 40  # brackets within brackets


class _NoList(NodeNeeded):
    """What keeps a program from being a plain list of calls."""


class Call(NamedTuple):
    """A call that counts, or of no skill: where it stands, and its arguments after ``bot``."""

    line: int
    name: str
    arguments: tuple[Any, ...]


def read_actions(program: str, faults: list[str]) -> Iterator[tuple[str, Action]]:
    """The actions of a program with their places (``"line 3"``); faults are told, the rest read.

    Coordinates are cut to whole numbers and a missing material is ``"unknown"``, as published. What
    is more than a plain list of calls is run by Node, in a box; places are ``"call 3"`` then.
    Raises :class:`NodeNeeded` where it can't be, and :class:`~.blocks.BlocksError` where it was
    ended.
    """
    try:
        calls = list(_listed(program, faults))
    except _NoList as error:
        reason = why_not()
        if reason is not None:
            raise NodeNeeded(f"{error}; {reason}") from None
        faults.clear()
        calls = list(_ran(program, faults))
    cut = 0
    for place, kind, where, material in calls:
        if material is not None and not isinstance(material, str):
            faults.append(f"{place}: the material must be a text; the call is left out")
            continue
        x, y, z = where
        action = Action.read(kind, x, y, z, material)
        if action is None:
            faults.append(f"{place}: a coordinate is no number; the call is left out")
            continue
        cut += not_whole(where)
        yield place, action
    tell_cut(cut, faults)


_Read = tuple[str, Literal["place", "remove"], tuple[Any, Any, Any], Any]


def _listed(program: str, faults: list[str]) -> Iterator[_Read]:
    """The calls of a plain list: place, kind, coordinates, material.

    They end at a call of what isn't there, as they would where the program is run.
    """
    for call in _Parser(tokens(program)).calls():
        if call.name not in (_PLACE, _BREAK):
            fault = no_skill(call.name.removeprefix(f"{_SKILLS}."))
            faults.append(
                f"line {call.line}: {fault}; a program ends there, so that what it placed until "
                "then counts"
            )
            return
        values = call.arguments
        places = call.name == _PLACE
        material, where = (values[0], values[1:4]) if places and values else (None, values[:3])
        if len(where) < 3:
            faults.append(
                f"line {call.line}: {call.name} needs three coordinates; the call is left out"
            )
            continue
        yield f"line {call.line}", "place" if places else "remove", where, material


def _ran(program: str, faults: list[str]) -> Iterator[_Read]:
    """The calls of a program that was run."""
    ran = run(program)
    for number_, (kind, x, y, z, material) in enumerate(ran.calls, 1):
        yield f"call {number_}", kind, (x, y, z), material
    if ran.fault:
        faults.append(ran.fault)


class _Parser:
    """Goes through the pieces of a program once."""

    def __init__(self, pieces: list[Token]) -> None:
        self.pieces = pieces
        self.at = 0

    def calls(self) -> Iterator[Call]:
        """The calls that count, and those of no skill, in order."""
        closing = self._opening()
        returned = False
        while self._next().kind != "end":
            if self._skip(";"):
                continue
            if closing and self._next().text == closing[0]:
                break
            if self._skip("return"):
                self._result()
                returned = True
                continue
            self._skip("await")
            call = self._call()
            if call is not None and not returned:  # what follows a return is never run
                yield call
        for sign in closing:
            self._expect(sign)
        while self._skip(";"):
            pass
        if self._next().kind != "end":
            raise self._beyond()

    def _opening(self) -> list[str]:
        """Goes into the one function that may stand round all; the signs that close it again."""
        start = self.at
        self._skip("export")
        self._skip("default")
        bracket = self._skip("(")
        asynchronous = self._skip("async")
        if self._skip("function"):
            if self._next().kind == "word":
                self.at += 1
            arrow = False
        elif asynchronous or bracket:
            arrow = True
        else:
            self.at = start
            return []
        self._parameters()
        if arrow:
            self._expect("=>")
        self._expect("{")
        return ["}", ")"] if bracket else ["}"]

    def _parameters(self) -> None:
        self._expect("(")
        while not self._skip(")"):
            if self._next().kind != "word":
                raise self._beyond()
            self.at += 1
            self._skip(",")

    def _result(self) -> None:
        """What a ``return`` gives back, if anything."""
        if self._next().text not in (";", "}") and self._next().kind != "end":
            self._value(0)

    def _call(self) -> Call | None:
        """One call; ``None`` where it places and removes nothing."""
        first = self._next()
        if first.kind != "word" or first.text not in _SILENT:
            raise self._beyond()
        self.at += 1
        name = first.text
        while self._skip("."):
            name += "." + self._next().text
            if self._next().kind != "word":
                raise self._beyond()
            self.at += 1
        if first.text == _SKILLS and name.count(".") != 1:  # as skills.placeBlock.call(...)
            raise self._beyond()
        values = self._arguments()
        silent = first.text != _SKILLS or name.removeprefix(f"{_SKILLS}.") in HARMLESS
        return None if silent else Call(first.line, name, values[1:])

    def _arguments(self) -> tuple[Any, ...]:
        self._expect("(")
        values = []
        while not self._skip(")"):
            values.append(self._value(0))
            if self._next().text != ")":
                self._expect(",")
        return tuple(values)

    def _value(self, depth: int) -> Any:
        """A literal, or simple arithmetic of numbers."""
        piece = self._next()
        if piece.kind == "text":
            self.at += 1
            return piece.text
        if piece.kind == "number" and self.pieces[self.at + 1].text in (",", ")"):
            self.at += 1  # as nearly always
            return number(piece.text)
        if piece.kind == "word":
            if piece.text not in _VALUES:
                raise self._beyond()
            self.at += 1
            return _VALUES[piece.text]
        return self._sum(depth)

    def _sum(self, depth: int) -> float:
        total = self._product(depth)
        while self._next().text in ("+", "-") and self._next().kind == "sign":
            sign = self._take()
            term = self._product(depth)
            total = total + term if sign == "+" else total - term
        return total

    def _product(self, depth: int) -> float:
        total = self._power(depth)
        while self._next().text in ("*", "/", "%") and self._next().kind == "sign":
            total = _combined(self._take(), total, self._power(depth))
        return total

    def _power(self, depth: int) -> float:
        base = self._single(depth)
        if self._next().text == "**":
            self.at += 1
            self._deeper(depth)
            return _combined("**", base, self._power(depth + 1))
        return base

    def _single(self, depth: int) -> float:
        """A number, a signed one, or an expression in brackets."""
        self._deeper(depth)
        piece = self._next()
        if piece.kind == "number":
            self.at += 1
            return number(piece.text)
        if piece.kind == "sign" and piece.text in ("-", "+"):
            self.at += 1
            value = self._single(depth + 1)
            return -value if piece.text == "-" else value
        if piece.kind == "sign" and piece.text == "(":
            self.at += 1
            value = self._sum(depth + 1)
            self._expect(")")
            return value
        raise self._beyond()

    def _deeper(self, depth: int) -> None:
        if depth > _DEEPEST:
            raise self._beyond()

    def _next(self) -> Token:
        return self.pieces[self.at]

    def _take(self) -> str:
        self.at += 1
        return self.pieces[self.at - 1].text

    def _skip(self, text: str) -> bool:
        """Goes past a sign or word if it is the next."""
        piece = self._next()
        if piece.text != text or piece.kind not in ("sign", "word"):
            return False
        self.at += 1
        return True

    def _expect(self, text: str) -> None:
        if not self._skip(text):
            raise self._beyond()

    def _beyond(self) -> _NoList:
        """What can't be read as a plain list."""
        piece = self._next()
        what = "the end of the file" if piece.kind == "end" else repr(piece.text[:40])
        return _NoList(
            f"line {piece.line}: {what} isn't part of a plain list of placeBlock and breakBlockAt "
            "calls"
        )


def _combined(sign: str, a: float, b: float) -> float:
    """Arithmetic as JavaScript does it: nothing raises, there are infinities and NaN."""
    try:
        if sign == "*":
            return a * b
        if sign == "/":
            return a / b
        return math.fmod(a, b) if sign == "%" else math.pow(a, b)
    except ZeroDivisionError:
        return math.nan if a == 0 or math.isnan(a) else math.copysign(math.inf, a)
    except OverflowError:
        return math.inf
    except ValueError:
        return math.nan
