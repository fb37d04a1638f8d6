# SPDX-License-Identifier: GPL-3.0-or-later
"""A house as a Blender program that a person can read and that builds it again: the oracle.

Members are put up phase by phase and role by role, a row of equal ones in one line. The text uses
``bpy``, ``mathutils`` and ``math`` alone, keeps to the policy for models' code, and is the same for
the same house.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...checks.timber.lumber import SIZES
from ...checks.timber.structure import Floats
from .house import House
from .program_text import GLUE, HELPERS, SLOPED, TURNED, WIDTH, laid_out
from .rows import number, period, same, steps, tidy

_PHASES = ("foundation", "floor", "walls", "roof", "accessory", None)
_NUMBERED = re.compile(r"^(.*_)(\d+)$")
#: An axis is level if it rises by no more, as a share of its length.
_LEVEL = 1e-7
#: A size is that of a piece of lumber if it differs by no more, m: the noise of float32.
_NEAR = 3e-7
_T = 0.038
_UNCOUNTED = ("Blocking", "Bridging", "Sheathing", "Decking")


@dataclass
class _Row:
    """Members of one stem with numbers that follow each other."""

    stem: str
    digits: int
    first: int
    index: list[int] = field(default_factory=list)


def program(house: House) -> str:
    """The program that builds ``house``: places within 1e-6 m, names and roles the same.

    Roles go by the names; members without a number are written one by one.
    """
    writer = _Writer(house)
    bodies, calls = [], []
    for phase in _PHASES:
        members = [i for i, category in enumerate(house.categories) if category == phase]
        if members:
            name = phase or "other"
            lines = writer.phase(members)
            head = f'\n\ndef {name}():\n    """{_phase_text(name, len(members))}"""\n'
            bodies.append(head + "\n".join(lines) + "\n")
            calls.append(f"{name}()")
    helpers = HELPERS
    helpers += SLOPED if "sloped" in writer.used else ""
    helpers += TURNED if "turned" in writer.used else ""
    mathematics = "import math\n\n" if "sloped" in writer.used else ""
    head = f"{_heading(house)}\n{mathematics}import bpy\nfrom mathutils import Matrix\n\n"
    main = "\n\n" + "\n".join(calls) + "\n"
    return head + writer.constants() + helpers + "".join(bodies).replace(GLUE, " ") + main


def _heading(house: House) -> str:
    p = house.parameters
    told = (
        f"{p.style}, seed {p.seed}; {len(house):,} members of {p.species} no. {p.grade} at "
        f"{number(p.spacing)} m on centre. All sizes in metres, z up, the ground at z = 0, the "
        "main ridge along x."
    )
    parts = [house.title.rstrip(".") + ".", house.description, told]
    wrapped = ["\n".join(textwrap.wrap(_harmless(part), WIDTH - 4)) for part in parts if part]
    return '"""' + "\n\n".join(wrapped) + '\n"""\n'


def _harmless(text: str) -> str:
    """Text that can stand in a docstring."""
    return text.replace("\\", "/").replace('"', "'")


def _phase_text(name: str, count: int) -> str:
    return f"{name.capitalize()}: {count:,} member{'s' if count > 1 else ''}."


def _plural(role: str | None) -> str:
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", role or "Without a role").capitalize()
    return words if role is None or role in _UNCOUNTED else f"{words}s"


class _Writer:
    """Writes calls for members and keeps which helpers and constants they use."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.used: set[str] = set()
        structure = house.structure
        self.low, self.high = structure.aabb
        world = np.abs(structure.axes)
        self.straight = (world.max(axis=2) > 1.0 - 1e-9).all(axis=1)
        self.names = {depth: f"D{size[2:]}" for size, (_, depth) in SIZES.items() if size[0] == "2"}

    def constants(self) -> str:
        """Assignments of the sizes that the calls name."""
        lines = [f"T = {number(_T)}  # thickness of two-by lumber"]
        for depth, name in sorted(self.names.items()):
            if name in self.used:
                lines.append(f"{name} = {number(depth)}  # depth of a 2x{name[1:]}")
        return "\n".join(lines) + "\n"

    def size(self, value: float) -> str:
        """A thickness or depth, by its name where it has one."""
        for known, name in {_T: "T", **self.names}.items():
            if abs(value - known) < _NEAR:
                self.used.add(name)
                return name
        return number(value)

    def phase(self, members: list[int]) -> list[str]:
        """The lines of one phase, role by role in the order in which they come."""
        roles: dict[str | None, list[int]] = {}
        for i in members:
            roles.setdefault(self.house.roles.role[i], []).append(i)
        lines: list[str] = []
        for role, of_role in roles.items():
            sections = sorted({self.house.sections[i] or "" for i in of_role} - {""})
            told = f" of {', '.join(sections)}" if len(sections) in (1, 2, 3) else ""
            lines.append(f"    # {_plural(role)}{told} ({len(of_role):,})")
            calls = [call for row in self._rows(of_role) for call in self._calls(row)]
            lines += laid_out(calls)
        return lines

    def _rows(self, members: list[int]) -> list[_Row]:
        stems: dict[tuple[str, int], list[tuple[int, int]]] = {}
        for i in members:
            name = self.house.structure.names[i]
            match = _NUMBERED.match(name)
            if match and "#" not in name and (match[2][0] != "0" or len(match[2]) < 9):
                key = (match[1], len(match[2]))
                if int(match[2]) >= 100 and (match[1], 2) in stems and len(match[2]) == 3:
                    key = (match[1], 2)  # 99 is followed by 100
                stems.setdefault(key, []).append((int(match[2]), i))
            else:
                stems[name, 0] = [(1, i)]
        rows: list[_Row] = []
        for (stem, digits), found in stems.items():
            last = None
            for at, i in sorted(found):
                kind = self._kind(i)
                if last is None or at != last[0] + 1 or kind != last[1] or digits == 0:
                    rows.append(_Row(stem, digits, at))
                rows[-1].index.append(i)
                last = (at, kind)
        return rows

    def _kind(self, i: int) -> tuple[Any, ...]:
        """Members of one row are alike in this: boxes, or sloped ones of one section and way."""
        if self.straight[i]:
            return ("box",)
        level = self._level_axis(i)
        if level is None:
            return ("turned", float(i))
        start, end, width, depth = self._slope(i, level)
        way = (end - start) / np.linalg.norm(end - start)
        return ("sloped", round(width, 6), round(depth, 6), *np.round(way, 4) + 0.0)

    def _level_axis(self, i: int) -> int | None:
        """The axis that is level while the others are not all square to the world."""
        axes = self.house.structure.axes[i]
        return next((k for k in (2, 1, 0) if abs(axes[k, 2]) < _LEVEL), None)

    def _slope(self, i: int, level: int) -> tuple[Floats, Floats, float, float]:
        """Start, end, width and depth; from below upwards."""
        structure = self.house.structure
        along = next(k for k in range(3) if k != level and abs(structure.axes[i, k, 2]) < 1 - 1e-9)
        other = 3 - along - level
        axis = structure.axes[i, along]
        if axis[2] < -_LEVEL or (abs(axis[2]) <= _LEVEL and axis[int(np.argmax(np.abs(axis)))] < 0):
            axis = -axis
        reach = axis * structure.half[i, along]
        width, depth = 2 * structure.half[i, level], 2 * structure.half[i, other]
        return structure.center[i] - reach, structure.center[i] + reach, width, depth

    def _calls(self, row: _Row) -> list[list[str]]:
        """Calls for a row, each a list: the function's name, then its arguments."""
        kind = self._kind(row.index[0])[0]
        self.used.add(kind)
        if kind == "turned":
            return [self._turned(row, i) for i in row.index]
        if kind == "sloped":
            return [self._sloped(row)]
        return self._boxes(row)

    def _name(self, row: _Row, single: bool) -> str:
        if not row.digits:
            return json.dumps(row.stem, ensure_ascii=False)
        number_ = str(row.first).zfill(row.digits) if single else "#" * row.digits
        return json.dumps(row.stem + number_, ensure_ascii=False)

    def _turned(self, row: _Row, i: int) -> list[str]:
        structure = self.house.structure
        vectors = [structure.center[i], 2 * structure.half[i], *structure.axes[i]]
        name = json.dumps(structure.names[i], ensure_ascii=False)
        return ["turned", name, *(_tuple(v, 9 if k > 1 else 0) for k, v in enumerate(vectors))]

    def _sloped(self, row: _Row) -> list[str]:
        ends, section = [], ("", "")
        for i in row.index:
            level = self._level_axis(i)
            assert level is not None
            start, end, width, depth = self._slope(i, level)
            ends.append([*start, *end])
            section = (self.size(width), self.size(depth))
        columns = np.array(ends).T
        if len(row.index) == 1:
            texts = [number(float(c[0])) for c in columns]
        else:
            texts = [number(float(c[0])) if same(list(c)) else steps(list(c)) for c in columns]
            if all(same(list(c)) for c in columns):  # one over the other: still a list
                texts[0] = f"[{', '.join([texts[0]] * len(row.index))}]"
        low, high = (f"({', '.join(part)})" for part in (texts[:3], texts[3:]))
        single = len(row.index) == 1
        call = ["sloped" if single else "slopes", self._name(row, single), low, high, *section]
        if not single and row.first != 1:
            call.append(f"first={row.first}")
        return call

    def _boxes(self, row: _Row) -> list[list[str]]:
        pairs = self._pairs(row.index)
        if len(row.index) == 1:
            return [["box", self._name(row, True), *(_pair(column[0]) for column in pairs)]]
        grid = period(pairs) if len(row.index) > 5 else None
        if grid is not None:
            return [self._grid(row, pairs, *grid)]
        calls = []
        for start, end in _parts(pairs):
            part = _Row(row.stem, row.digits, row.first + start, row.index[start:end])
            columns = self._pairs(part.index)
            if end - start == 1:
                calls.append(["box", self._name(part, True), *(_pair(c[0]) for c in columns)])
                continue
            texts = [self._column(column, part.index, k) for k, column in enumerate(columns)]
            if all(len(set(column)) == 1 for column in columns):
                texts[0] = f"[{texts[0]}] * {end - start}"
            first = [f"first={part.first}"] if part.first != 1 else []
            calls.append(["boxes", self._name(part, False), *texts, *first])
        return calls

    def _pairs(self, members: Sequence[int]) -> list[list[tuple[float, float]]]:
        """(low, high) of members along x, y and z, tidied up, so that equal ones compare equal."""
        return [
            [(tidy(float(self.low[i, k])), tidy(float(self.high[i, k]))) for i in members]
            for k in range(3)
        ]

    def _grid(self, row: _Row, pairs: list, outer: int, inner: int, count: int) -> list[str]:
        """A loop over lines of equal members."""
        lines = self._column(pairs[outer][::count], row.index[::count], outer)
        across = self._column(pairs[inner][:count], row.index[:count], inner)
        texts = [_pair(column[0]) for column in pairs]
        texts[outer], texts[inner] = "line", across
        inside = ["boxes", self._name(row, False), *texts, f"first={row.first} + {count} * i"]
        return [f"for i, line in enumerate({lines}):", *inside]

    def _column(self, column: list, members: Sequence[int], k: int) -> str:
        """Coordinate ``k`` of a row: a pair, or an expression for a list of pairs."""
        if len(set(column)) == 1:
            return _pair(column[0])
        lows, highs = (list(map(float, side[members, k])) for side in (self.low, self.high))
        thick = [b - a for a, b in zip(lows, highs, strict=True)]
        if same(thick):
            return steps(lows, "every", self.size(round(thick[0], 7)), "at")
        if len({low for low, _ in column}) == 1 and len(column) >= 3:
            return f"[({number(column[0][0])}, top) for top in {steps(highs)}]"
        return f"[{', '.join(_pair(pair) for pair in column)}]"


def _parts(pairs: list) -> list[tuple[int, int]]:
    """Where to cut a row so that in each part but one coordinate varies, if that pays."""
    total = len(pairs[0])
    cuts, start = [], 0
    while start < total:
        end = start + 1
        while end < total and sum(len(set(c[start : end + 1])) > 1 for c in pairs) <= 1:
            end += 1
        cuts.append((start, end))
        start = end
    varying = sum(len(set(column)) > 1 for column in pairs)
    return cuts if varying > 2 or total >= 3 * len(cuts) else [(0, total)]


def _pair(pair: tuple[float, float]) -> str:
    return f"({number(pair[0])},{GLUE}{number(pair[1])})"


def _tuple(values: Floats, decimals: int = 0) -> str:
    texts = [f"{v:.{decimals}f}" if decimals else number(float(v)) for v in values]
    return f"({', '.join(texts)})"
