# SPDX-License-Identifier: GPL-3.0-or-later
"""A run on disk: ``run.json``, ``results.jsonl``, ``attempts/TASK/K/``, ``report.html``.

``RunWriter`` is held by the one process that runs; ``read_run`` reads what is there at any time,
also while it is being written and after the writer was killed.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from .. import strict_json
from .records import clean, to_line
from .shape import completed, is_record
from .storage import FolderLock, LineFile, StorageError, explained, make_folder, write_whole

RUN_SCHEMA = "plumbline.run/1"
RUN_FILE = "run.json"
RESULTS_FILE = "results.jsonl"
REPORT_FILE = "report.html"
LOCK_FILE = ".lock"
ATTEMPTS = "attempts"

# Files of an attempt's folder.
PROGRAM = "program.py"
SCENE = "scene.blend"
OUTPUT = "stdout.txt"
ERROR = "error.txt"
PICTURE = "picture.png"

_UNSAFE = re.compile(r"[^A-Za-z0-9._+-]+")
# Devices of Windows, whatever follows behind a dot.
_RESERVED = re.compile(r"(?i:con|prn|aux|nul|com\d|lpt\d)(\..*)?")


class RunFolderError(ValueError):
    """A folder that is no run, or not the run that was meant; one sentence with the remedy."""


class Key(NamedTuple):
    """What makes an attempt the same attempt when a run is resumed."""

    task: str | None
    agent: str | None
    variant: str | None
    epoch: int


def key_of(record: Mapping[str, Any]) -> Key:
    """The resume key of a stored record."""
    return Key(
        record.get("task"), record.get("agent"), record.get("variant"), record.get("epoch", 1)
    )


def attempt_folder(key: Key) -> str:
    """Folder of an attempt inside its run, ``attempts/TASK/K``, safe on every file system."""
    parts = [_safe(part) for part in (key.task or "no-task").split("/")]
    last = str(key.epoch) if key.variant is None else f"{_safe(key.variant)}-{key.epoch}"
    return "/".join([ATTEMPTS, *parts, last])


def free_folder(base: Path) -> Path:
    """``base``, or ``base-2``, ``base-3``, ...: the first that isn't there yet."""
    return next(
        path
        for number in range(1, 1000)
        if not os.path.lexists(
            path := base.with_name(f"{base.name}{f'-{number}' if number > 1 else ''}")
        )
    )


def _safe(part: str) -> str:
    """A name that every file system takes; a changed one keeps a digest of what it was."""
    safe = _UNSAFE.sub("_", part).strip(".")[:80]
    if safe and safe == part and not _RESERVED.fullmatch(part):
        return part
    return f"{safe}-{zlib.crc32(part.encode('utf-8', 'surrogatepass')):08x}"


@dataclass(frozen=True)
class Run:
    """A run as it was read: its header, the newest record of every attempt, and what was odd."""

    path: Path
    header: Mapping[str, Any]
    records: tuple[dict[str, Any], ...]
    notes: tuple[str, ...] = ()

    @property
    def finished(self) -> frozenset[Key]:
        """Attempts that need no second try: judged, or failed by no fault of the environment."""
        return frozenset(key_of(r) for r in self.records if not r.get("environment"))

    def folder_of(self, record: Mapping[str, Any]) -> Path | None:
        """The attempt's folder; ``None`` if there is none, or it is not inside the run."""
        name = record.get("attempt")
        if not isinstance(name, str):
            return None
        attempts = (self.path / ATTEMPTS).resolve()
        try:
            folder = (self.path / name).resolve()
            inside = folder != attempts and folder.is_relative_to(attempts)
            return folder if inside and folder.is_dir() else None
        except (OSError, ValueError):  # a name may hold what no file's name does
            return None


def read_run(
    path: Path | str, progress: Callable[[int, int], None] = lambda _done, _total: None
) -> Run:
    """Read a run folder.

    ``progress`` is told how many bytes of how many are read; what it raises ends the reading.
    Lines that are no whole record are dropped and named in ``notes``. Of several records of one
    attempt (an environment's fault, then a later success) the newest stands. Raises
    :class:`RunFolderError` where there is no run.
    """
    folder = Path(path)
    header = _read_header(folder)
    try:
        text = (folder / RESULTS_FILE).read_bytes()
    except FileNotFoundError:
        text = b""
    except OSError as error:
        raise RunFolderError(
            f"{folder / RESULTS_FILE}: {error.strerror}; check the rights of the folder"
        ) from error
    records, notes = _read_lines(text, progress)
    return Run(folder, header, tuple(records), tuple(notes))


