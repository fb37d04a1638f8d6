# SPDX-License-Identifier: GPL-3.0-or-later
"""One request in a fork of this process: given limits, waited for, and cleaned up after.

The process that forks is never asked to run a program itself. It hears what its child says through
pipes, takes no more of it than is allowed, and once the child is done kills everything that is left
beside itself, so that the next child finds nobody and nothing.
"""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
import stat
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from .box import VARIABLE
from .confine import descendants, kill_descendants, lacked_memory, memory_held
from .frames import FrameError, Incoming, pack, sound

#: How often a child is looked after, s.
TICK = 0.05
#: Files in the scratch folders beyond which a program is ended, and cleaning up isn't worth it.
MOST_FILES = 50_000
#: Lines of what a child printed that a message shows.
LINES_SHOWN = 12
_CHUNK = 1 << 20


Work = Callable[[Callable[[], None]], "tuple[dict[str, Any], dict[str, bytes]]"]


def boxed() -> bool:
    """Whether this process is the first one of a box, and all others there are its own."""
    return os.getpid() == 1 and os.environ.get(VARIABLE) == "1"


class Scratch:
    """The folder for temporary files, fresh for each request."""

    def __init__(self, folder: Path) -> None:
        self._folders = [folder]
        if boxed():
            self._folders.append(Path("/dev/shm"))
        self._kept: set[str] = set()
        self._shown: set[str] = set()
        for place in self._folders:
            self._remember(str(place), os.stat(place).st_dev)

    def _remember(self, folder: str, device: int) -> None:
        """Keep the folders that are there now; what the box shows among them is another device."""
        for entry in os.scandir(folder):
            if entry.is_dir(follow_symlinks=False):
                own = entry.stat(follow_symlinks=False).st_dev == device
                (self._kept if own else self._shown).add(entry.path)
                if own:
                    self._remember(entry.path, device)
            elif entry.stat(follow_symlinks=False).st_dev != device:
                self._shown.add(entry.path)

    def fresh(self) -> Path:
        """A new empty folder."""
        return Path(tempfile.mkdtemp(prefix="request-", dir=self._folders[0]))

    def files(self) -> int:
        """How many files and folders there are, where that is quickly told: in a box."""
        if not boxed():
            return 0
        seen = (os.statvfs(folder) for folder in self._folders)
        return sum(s.f_files - s.f_ffree for s in seen)

    def clean(self) -> bool:
        """Remove everything that a request left; whether nothing is left."""
        if self.files() > MOST_FILES:
            return False
        try:
            for place in self._folders:
                self._sweep(str(place))
            for path in sorted(self._kept):
                os.makedirs(path, mode=0o700, exist_ok=True)
        except (OSError, RecursionError):
            return False
        return True

    def _sweep(self, folder: str) -> None:
        for entry in list(os.scandir(folder)):
            if entry.path in self._shown:
                continue
            if not entry.is_dir(follow_symlinks=False):
                os.unlink(entry.path)
            elif entry.path in self._kept:
                os.chmod(entry.path, 0o700)
                self._sweep(entry.path)
            else:
                shutil.rmtree(entry.path, onerror=_open_up)


def _open_up(function: Callable[..., Any], path: str, _: Any) -> None:
    """Once more, with the rights that a program took from its own folders."""
    for place in (os.path.dirname(path), path):
        if stat.S_ISDIR(os.lstat(place).st_mode):
            os.chmod(place, 0o700)
    if function in (os.unlink, os.rmdir):
        function(path)
    else:
        shutil.rmtree(path)


