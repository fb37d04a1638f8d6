# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables of voxel runs in words: how a figure is written, and whole tables for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from . import wording
from .console import Style
from .construction_published import SOURCE
from .construction_series import Cell, Row, Table
from .construction_tables import Recorded, Tables, tables_of

#: Columns as people read them; what is not here is shown as it is.
COLUMNS: Mapping[str, str] = {
    "physical_plausibility": "plausibility",
    "structural_stability": "stability",
    "accurate": "accuracy",
    "none": "no cue",
    "step_by_step": "step by step",
    "order_aware": "order",
}
_GAP = "  "
_NONE = "-"
_NAME = 34


def column(name: str) -> str:
    """Heading of a column."""
    first, comma, rest = name.partition(", ")
    words = COLUMNS.get(first, first)
    return f"{words}{comma}{rest}"


def figure(cell: Cell | None) -> str:
    """A figure in per cent: ``84.5``, ``286/723 39.6``, ``84.1 ±2.4 (84.5)``, ``+20.9``."""
    if cell is None:
        return ""
    value = _NONE if cell.value is None else f"{100 * cell.value:{'+' if cell.change else ''}.1f}"
    parts = [value]
    if cell.passed is not None:
        parts.insert(0, f"{cell.passed}/{cell.of}")
    if cell.half_range is not None:
        parts.append(f"±{100 * cell.half_range:.1f}")
    if cell.whole is not None:
        parts.append(f"({100 * cell.whole:.1f})")
    return " ".join(parts)


def name(row: Row) -> str:
    """Who a row is of, with its arm."""
    return f"{row.name}: {row.arm}" if row.arm else row.name


def heading(number: str) -> str:
    """``Table 2``, ``Tables 3 and 4``."""
    first, comma, rest = number.partition(", ")
    return f"Tables {first} and {rest}" if comma else f"Table {number}"


def profiles(tables: Tables) -> str:
    """The profiles that the own rows were judged by."""
    return ", ".join(sorted({str(one["profile"]) for one in tables.builders}))


def shown_columns(table: Table) -> list[str]:
    """The columns in which some row says something."""
    return [one for one in table.columns if any(one in row.cells for row in table.rows)]


def is_graded(table: Table) -> bool:
    """Whether the figures tell of how many they are, as those of Table 5 do."""
    return table.number == "5"


def lines(tables: Tables, style: Style) -> Iterator[str]:
    """All tables for a terminal; published rows are dim and marked with an asterisk."""
    for line in _all_lines(tables, style):
        yield line if style.unicode else line.replace("±", "+-")


def _all_lines(tables: Tables, style: Style) -> Iterator[str]:
    for table in tables.tables:
        yield ""
        title = f"{heading(table.number)}. {table.title} (per cent)"
        yield from (style.paint(one, "bold") for one in textwrap.wrap(title, style.width))
        yield from _rows(table, style)
        if table.note:
            yield from textwrap.wrap(wording.printable(table.note), style.width)
    yield ""
    foot = f"* published: {SOURCE}; the others judged by profile {profiles(tables)}"
    yield from textwrap.wrap(foot, style.width)
    for note in tables.notes:
        yield from textwrap.wrap(wording.printable(note), style.width)
    for one in tables.absent:
        told = f"{heading(one.number)}: not there, since {one.why}."
        yield from textwrap.wrap(told, style.width)


def _rows(table: Table, style: Style) -> Iterator[str]:
    columns = shown_columns(table)
    heads = [column(one) for one in columns]
    body = [[cell_text(table, row.cells.get(one)) for one in columns] for row in table.rows]
    names = [wording.clip(_marked(row), _NAME, style.ellipsis) for row in table.rows]
    first = max([len("builder"), *(wording.display_width(one) for one in names)])
    widths = [
        max(len(head), *(len(line[place]) for line in body)) for place, head in enumerate(heads)
    ]
    # Columns that don't fit go below, under the names again: no figure is cut.
    for start, end in _blocks(widths, style.width - first):
        yield style.paint(_line("builder", first, heads[start:end], widths[start:end]), "dim")
        for row, who, line in zip(table.rows, names, body, strict=True):
            if not any(line[start:end]):
                continue
            told = _line(who, first, line[start:end], widths[start:end])
            yield style.paint(told, "dim") if row.published else told


def cell_text(table: Table, cell: Cell | None) -> str:
    """A figure as the table needs it: in Table 5 with the number of problems behind it."""
    if cell is None or not is_graded(table):
        return figure(cell)
    return f"{figure(cell)} of {cell.of}"


def _marked(row: Row) -> str:
    return wording.printable(f"{name(row)} *" if row.published else name(row))


def _blocks(widths: Sequence[int], room: int) -> Iterator[tuple[int, int]]:
    """Columns that fit side by side, from and to."""
    start = used = 0
    for place, width in enumerate(widths):
        if place > start and used + len(_GAP) + width > room:
            yield start, place
            start, used = place, 0
        used += len(_GAP) + width
    yield start, len(widths)


def _line(who: str, first: int, cells: Sequence[str], widths: Sequence[int]) -> str:
    padding = " " * (first - wording.display_width(who))
    parts = [f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True)]
    return _GAP.join([who + padding, *parts]).rstrip()


def closing(records: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """What a run says of its voxel tasks at its end: one line a builder."""
    tables = tables_of([Recorded("", {}, records)])
    if tables is None or not tables.tables:
        return
    level, problems = tables.tables[:2]
    for instructions, solved in zip(level.rows, problems.rows, strict=False):
        if instructions.published or "overall" not in solved.cells:
            continue
        kinds = ", ".join(
            f"{column(kind)} {figure(instructions.cells[kind])}"
            for kind in level.columns[:7]
            if kind in instructions.cells
        )
        overall = solved.cells["overall"]
        yield wording.printable(
            f"voxel, {instructions.name}: {overall.passed} of "
            f"{wording.count(overall.of or 0, 'problem')} solved; "
            f"per cent of the checks: {kinds}"
        )