def _read_header(folder: Path) -> dict[str, Any]:
    path = folder / RUN_FILE
    try:
        header = strict_json.loads(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        what = f"no {RUN_FILE} in it" if os.path.isdir(folder) else "no such folder"
        what = "is a file, not a run folder" if os.path.isfile(folder) else what
        raise RunFolderError(
            f"{folder}: {what}; give the folder that `plumbline run` wrote"
        ) from None
    except OSError as error:
        raise RunFolderError(f"{path}: {error.strerror}; check the rights of the folder") from error
    except ValueError as error:
        raise RunFolderError(
            f"{path}: is damaged ({error}); start a new run in another folder"
        ) from error
    if not isinstance(header, dict) or header.get("schema") != RUN_SCHEMA:
        raise RunFolderError(
            f"{path}: is not of schema {RUN_SCHEMA}; open it with the version that wrote it"
        )
    if not _has_sessions(header):
        raise RunFolderError(
            f"{path}: is damaged (its sessions don't say what was asked); start a new run in "
            "another folder"
        )
    return header


_TEXT = (str, type(None))
_COUNT = (int, type(None))
_NUMBER = (int, float, type(None))

# Fields of what a session was asked -> the types they may have; others are kept unread.
_ASKED: dict[str, tuple[type, ...]] = {
    "tasks": (list,),
    "agent": (str,),
    "profile": (str,),
    "protocol": (str,),
    "timeout": (int, float),
    **dict.fromkeys(("epochs", "workers", "attempts", "retries"), (int,)),
    **dict.fromkeys(("planner", "require_visual_similarity"), (bool,)),
    **dict.fromkeys(("reserve_last_launch", "text_tools", "text_only"), (bool,)),
    **dict.fromkeys(("limit", "seed", "max_tokens", "max_tokens_total"), _COUNT),
    **dict.fromkeys(("temperature", "max_seconds", "max_cost", "budget_cost"), _NUMBER),
    **dict.fromkeys(("base_url", "api", "effort", "edit_from"), _TEXT),
    **dict.fromkeys(("isolation", "require_isolation"), _TEXT),
}

# What a run is asked for once and for all: results under another would be no results of this run.
_FIXED = ("profile", "protocol")


def _has_sessions(header: Mapping[str, Any]) -> bool:
    """Whether every session is an object with what was asked, of types that can be resumed."""
    sessions = header.get("sessions")
    if not isinstance(sessions, list) or not sessions:
        return False
    for session in sessions:
        asked = session.get("asked") if isinstance(session, dict) else None
        if not isinstance(asked, dict) or not isinstance(session.get("versions"), dict):
            return False
        if not all(_is_moment(session.get(name)) for name in ("started", "ended")):
            return False
        if not all(isinstance(asked[k], t) for k, t in _ASKED.items() if k in asked):
            return False
        if not all(isinstance(name, str) for name in asked.get("tasks", ())):
            return False
    return True


def _is_moment(text: Any) -> bool:
    """Whether a session began or ended then; ``None``: it isn't said."""
    if text is None:
        return True
    try:
        return isinstance(text, str) and 1970 < datetime.fromisoformat(text).year < 9999
    except ValueError:
        return False


def _read_lines(
    data: bytes, progress: Callable[[int, int], None]
) -> tuple[list[dict[str, Any]], list[str]]:
    newest: dict[Key, dict[str, Any]] = {}
    notes: list[str] = []
    lines = data.split(b"\n")
    done = 0
    for number, line in enumerate(lines, start=1):
        done += len(line) + 1
        progress(done, len(data))
        if not line.strip():
            continue
        record = _parse(line)
        if record is not None:
            newest.pop(key_of(record), None)
            newest[key_of(record)] = record
        elif number == len(lines):
            notes.append(
                f"{RESULTS_FILE} line {number} is half-written and was dropped; "
                "--resume runs that attempt again"
            )
        else:
            notes.append(f"{RESULTS_FILE} line {number} is no record and was dropped")
    return list(newest.values()), notes


def _parse(line: bytes) -> dict[str, Any] | None:
    try:
        record = strict_json.loads(line, strict_json.DEEPEST_FILE)
    except ValueError:
        return None
    return completed(record) if is_record(record) else None


class RunWriter:
    """The run folder of the process that runs. Use as a context manager.

    ``asked`` is what was asked for (agent, profile, tasks, seed ...), ``versions`` what took part,
    ``agent`` what the agent says of itself (prompts with their hash ...); all go into ``run.json``,
    one entry a session, so that a resumed run shows each. Raises :class:`StorageError` when the
    disk refuses and :class:`RunFolderError` when the folder holds something else or another run.
    """

    def __init__(
        self,
        path: Path | str,
        asked: Mapping[str, Any],
        versions: Mapping[str, Any],
        resume: bool = False,
        agent: Mapping[str, Any] | None = None,
    ) -> None:
        self.path = Path(path)
        self.notes: tuple[str, ...] = ()
        self.finished: frozenset[Key] = frozenset()
        self._look(resume)  # before anything is written into a folder that is not ours
        make_folder(self.path)
        self._lock = FolderLock(self.path / LOCK_FILE)
        try:
            before = self._look(resume)  # again, now that nobody else writes
            if before is not None:
                self._continue(before, asked)
            self._header = _header(before, asked, versions, agent)
            write_whole(self.path / RUN_FILE, _json(self._header))
            self._results = LineFile(self.path / RESULTS_FILE)
        except BaseException:
            self._lock.release()
            raise

    def _look(self, resume: bool) -> Run | None:
        """What is in the folder already; refuses to mix with anything that is not meant."""
        with explained(self.path):
            if os.path.isfile(self.path):
                raise RunFolderError(f"{self.path}: is a file; choose another folder with --out")
            try:
                names = set(os.listdir(self.path))
            except FileNotFoundError:
                names = set()
        if RUN_FILE not in names:
            if names - {LOCK_FILE}:
                raise RunFolderError(
                    f"{self.path}: holds other files and no run; choose an empty or new folder "
                    "with --out"
                )
            return None
        if not resume:
            raise RunFolderError(
                f"{self.path}: holds a run already; add --resume to go on with it or choose "
                "another folder with --out"
            )
        return read_run(self.path)

    def _continue(self, run: Run, asked: Mapping[str, Any]) -> None:
        """Take over what is finished; refuses to mix profiles or protocols in one run."""
        first = run.header["sessions"][0]["asked"]
        for name in _FIXED:
            was, now_asked = first.get(name), asked.get(name)
            if was is not None and was != now_asked:
                raise RunFolderError(
                    f"{self.path}: was made with {name} {was}, not {now_asked}; resume with "
                    f"--{name} {was} or choose another folder with --out"
                )
        self.notes = run.notes
        self.finished = run.finished

    def attempt(self, key: Key) -> Path:
        """An empty folder for an attempt; what a broken try left in it is removed."""
        folder = self.path / attempt_folder(key)
        with explained(folder):
            if folder.exists():
                shutil.rmtree(folder)
        make_folder(folder)
        return folder

    def append(self, record: Mapping[str, Any]) -> None:
        """Store one record; it is on the disk when this returns."""
        self._results.append(to_line(record))

    def describe(self, agent: Mapping[str, Any]) -> None:
        """Note in ``run.json`` what the agent says of itself, where that is known only later."""
        self._header["sessions"][-1].update(agent=clean(agent))
        write_whole(self.path / RUN_FILE, _json(self._header))

    def finish(self, summary: Mapping[str, Any]) -> None:
        """Note in ``run.json`` when and how this session ended."""
        self._header["sessions"][-1].update(ended=now(), summary=clean(summary))
        write_whole(self.path / RUN_FILE, _json(self._header))

    def close(self) -> None:
        """Close the files and let others in."""
        self._results.close()
        self._lock.release()

    def __enter__(self) -> RunWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _header(
    before: Run | None,
    asked: Mapping[str, Any],
    versions: Mapping[str, Any],
    agent: Mapping[str, Any] | None,
) -> dict[str, Any]:
    said = {"agent": agent} if agent else {}
    session = clean({"asked": asked, "versions": versions, **said, "started": now(), "ended": None})
    if before is None:
        return {"schema": RUN_SCHEMA, "sessions": [session]}
    return {**before.header, "sessions": [*before.header["sessions"], session]}


def _json(data: Mapping[str, Any]) -> str:
    return json.dumps(data, indent=2, allow_nan=False) + "\n"


def now() -> str:
    """The time in UTC, ISO 8601 to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


__all__ = [
    "Key",
    "Run",
    "RunFolderError",
    "RunWriter",
    "StorageError",
    "attempt_folder",
    "key_of",
    "read_run",
]
