# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of numbers as a person would write them in a program: steps where there are steps."""

from __future__ import annotations

from collections.abc import Sequence

#: Decimals of a metre that are written: places have six, faces lie half a size beside them.
DECIMALS = 7
#: Decimals are left out that say no more than this, m: half of float32's steps at 4 to 8 m.
NOISE = 2.4e-7
#: Faces lie so far beside whole millimetres only because centres are rounded to six decimals, m.
ROUNDING = 5.1e-7
#: A number of a row may be off by so much where it is written as a step, m: the rounding of places.
SLACK = 4.5e-7
#: Fewer equal steps than this are written number by number.
FEWEST = 3


def number(value: float) -> str:
    """A number with no more decimals than it needs: ``0``, ``0.038``, ``-1.25``."""
    decimals = next((d for d in (3, 4, 5, 6) if abs(round(value, d) - value) <= NOISE), DECIMALS)
    text = f"{value:.{decimals}f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def _exact(step: float) -> str:
    """A spacing, which is multiplied: to the last decimal."""
    return f"{step:.{DECIMALS}f}".rstrip("0").rstrip(".")


def tidy(value: float) -> float:
    """A place in whole millimetres where it is one but for the rounding of places."""
    whole = round(value, 3)
    return whole if abs(whole - value) <= ROUNDING else value


def step_of(values: Sequence[float]) -> float | None:
    """The spacing of equal steps, with as few decimals as will do; ``None`` for other values."""
    if len(values) < 2:
        return None
    first = float(number(values[0]))  # as it will be written
    mean = (values[-1] - first) / (len(values) - 1)
    for decimals in (3, 4, 5, 6, DECIMALS):
        step = round(mean, decimals)
        if step and all(abs(first + i * step - v) <= SLACK for i, v in enumerate(values)):
            return step
    return None


def runs(values: Sequence[float]) -> list[list[float]]:
    """The values cut into the longest rows of equal steps, in order; what has none stands alone."""
    found: list[list[float]] = []
    start = 0
    while start < len(values):
        end = start + 1
        while end < len(values) and (
            end - start < 2 or step_of(values[start : end + 1]) is not None
        ):
            end += 1
        long_enough = end - start > FEWEST
        found.append(list(values[start : end if long_enough else start + 1]))
        start += len(found[-1])
    return found


def steps(values: Sequence[float], name: str = "steps", thick: str = "", plain: str = "") -> str:
    """An expression for values, in words of the program's own helpers.

    Rows of equal steps become ``NAME(first, spacing, count)``, all else a list. With ``thick`` (an
    expression) it is the first argument of ``NAME``, and of ``PLAIN``, which then takes the others.
    """
    ahead = f"{thick}, " if thick else ""
    if len(values) >= FEWEST and (step := step_of(values)) is not None:
        return f"{name}({ahead}{number(values[0])}, {_exact(step)}, {len(values)})"
    parts: list[str] = []
    loose: list[str] = []

    def flush() -> None:
        if loose:
            inside = ", ".join(loose)
            parts.append(f"{plain}({ahead}{inside})" if plain else f"[{inside}]")
            loose.clear()

    for run in runs(values):
        if len(run) == 1:
            loose.append(number(tidy(run[0])))
            continue
        flush()
        step = step_of(run)
        assert step is not None
        parts.append(f"{name}({ahead}{number(run[0])}, {_exact(step)}, {len(run)})")
    flush()
    return " + ".join(parts)


def same(values: Sequence[float]) -> bool:
    """Whether all values are one."""
    return max(values) - min(values) <= SLACK


def period(columns: Sequence[Sequence[object]]) -> tuple[int, int, int] | None:
    """How a row of members is a grid: which column stays within a line, which repeats, how many.

    ``columns`` are the values of each coordinate, all of one length. Returns ``(outer, inner,
    count)``: the column that is the same within each line of ``count`` members, and the one that
    runs through the same values in every line. ``None`` for a row that is no grid of two varying
    coordinates.
    """
    varying = [i for i, column in enumerate(columns) if len(set(column)) > 1]
    if len(varying) != 2:
        return None
    total = len(columns[0])
    for outer, inner in (tuple(varying), tuple(reversed(varying))):
        lines, across = columns[outer], columns[inner]
        count = next((i for i in range(total) if lines[i] != lines[0]), total)
        if count < 2 or total % count or total // count < 2:
            continue
        if all(lines[i] == lines[i - i % count] for i in range(total)) and all(
            across[i] == across[i % count] for i in range(total)
        ):
            return outer, inner, count
    return None
