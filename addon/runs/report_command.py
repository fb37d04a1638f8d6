# SPDX-License-Identifier: GPL-3.0-or-later
"""``plumbline report RUN_DIR...``: write (again) the report of runs, with pictures that lack.

With ``--tables`` nothing is written or drawn: the tables need the records alone.
"""

from __future__ import annotations

import argparse
import contextlib
import webbrowser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..agent.bench import BenchError, Scene
from ..kinds import KINDS
from . import construction_tables, construction_text
from .attempts import draw
from .cli import PASSED, UNREADABLE
from .console import Console
from .construction_tables import Recorded
from .records import clean, to_line
from .report import picture_of, write_report
from .runfolder import SCENE, Run, RunFolderError, read_run
from .seats import WorkerSeat
from .storage import StorageError
from .verdicts import first_line


def report(options: argparse.Namespace, terminal: Console) -> int:
    """Write the report of every run; one that can't be is said and the rest goes on.

    Where only tables are asked for the runs are just read.
    """
    code = PASSED
    writes = options.open or not options.tables
    read: list[Run] = []
    for folder in options.runs:
        try:
            run = read_run(folder)
            path = _write(run, options, terminal) if writes else None
        except (RunFolderError, StorageError) as error:
            terminal.warn(str(error))
            code = UNREADABLE
            continue
        for note in run.notes:
            terminal.warn(f"{folder}: {note}")
        read.append(run)
        if path and not options.json and not options.tables:
            terminal.line(str(path))
        if path and options.open:
            webbrowser.open(path.resolve().as_uri())
    if options.json or options.tables:
        _tell_tables(read, options.json, terminal)
    return code


def _write(run: Run, options: argparse.Namespace, terminal: Console) -> Path:
    """The report of a run, with the pictures that it lacks."""
    if not options.no_pictures:
        _draw_missing(run, terminal)
    return write_report(run.path)


def _tell_tables(runs: Sequence[Run], as_json: bool, terminal: Console) -> None:
    """The published tables over all the runs together: arms may lie in different ones."""
    tables = construction_tables.tables_of(
        [Recorded(run.path.name, run.header["sessions"][-1]["asked"], run.records) for run in runs]
    )
    if tables is None:
        terminal.warn("no run holds a voxel task, of which there are published tables")
    elif as_json:
        terminal.line(to_line(clean(tables.plain())))
    else:
        for line in construction_text.lines(tables, terminal.style):
            terminal.line(line)


def _draw_missing(run: Run, terminal: Console) -> None:
    """Render what was built but never drawn; a report without a picture is still a report."""
    missing = [
        (record, folder)
        for record in run.records
        if (folder := run.folder_of(record)) is not None
        and (folder / SCENE).is_file()
        and picture_of(run, record) is None
        and not _holds_nothing(record)
    ]
    with contextlib.closing(WorkerSeat()) as seat:
        for record, folder in missing:
            try:
                bench = seat.bench(folder)
                draw(record, bench, Scene(folder / SCENE), folder)
            except BenchError as error:
                terminal.warn(f"{record['attempt']}: no picture could be made: {first_line(error)}")
                if error.kind == "no_blender":
                    return


def _holds_nothing(record: Mapping[str, Any]) -> bool:
    """Whether the record counted the members or blocks and found none: nothing can be drawn."""
    counted = KINDS[record["kind"]].counted if record["kind"] in KINDS else ""
    return record["metrics"].get(counted) == 0
