# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables of voxel runs in the report: own rows, the published ones, then what is absent."""

from __future__ import annotations

from collections.abc import Iterator

from .construction_published import SOURCE
from .construction_series import Table
from .construction_tables import Recorded, Tables, tables_of
from .construction_text import cell_text, column, heading, name, profiles, shown_columns
from .report_table import text
from .runfolder import Run


def constructions(run: Run) -> Iterator[str]:
    """The section as HTML; nothing for runs without voxel tasks."""
    asked = run.header["sessions"][-1]["asked"]
    tables = tables_of([Recorded(run.path.name, asked, run.records)])
    if tables is not None:
        yield from section(tables)


def section(tables: Tables) -> Iterator[str]:
    """Tables as HTML, folded one by one but for the first."""
    yield '<section class="constructions"><h2>Voxel construction, as in the published tables</h2>'
    told = f"Per cent, judged by profile {profiles(tables)}. Rows in grey are published: {SOURCE}."
    yield f'<p class="id">{text(told)}</p>'
    yield from (f'<p class="note">{text(note)}</p>' for note in tables.notes)
    for place, table in enumerate(tables.tables):
        yield from _table(table, unfolded=place == 0)
    if tables.absent:
        yield "<details><summary>Tables that this run does not give</summary><ul>"
        for one in tables.absent:
            yield f"<li>{text(heading(one.number))}: {text(one.why)}.</li>"
        yield "</ul></details>"
    yield "</section>"


def _table(table: Table, unfolded: bool) -> Iterator[str]:
    columns = shown_columns(table)
    title = f"{heading(table.number)}. {table.title}"
    yield f'<details class="overview"{" open" if unfolded else ""}>'
    yield f"<summary>{text(title)}</summary>"
    yield f'<div class="scroll" tabindex="0" role="region" aria-label="{text(title)}">'
    yield "<table><thead><tr><th scope=col>builder</th>"
    yield "".join(f'<th scope="col" class="number">{text(column(c))}</th>' for c in columns)
    yield "</tr></thead><tbody>"
    for row in table.rows:
        kind = ' class="published"' if row.published else ""
        mark = "<small>published</small>" if row.published else ""
        yield f'<tr{kind}><th scope="row">{text(name(row))}{mark}</th>'
        cells = (cell_text(table, row.cells.get(one)) for one in columns)
        yield "".join(f'<td class="number">{text(cell)}</td>' for cell in cells)
        yield "</tr>"
    yield "</tbody></table></div>"
    if table.note:
        yield f'<p class="id">{text(table.note)}</p>'
    yield "</details>"
