# SPDX-License-Identifier: GPL-3.0-or-later
"""Annotations from several places, with the records of the runs that they are about."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..runs.runfolder import RUN_FILE, Run, RunFolderError, read_run
from ..runs.storage import StorageError
from .files import FOLDER, SUFFIX, Sheets, files_of, read_files
from .row import About, Row, item_of, latest, of_attempt


@dataclass(frozen=True)
class Attempt:
    """An attempt of a run: where it lies, its record, and its place in the run's report."""

    run: Run
    index: int

    @property
    def record(self) -> Mapping[str, Any]:
        """The record as it was stored."""
        return self.run.records[self.index]


@dataclass
class Gathered:
    """Rows that stand, attempts by :func:`.row.item_of`, and sentences about what was odd."""

    rows: list[Row] = field(default_factory=list)
    attempts: dict[About, Attempt] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    @property
    def records(self) -> dict[About, Mapping[str, Any]]:
        """The record of each attempt."""
        return {item: attempt.record for item, attempt in self.attempts.items()}


def gather(
    places: Sequence[Path | str], unreadable: Callable[[str], None] | None = None
) -> Gathered:
    """Read run folders, folders with ``annotations`` in them, and single files of annotations.

    The same judgment in two places counts once. ``unreadable`` is told the sentence about a place
    that can't be read, and the rest is read all the same; without it ``RunFolderError`` or
    ``StorageError`` is raised.
    """
    found = Gathered()
    rows: list[Row] = []
    for place in map(Path, places):
        try:
            sheets = _sheets(place, found)
        except (RunFolderError, StorageError) as error:
            if unreadable is None:
                raise
            unreadable(str(error))
            continue
        rows += sheets.rows
        found.notes += [f"{place}: {note}" for note in sheets.notes]
    rows.sort(key=lambda row: row["time"])  # stable: what a file has later stays later
    found.rows = latest(rows)
    return found


def _sheets(place: Path, found: Gathered) -> Sheets:
    if place.suffix == SUFFIX and os.path.isfile(place):
        return read_files([place])
    if os.path.exists(place / RUN_FILE) or not os.path.isdir(place / FOLDER):
        run = read_run(place)
        found.notes += [f"{place}: {note}" for note in run.notes]
        found.attempts.update(attempts_of(run))
    return read_files(files_of(place))


def attempts_of(run: Run) -> dict[About, Attempt]:
    """The attempts of a run by what rows about them name."""
    started = run.header["sessions"][0].get("started")
    name = run.path.resolve().name
    return {
        item_of({"of": of_attempt(name, started, record["attempt"], record)}): Attempt(run, index)
        for index, record in enumerate(run.records)
        if record.get("attempt")
    }
