# SPDX-License-Identifier: GPL-3.0-or-later
"""A session in a folder: plain JSON and files, one call at a time, nothing lost by a kill.

``session.json`` is replaced as a whole. A call is written down before it begins, so that killing it
costs what it would have cost; what it did is written when it has ended. The digest in it shows
changes by hand; it keeps nobody out who can read this file (see docs/agents.md).
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import time
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ...tasks import Task, TaskError, load_task
from ..agent.agents import Limits
from ..agent.bench import Bench
from ..agent.outside_bench import SealedBench
from ..agent.tools.registry import toolset_for
from ..agent.tools.session import Session
from .runfolder import LOCK_FILE, now
from .storage import FolderLock, StorageError, explained, make_folder, write_whole

SCHEMA = "plumbline.session/1"
FILE = "session.json"
PICTURES = "pictures"
REFERENCE = "reference"
#: How long a call waits for another one, s; a run of code may take two minutes.
PATIENCE = 300.0
_BUSY = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)


class SessionError(ValueError):
    """A folder that is no session, or one that can't be used: one sentence with the remedy."""


class SessionFolder:
    """The folder of a session, held by one process at a time. Use as a context manager."""

    def __init__(self, folder: Path, patience: float = PATIENCE) -> None:
        self.folder = folder.absolute()
        self._lock = _locked(self.folder, patience)
        self.plain: dict[str, Any] = {}

    def __enter__(self) -> SessionFolder:
        return self

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def begin(self, task: Task, options: Mapping[str, Any], limits: Limits) -> None:
        """Write a session in which nothing has happened yet."""
        if (self.folder / FILE).exists():
            raise SessionError(f"{self.folder}: holds a session already; choose another --dir")
        self.plain = {
            "schema": SCHEMA,
            "task": task.id,
            "path": str(task.path.absolute()),
            "limits": asdict(limits),
            "started": now(),
            "pending": None,
            "scenes": {},
            "session": None,
            **options,
        }

    def load(self) -> None:
        """Read the session. Raises :class:`SessionError`."""
        path = self.folder / FILE
        try:
            plain = json.loads(path.read_text(encoding="utf-8"))
            digest = plain.pop("digest")
            known = plain["schema"]
        except OSError as error:
            raise SessionError(f"{path}: can't be read ({error.strerror}); check --dir") from None
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise SessionError(f"{path}: is no session; start a new one in another --dir") from None
        if known != SCHEMA:
            raise SessionError(f"{path}: is not of schema {SCHEMA}; use the version that wrote it")
        if digest != _digest(plain):
            raise SessionError(
                f"{path}: was changed by somebody else, so nothing in it can be trusted; start a "
                "new session in another --dir"
            )
        self.plain = plain

    def save(self) -> None:
        """Write the session; it is on the disk when this returns. Raises ``StorageError``."""
        text = json.dumps({**self.plain, "digest": _digest(self.plain)}, indent=1)
        write_whole(self.folder / FILE, text + "\n")

    def task(self) -> Task:
        """The task, unless it was changed or taken away. Raises :class:`SessionError`."""
        try:
            task = load_task(self.plain["path"])
        except TaskError as error:
            raise SessionError(str(error)) from None
        return task

    @property
    def limits(self) -> Limits:
        """Where the session stops."""
        return Limits(**self.plain["limits"])

    def open(self, bench: Bench, target: Any = lambda: None) -> tuple[Session, SealedBench]:
        """The session at work on a bench. A call that was killed is counted first.

        Raises :class:`SessionError` and ``AgentError``.
        """
        named = {str(self.folder / n): digest for n, digest in self.plain["scenes"].items()}
        sealed = SealedBench(bench, named)
        task, profile = self.task(), self.plain["profile"]
        tools = toolset_for(task, sealed, profile, self.folder, target)
        pictures, state = self.folder / PICTURES, self.plain["session"]
        if state is None:
            keep = self.plain["keep_last"]
            return Session.fresh(task, profile, tools, pictures, self.limits, keep), sealed
        try:
            session = Session.restored(state, task, tools, pictures, self.limits)
        except (KeyError, TypeError, ValueError) as error:
            raise SessionError(f"{self.folder / FILE}: is damaged ({error}); start anew") from None
        if self.plain["pending"] is not None:
            session.box.killed(self.plain["pending"])
            self.plain["pending"] = None
        return session, sealed

    def keep(self, session: Session, sealed: SealedBench) -> None:
        """Write down where the session stands."""
        self.plain["session"] = session.state()
        self.plain["pending"] = None
        self.plain["scenes"] = {
            Path(path).relative_to(self.folder).as_posix(): digest
            for path, digest in sealed.digests.items()
            if Path(path).is_relative_to(self.folder)
        }
        self.save()

    def call(
        self, session: Session, sealed: SealedBench, request: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Answer a request: written down before and after."""
        if request.get("do") == "call":
            self.plain["session"] = session.state()
            self.plain["pending"] = request.get("tool")
            self.save()
        try:
            return session.answer(request)
        finally:  # what the bench could not do has been counted all the same
            self.keep(session, sealed)


def new_folder(folder: Path) -> None:
    """Make the folder; one with something in it is refused. Raises :class:`SessionError`."""
    with explained(folder):
        if folder.is_file():
            raise SessionError(f"{folder}: is a file; choose another --dir")
        if folder.is_dir() and set(os.listdir(folder)) - {LOCK_FILE}:
            raise SessionError(f"{folder}: holds other files; choose an empty or new --dir")
    make_folder(folder)


def _locked(folder: Path, patience: float) -> FolderLock:
    """The lock of the folder, once whoever holds it has let go. Raises :class:`SessionError`."""
    if not folder.is_dir():
        raise SessionError(f"{folder}: there is no such folder; `plumbline session init` makes it")
    deadline = time.monotonic() + patience
    while True:
        try:
            return FolderLock(folder / LOCK_FILE)
        except StorageError as error:
            if error.errno not in _BUSY or os.access(folder, os.W_OK) is False:
                raise
            if time.monotonic() >= deadline:
                raise SessionError(
                    f"{folder}: another call is still under way; wait for it and call again"
                ) from None
        time.sleep(0.05)


def _digest(plain: Mapping[str, Any]) -> str:
    text = json.dumps(plain, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()
