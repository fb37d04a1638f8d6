# SPDX-License-Identifier: GPL-3.0-or-later
"""The run folder that is open in the window: read as a job, its attempts brought in one by one.

One at a time, for as long as this file is open. Everything that panels show is worked out when the
run is opened or an attempt is chosen, nothing while they are drawn. Main thread only.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..agent.transcript import FILE as TRANSCRIPT
from ..agent.transcript import PICTURES
from ..comparing import Comparison
from ..ranking import findings_of, grouped
from ..runs.browsing import RunTable, why_no_scene
from ..runs.report import write_report
from ..runs.runfolder import PICTURE, PROGRAM, REPORT_FILE, SCENE, Run, read_run
from ..runs.storage import is_own_file
from . import jobs, recent, thumbnails
from .gallery import redraw
from .job import Job
from .scenes import Landed

#: Pictures of an attempt that are shown.
PICTURES_SHOWN = 12


@dataclass(frozen=True)
class Files:
    """What lies in an attempt's folder; ``why`` says why there is no scene."""

    folder: Path | None
    scene: Path | None = None
    program: Path | None = None
    transcript: bool = False
    pictures: tuple[Path, ...] = ()
    why: str = ""


@dataclass(frozen=True)
class Today:
    """What today's checks say of a stored scene: the record of it, beside the stored one."""

    record: Mapping[str, Any]
    against: Comparison


@dataclass
class OpenRun:
    """A run as the window knows it.

    ``chosen`` is the row that the panel tells about, -1 for none, ``a`` and ``b`` the rows that are
    compared. ``landed`` are scenes in this file by row, ``today`` what came of judging them again,
    ``trouble`` why that could not be done, ``coming`` the rows that are on their way. ``compared``
    is what differs between A and B, by today's checks unless ``as_recorded``.
    """

    run: Run
    table: RunTable
    chosen: int = -1
    a: int = -1
    b: int = -1
    files: Files = field(default_factory=lambda: Files(None))
    worst: tuple[str, ...] = ()
    landed: dict[int, Landed] = field(default_factory=dict)
    today: dict[int, Today] = field(default_factory=dict)
    trouble: dict[int, str] = field(default_factory=dict)
    coming: set[int] = field(default_factory=set)
    compared: Comparison | None = None
    as_recorded: bool = False

    @property
    def record(self) -> Mapping[str, Any] | None:
        """The record of the chosen attempt."""
        return self.run.records[self.chosen] if 0 <= self.chosen < len(self.table) else None

    @property
    def report(self) -> Path:
        """Where the report lies, if there is one."""
        return self.run.path / REPORT_FILE

    def choose(self, row: int) -> None:
        """Tell about this attempt from now on."""
        self.chosen = row
        record = self.record
        self.files = files_of(self.run, record) if record is not None else Files(None)
        thumbnails.load(self.files.pictures)
        groups = grouped(findings_of(record)) if record is not None else []
        self.worst = tuple(
            f"{group.root['subject']}: {group.root['message']}" for group in groups[:5]
        )


def files_of(run: Run, record: Mapping[str, Any]) -> Files:
    """What there is of an attempt on the disk. Damaged folders have less, and say so."""
    folder = run.folder_of(record)
    if folder is None:
        name = record.get("attempt")
        gone = f"Its folder {name} is not in the run." if name else "It has no folder in the run."
        fault = record.get("environment")
        return Files(None, why=f"{fault['message']} {gone}" if fault else gone)
    scene, program = folder / SCENE, folder / PROGRAM
    has_scene = is_own_file(folder, SCENE)
    found = [folder / PICTURE] if is_own_file(folder, PICTURE) else []
    with contextlib.suppress(OSError):  # a damaged folder has no pictures
        shown = sorted((folder / PICTURES).glob("*.png"))
        found += [p for p in shown if is_own_file(folder, f"{PICTURES}/{p.name}")]
    return Files(
        folder,
        scene if has_scene else None,
        program if is_own_file(folder, PROGRAM) and os.path.getsize(program) else None,
        is_own_file(folder, TRANSCRIPT),
        tuple(found[:PICTURES_SHOWN]),
        "" if has_scene else why_no_scene(record),
    )


_open: list[OpenRun] = []
_told: list[Callable[[], None]] = []
_ends: list[Callable[[], None]] = []


def now() -> OpenRun | None:
    """The run that is open, ``None`` without one."""
    return _open[0] if _open else None


def on_change(told: Callable[[], None]) -> None:
    """Have ``told`` called whenever another run is open, or none."""
    _told[:] = [told]


def open_folder(
    path: Path,
    then: Callable[[OpenRun], None] = lambda _: None,
    failed: Callable[[str], None] = lambda _: None,
) -> jobs.Work:
    """Read a run as a job and show it. What can't be read goes to ``failed`` as a sentence."""

    def read(job: Job) -> OpenRun:
        def reading(done: int, total: int) -> None:
            job.cancel.check()
            job.tell("progress", done=done, total=2 * total, words="reading")

        run = read_run(path, reading)

        def listing(done: int, total: int) -> None:
            job.cancel.check()
            job.tell("progress", done=total + done, total=2 * total, words="listing")

        return OpenRun(run, RunTable(run.records, listing))

    def done(found: OpenRun) -> None:
        _open[:] = [found]
        recent.add(found.run.path)
        found.choose(0 if len(found.table) else -1)
        _changed()
        then(found)

    return jobs.start(f"Opening {path.name}", read, done, failed)


def with_report(found: OpenRun, then: Callable[[Path], None]) -> None:
    """Hand the report's path on; where there is none it is written first, as a job."""
    if found.report.is_file():
        then(found.report)
        return
    path = found.run.path
    jobs.start(
        f"Writing the report of {path.name}", lambda _: write_report(path), then, lambda _: None
    )


def at_close(end: Callable[[], None]) -> None:
    """Have ``end`` called once, when this run is shown no more."""
    if end not in _ends:
        _ends.append(end)


def close() -> None:
    """Show no run any more; scenes that came from it stay in the file."""
    _open.clear()
    while _ends:
        _ends.pop()()
    _changed()


def _changed() -> None:
    for told in _told:
        told()
    redraw()


def run_above(path: Path) -> Path:
    """The run folder that a folder is in or is: who browses may go one step too deep."""
    for folder in (path, *list(path.parents)[:6]):
        if recent.is_run(folder):
            return folder
    return path