class Child:
    """A fork that does ``work`` and sends back one message; see :meth:`result`."""

    def __init__(self, work: Work, limits: Mapping[str, Any]) -> None:
        self._limits = limits
        self._started = time.monotonic()
        self._reading, writing = os.pipe()
        self._hearing, saying = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # fork beside idle threads
            self._pid = os.fork()
        if self._pid == 0:
            _be_child(work, writing, saying)
        os.close(writing)
        os.close(saying)
        self._incoming = Incoming(limits["result"])
        self._words = bytearray()
        self._dropped = False
        self._open = {self._reading, self._hearing}
        self._exit: int | None = None
        self._usage: Any = None

    def result(
        self, deadline: float | None, scratch: Scratch
    ) -> tuple[dict[str, Any], dict[str, bytes]]:
        """Its message, or what became of it; afterwards it is gone, with all that it started."""
        try:
            trouble = self._watch(deadline, scratch)
        except FrameError as error:
            trouble = {"error": "crash", "message": str(error)}
        seconds = time.monotonic() - self._started
        self._end()
        if trouble is None and self._incoming.whole:
            answer, frames = self._incoming.take()
            answer = sound(answer)
        else:
            answer, frames = trouble or self._death(), {}
        if self._incoming.begun and answer.get("error") == "refused":
            answer["error"] = "crash"  # what has run a program has no say in what was wrong with it
        if "error" in answer:
            answer["words"] = self._last_words()
        answer["begun"] = self._incoming.begun
        answer["usage"] = {"wall": seconds, **_plain_usage(self._usage)}
        return answer, frames

    def _watch(self, deadline: float | None, scratch: Scratch) -> dict[str, Any] | None:
        """Until its message is whole or it has ended (``None``), or what it was ended for."""
        poll = select.poll()
        for end in self._open:
            poll.register(end, select.POLLIN)
            os.set_blocking(end, False)
        looked = self._started
        while not self._incoming.whole:
            for end, _ in poll.poll(TICK * 1000):
                if not self._take(end):
                    poll.unregister(end)
            now = time.monotonic()
            if deadline is not None and now - self._started > deadline:
                return {"error": "timeout", "message": ""}
            if now - looked < TICK:
                continue
            looked = now
            if self._has_ended():
                self._drain()
                return None
            if memory_held(descendants(os.getpid())) > self._limits["memory"]:
                most = self._limits["memory"] / (1 << 30)
                return {"error": "memory", "message": f"its processes held over {most:.1f} GiB"}
            if scratch.files() > MOST_FILES:
                return {"error": "crash", "message": f"it made more than {MOST_FILES} files"}
        return None

    def _take(self, end: int) -> bool:
        """Take what lies in a pipe; whether more may come."""
        try:
            chunk = os.read(end, _CHUNK)
        except BlockingIOError:
            return True
        if not chunk:
            self._open.discard(end)
            return False
        if end == self._reading:
            self._incoming.feed(chunk)
        else:
            self._hear(chunk)
        return True

    def _hear(self, chunk: bytes) -> None:
        """Hand on what is printed until it is too much."""
        room = self._limits["words"] - len(self._words)
        self._words += chunk[: max(0, room)]
        with contextlib.suppress(OSError):
            if room > 0:
                os.write(2, chunk[:room])
            elif not self._dropped:
                os.write(2, b"\n(and more, which was not kept)\n")
                self._dropped = True

    def _drain(self) -> None:
        for end in list(self._open):
            for _ in range(64):  # what a pipe holds, and no more: someone may still be writing
                if not self._take(end) or not select.select([end], [], [], 0)[0]:
                    break

    def _has_ended(self) -> bool:
        if self._exit is None:
            pid, status, usage = os.wait4(self._pid, os.WNOHANG)
            if pid:
                self._exit, self._usage = os.waitstatus_to_exitcode(status), usage
        return self._exit is not None

    def _end(self) -> None:
        if self._exit is None:
            os.kill(self._pid, signal.SIGKILL)
            _, status, self._usage = os.wait4(self._pid, 0)
            self._exit = os.waitstatus_to_exitcode(status)
        for end in (self._reading, self._hearing):
            with contextlib.suppress(OSError):
                os.close(end)

    def _death(self) -> dict[str, Any]:
        if self._exit == -signal.SIGXCPU:
            return {"error": "timeout", "message": "it used up its processor time"}
        if lacked_memory(self._words.decode("utf-8", "replace")):
            return {"error": "memory", "message": "it asked for more memory than it may have"}
        return {"error": "crash", "message": "", "exit": self._exit}

    def _last_words(self) -> list[str]:
        lines = self._words.decode("utf-8", "replace").splitlines()
        return [line.rstrip() for line in lines if line.strip()][-LINES_SHOWN:]


def _plain_usage(usage: Any) -> dict[str, Any]:
    unit = 1024 if sys.platform == "linux" else 1
    return {"cpu": usage.ru_utime + usage.ru_stime, "memory": usage.ru_maxrss * unit}


def _be_child(work: Work, writing: int, saying: int) -> None:
    """The child's whole life: it has three descriptors and never returns."""
    try:
        os.dup2(saying, 1)
        os.dup2(saying, 2)
        os.closerange(3, writing)
        os.closerange(writing + 1, 4096)
        answer, frames = work(lambda: _say(writing, b"\n"))
        _say(writing, pack(answer, frames))
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(0)  # no clean-up: handlers and drivers of the program must not run


def _say(end: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(end, view[:_CHUNK]) :]


def kill_others(patience: float = 5.0) -> bool:
    """Kill every process that a request left; whether none is left.

    In a box those are all but this one. Elsewhere they are this one's descendants, who can't get
    away from it (:func:`.confine.adopt_orphans`).
    """
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if boxed():
            with contextlib.suppress(ProcessLookupError):
                os.kill(-1, signal.SIGKILL)
        else:
            kill_descendants(os.getpid(), patience)
        if _reaped_all():
            return True
        time.sleep(0.002)
    return False


def _reaped_all() -> bool:
    while True:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return True
        if pid == 0:
            return False
