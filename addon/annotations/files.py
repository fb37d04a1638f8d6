# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of annotations: one an annotator, ``annotations/NAME.jsonl`` beside what was judged.

A file is only ever appended to, a line a judgment, and each line is on the disk before the call
returns. No file of another annotator is opened for writing.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from .. import strict_json
from ..runs.records import to_line
from ..runs.storage import StorageError, explained, make_folder
from .row import Row, is_row, normal_name

FOLDER = "annotations"
SUFFIX = ".jsonl"

_UNSAFE = re.compile(r"[^a-z0-9_-]+")
_DIGEST = re.compile(r"-[0-9a-f]{12}$")
_LONGEST = 60
# Names that Windows keeps for devices, whatever the suffix.
_DEVICES = frozenset(
    {"con", "prn", "aux", "nul", *(f"{d}{n}" for d in ("com", "lpt") for n in range(10))}
)


def file_name(annotator: str) -> str:
    """The name of an annotator's file, safe on every file system.

    A name in plain small letters stands as it is. Any other is cleaned and carries a digest of what
    it was, so that two names that differ in case or in what was cleaned share no file.
    """
    name = normal_name(annotator)
    safe = _UNSAFE.sub("_", name.lower()).strip("_")[:_LONGEST]
    if safe == name and safe not in _DEVICES and not _DIGEST.search(safe):
        return safe + SUFFIX
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{safe or 'annotator'}-{digest}{SUFFIX}"


@dataclass(frozen=True)
class Sheets:
    """Every row of some files in the order of the files, and sentences about what was odd."""

    rows: tuple[Row, ...] = ()
    notes: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()


def read_file(path: Path) -> Sheets:
    """The rows of one file; lines that are none are left out and said.

    Raises :class:`.runs.storage.StorageError` if it can't be read.
    """
    with explained(path):
        lines = path.read_bytes().split(b"\n")
    rows: list[Row] = []
    notes: list[str] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        row = _parse(line)
        if row is not None:
            rows.append(row)
        elif number == len(lines):
            notes.append(f"{path.name} line {number} is half-written and was left out")
        else:
            notes.append(f"{path.name} line {number} is no judgment and was left out")
    return Sheets(tuple(rows), tuple(notes), (path,))


def _parse(line: bytes) -> Row | None:
    try:
        row = strict_json.loads(line, strict_json.DEEPEST_FILE)
    except ValueError:
        return None
    return row if is_row(row) else None


def files_of(place: Path) -> list[Path]:
    """The annotators' files beside a run or a .blend: those in its folder ``annotations``."""
    folder = place / FOLDER
    with contextlib.suppress(OSError):
        return sorted(p for p in folder.iterdir() if p.suffix == SUFFIX and os.path.isfile(p))
    return []


def read_files(paths: Iterable[Path]) -> Sheets:
    """The rows of several files, one after the other. Raises as :func:`read_file` does."""
    read = [read_file(path) for path in paths]
    return Sheets(
        tuple(row for sheets in read for row in sheets.rows),
        tuple(note for sheets in read for note in sheets.notes),
        tuple(path for sheets in read for path in sheets.files),
    )


def append(path: Path, row: Row) -> None:
    """Add one row to an annotator's file; it is on the disk when this returns.

    What a killed writer left half-written stays, as a line of its own. A row that fits only in part
    is taken back. Raises :class:`.runs.storage.StorageError`.
    """
    make_folder(path.parent)
    with explained(path, "; what was judged before is kept"):
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        try:
            with _alone(descriptor):
                _add(descriptor, to_line(row).encode("ascii") + b"\n")
        finally:
            os.close(descriptor)
    _sync_folder(path.parent)


def _add(descriptor: int, data: bytes) -> None:
    before = os.lseek(descriptor, 0, os.SEEK_END)
    if before:
        os.lseek(descriptor, before - 1, os.SEEK_SET)
        if os.read(descriptor, 1) != b"\n":
            data = b"\n" + data
    try:
        while data:
            data = data[os.write(descriptor, data) :]
        os.fsync(descriptor)
    except BaseException:
        with contextlib.suppress(OSError):
            os.ftruncate(descriptor, before)
        raise


@contextlib.contextmanager
def _alone(descriptor: int) -> Iterator[None]:
    """Keep two windows of one annotator from writing into each other's line."""
    try:
        import fcntl
    except ImportError:  # Windows: appending a short line is one step there
        yield
        return
    with contextlib.suppress(OSError):  # file systems without locks
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    yield  # closing the file lets others in


def _sync_folder(folder: Path) -> None:
    """Have the disk remember the file's name, too; systems that can't open a folder needn't."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@dataclass
class Desk:
    """Where one annotator writes about one run or .blend.

    ``place`` is the folder that is judged (the run's, or that of the .blend), ``None`` for a file
    that was never saved; ``own`` is a folder of ours for what can't be kept there. ``told`` says in
    one sentence that it went there instead, and why.
    """

    annotator: str
    place: Path | None
    own: Path
    told: str | None = None

    def paths(self) -> list[Path]:
        """The annotator's files, those that there are."""
        name = file_name(self.annotator)
        places = [p for p in (self.place, self.own) if p is not None]
        return [path for p in places if os.path.isfile(path := p / FOLDER / name)]

    def read(self) -> Sheets:
        """What this annotator wrote here. Raises :class:`.runs.storage.StorageError`."""
        return read_files(self.paths())

    def write(self, row: Row) -> Path:
        """Add a row beside what was judged, or in a folder of ours where that can't be written to.

        Returns the file. Raises :class:`.runs.storage.StorageError` if neither takes it.
        """
        name = file_name(self.annotator)
        if self.place is not None:
            path = self.place / FOLDER / name
            try:
                append(path, row)
            except StorageError as error:
                other = self.own / FOLDER / name
                append(other, row)
                self.told = f"{error}. Kept in {other} instead"
                return other
            self.told = None
            return path
        path = self.own / FOLDER / name
        append(path, row)
        return path
