# SPDX-License-Identifier: GPL-3.0-or-later
"""Annotations as a table for spreadsheets and statistics: CSV by RFC 4180."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import Any

from .row import Row

COLUMNS = (
    *("annotator", "time", "run", "started", "attempt", "step", "task", "variant", "epoch"),
    *("file", "scene", "type", "check", "member", "id", "frame", "x", "y", "z"),
    *("judgment", "opinion", "rating", "tags", "comment", "blind", "seconds"),
    *("profile", "verdict", "faults", "status", "found"),
)

# A spreadsheet takes a cell that begins so for a formula and runs it.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def as_csv(rows: Iterable[Row]) -> str:
    """The rows with a heading; lines end with CR LF, cells are quoted where they must be.

    A text that a spreadsheet would take for a formula gets an apostrophe in front: a comment is
    never run. Numbers stay numbers, places are three columns in metres.
    """
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    writer.writerows([_cell(cells.get(name)) for name in COLUMNS] for cells in map(_cells, rows))
    return stream.getvalue()


def _cells(row: Row) -> dict[str, Any]:
    subject, automatic = row["subject"], row["automatic"] or {}
    x, y, z = subject.get("location") or (None, None, None)
    return {
        **row["of"],
        **{name: subject.get(name) for name in ("type", "check", "member", "id", "frame")},
        "x": x,
        "y": y,
        "z": z,
        **{name: row[name] for name in ("annotator", "time", "judgment", "opinion", "rating")},
        **{name: row[name] for name in ("comment", "blind", "seconds")},
        "tags": "; ".join(row["tags"]),
        **{n: automatic.get(n) for n in ("profile", "verdict", "faults", "status", "found")},
    }


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str) and value.startswith(_FORMULA):
        return f"'{value}"
    return value
