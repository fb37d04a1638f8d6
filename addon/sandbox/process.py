# SPDX-License-Identifier: GPL-3.0-or-later
"""One worker process as its parent sees it: started, heard, killed with all that it started.

No ``bpy`` here. A process is started by a thread that lives as long as this program: the kernel
ends a box when the thread that made it ends, and that must not be some job's.
"""

from __future__ import annotations

import contextlib
import os
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Literal

from . import box, confine, frames
from .limits import Limits, processes_of_user
from .worker import FOLDER_PREFIX

Kind = Literal["timeout", "memory", "crash", "refused", "no_blender", "isolation"]
Stage = Literal["start", "program", "read", "picture"]

#: How long a process may take until it is ready, s: a cold disk, a first start.
START_TIMEOUT = 120.0
#: How long a process that closed its pipe may take to end, s.
END_TIMEOUT = 5.0
#: Lines of the standard error kept for messages.
LINES_KEPT = 200
#: Characters after which a line counts as ended.
LINE_KEPT = 4096
#: Lines of it that a message shows.
LINES_SHOWN = 12
#: Bytes of one process's standard error that a log gets; what floods after that is dropped.
LOG_KEPT = 16 << 20
#: How often a process that keeps no watch itself is looked after, s.
TICK = 0.1
_PIECE = 1 << 16

# All that the worker inherits: where programs and libraries lie, the language, what Windows needs.
# Keys and tokens of the person's environment stay out.
_INHERITED = (
    "PATH",
    "LANG",
    "LC_ALL",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "LIBGL_ALWAYS_SOFTWARE",
    "SYSTEMROOT",
    "SYSTEMDRIVE",
    "WINDIR",
    "COMSPEC",
    "PATHEXT",
)


class WorkerError(RuntimeError):
    """Why a request has no result.

    ``kind``: timeout, memory, crash, refused (what was asked for can't be done), no_blender, or
    isolation (there is no box, and there should be). ``stage`` is where: at ``start`` it is the
    environment's fault, in ``program`` the program's own, in ``read`` and ``picture`` that of the
    scene. ``usage``: seconds (``wall``, ``cpu``) and bytes (``memory``) of the child that failed.
    """

    def __init__(self, kind: Kind, message: str, stage: Stage = "start") -> None:
        super().__init__(message)
        self.kind: Kind = kind
        self.message = message
        self.stage: Stage = stage
        self.usage: Mapping[str, Any] = {}


class _Starter:
    """A thread that starts processes, and stays."""

    def __init__(self) -> None:
        self._jobs: queue.SimpleQueue[tuple[Any, queue.SimpleQueue[Any]]] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._process = 0
        self._lock = threading.Lock()

    def start(self, arguments: Sequence[Any], **options: Any) -> subprocess.Popen[bytes]:
        """As ``subprocess.Popen``; raises what that raises."""
        with self._lock:
            if self._thread is None or self._process != os.getpid():  # a fork has no threads
                self._process = os.getpid()
                self._thread = threading.Thread(target=self._work, daemon=True)
                self._thread.start()
        answer: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._jobs.put(((arguments, options), answer))
        found = answer.get()
        if isinstance(found, BaseException):
            raise found
        process: subprocess.Popen[bytes] = found
        return process

    def _work(self) -> None:
        while True:
            (arguments, options), answer = self._jobs.get()
            try:
                answer.put(subprocess.Popen(arguments, **options))
            except BaseException as error:
                answer.put(error)


_STARTER = _Starter()


class Process:
    """One worker process with its pipes, its temporary folder and the threads that read it.

    ``boxed`` puts it into a box; raises :class:`.box.BoxError` where that can't be.
    """

    def __init__(
        self,
        command: list[str],
        log: str | Path | IO[str] | None,
        limits: Limits,
        boxed: bool,
        shaders: Path,
    ) -> None:
        self.boxed = boxed
        self.forking = False
        self.limits = {
            **limits.to_plain(),
            "processes": limits.processes + processes_of_user() + 4 * (os.cpu_count() or 1),
        }
        self._limits = limits
        self._most = limits.result
        # In a box it would not be seen, and with no one left in there to remove it.
        self._folder = None if boxed else Path(tempfile.mkdtemp(prefix=FOLDER_PREFIX))
        self._answers: queue.Queue[tuple[dict[str, Any], dict[str, bytes]] | None] = queue.Queue()
        self._words: deque[str] = deque(maxlen=LINES_KEPT)
        self._opened: IO[str] | None = None
        self._room = LOG_KEPT
        self._closed = False
        self._greeted = False
        self._longest = frames.LINE_LIMIT
        try:
            self._log = self._open_log(log)
            self._popen = self._start(command, limits, shaders)
        except OSError as error:
            self._tidy()
            raise WorkerError(
                "no_blender", f"{command[0]} can't be started ({error.strerror or error})"
            ) from None
        except BaseException:
            self._tidy()
            raise
        self._threads = [
            threading.Thread(target=target, daemon=True)
            for target in (self._read_answers, self._read_words)
        ]
        for thread in self._threads:
            thread.start()

    def _open_log(self, log: str | Path | IO[str] | None) -> IO[str] | None:
        if isinstance(log, (str, Path)):
            self._opened = open(log, "a", encoding="utf-8")  # noqa: SIM115 - closed in _tidy
            return self._opened
        return log

    def _start(self, command: list[str], limits: Limits, shaders: Path) -> subprocess.Popen[bytes]:
        own = command[0] == sys.executable
        environment = worker_environment(self._folder or Path(box.SCRATCH), own)
        if self.boxed:
            searched = environment.get("PYTHONPATH", "").split(os.pathsep)
            shown = box.folders_of(command, [name for name in searched if name])
            environment["MESA_SHADER_CACHE_DIR"] = f"{box.SCRATCH}/shaders"
            environment["PATH"] = "/usr/bin:/bin"  # no word of how this machine is set up
            command = box.Box(shown, environment, limits, first=own).command(command)
            environment = {}
        else:
            environment["MESA_SHADER_CACHE_DIR"] = str(shaders)
        return _STARTER.start(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self._folder or "/",
            env=environment,
            **_own_group(),
        )

    def _read_answers(self) -> None:
        stream = self._popen.stdout
        assert stream is not None
        while line := self._line(stream):
            if not frames.is_ours(line):
                self._hear(line)
                continue
            try:
                content, sizes = frames.parse(line, self._most, mend=True)
            except frames.FrameError as error:
                self._hear(str(error).encode())
                break
            files = {name: stream.read(size) for name, size in sizes}
            self._answers.put((frames.sound(content) if self._greeted else content, files))
            self._greeted = True
        self._closed = True
        self._answers.put(None)

    def _line(self, stream: IO[bytes]) -> bytes:
        """The next line of the answers, nothing at their end or when it is longer than allowed."""
        parts: list[bytes] = []
        while part := stream.readline(_PIECE):
            parts.append(part)
            if part.endswith(b"\n"):
                return b"".join(parts)
            if len(parts) * _PIECE > self._longest:
                return b""
        return b""

    def _read_words(self) -> None:
        assert self._popen.stderr is not None
        # A flood without a line end must not pile up here.
        while line := self._popen.stderr.readline(LINE_KEPT):
            self._hear(line)

    def _hear(self, line: bytes) -> None:
        text = line.decode("utf-8", "replace")
        self._words.append(text)
        self._room -= len(line)
        if self._log is not None and self._room > 0:
            try:
                self._log.write(text)
                self._log.flush()
            except (OSError, ValueError):  # a full disk or a closed log must not end the work
                self._log = None

    def alive(self) -> bool:
        """Whether the pipe is still open; the process isn't polled, so that its id stays ours."""
        return not self._closed

    def wait_until_ready(self) -> None:
        """Wait for the first answer. Raises ``WorkerError`` if it doesn't come."""
        late = f"Blender wasn't ready within {START_TIMEOUT:g} s"
        hello, _ = self.receive(START_TIMEOUT, late)
        if not hello.get("ready"):
            raise WorkerError("no_blender", str(hello.get("message")))
        self.forking = bool(hello.get("forking"))

    def send(self, message: Mapping[str, Any], files: Mapping[str, bytes], timeout: float) -> None:
        """Send a request; one that isn't taken within ``timeout`` seconds ends the process."""
        if message["action"] == "run" and not self.forking:
            self._longest = frames.PROGRAM_LINE_LIMIT
        assert self._popen.stdin is not None
        alarm = threading.Timer(timeout, self.kill)
        alarm.start()
        try:
            self._popen.stdin.write(frames.pack(message, files))
            self._popen.stdin.flush()
        except OSError:
            raise self._died() from None
        finally:
            alarm.cancel()

    def receive(self, timeout: float, too_long: str) -> tuple[dict[str, Any], dict[str, bytes]]:
        """The next answer within ``timeout`` seconds."""
        end = time.monotonic() + timeout
        while (left := end - time.monotonic()) > 0:
            with contextlib.suppress(queue.Empty):
                answer = self._answers.get(timeout=left if self.forking else min(TICK, left))
                if answer is None:
                    raise self._died()
                return answer
            if not self.forking and sys.platform == "linux" and self._is_too_large():
                raise WorkerError("memory", "its processes held more memory than they may")
        raise WorkerError("timeout", f"{too_long}; the process was ended")

    def _is_too_large(self) -> bool:
        held = confine.memory_held(confine.descendants(self._popen.pid))
        return held > self._limits.memory

    def _died(self) -> WorkerError:
        epitaph = self._epitaph()
        return WorkerError("memory" if confine.lacked_memory(epitaph) else "crash", epitaph)

    def _epitaph(self) -> str:
        """Why the process is gone."""
        code = _exit_code(self._popen)
        self._threads[1].join(END_TIMEOUT)
        return f"Blender ended before it answered: {ending(code)}{self.last_words()}"

    def last_words(self) -> str:
        """The end of what the process printed, as further lines of a message."""
        return indented([line.rstrip() for line in list(self._words) if line.strip()])

    def kill(self) -> None:
        """Kill the process and all that it started; :meth:`end` still has to follow."""
        if self._popen.returncode is None:  # not reaped, so its id is still its own
            _kill_group(self._popen)

    def end(self) -> None:
        """Kill the process and all that it started, and remove its folder."""
        _kill_group(self._popen)
        try:
            self._popen.wait(END_TIMEOUT)
        except subprocess.TimeoutExpired:
            self._popen.kill()
        for thread in self._threads:
            thread.join(END_TIMEOUT)
        for pipe in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            with contextlib.suppress(OSError):  # closing flushes what no one reads any more
                if pipe is not None and not any(t.is_alive() for t in self._threads):
                    pipe.close()
        self._tidy()

    def _tidy(self) -> None:
        if self._opened is not None:
            with contextlib.suppress(OSError):  # a full disk may lose the log, nothing else
                self._opened.close()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)


def worker_environment(folder: Path, own_python: bool) -> dict[str, str]:
    """The environment of a worker: no secrets, settings and temporary files in ``folder``.

    Where this Python looks for modules concerns only a worker in this Python (``own_python``).
    Hashes are seeded, so that a program which walks over a set builds the same thing twice.
    """
    environment = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    if own_python and "PYTHONPATH" in os.environ:
        environment["PYTHONPATH"] = os.environ["PYTHONPATH"]
    for name in ("HOME", "USERPROFILE", "APPDATA", "TMPDIR", "TEMP", "TMP", "XDG_RUNTIME_DIR"):
        environment[name] = str(folder)
    environment["BLENDER_USER_RESOURCES"] = str(folder / "blender")
    environment.update(PYTHONHASHSEED="0", PYTHONDONTWRITEBYTECODE="1", PYTHONUTF8="1")
    return environment


def indented(lines: Sequence[str]) -> str:
    """The last of ``lines`` as further lines of a message."""
    return "".join("\n    " + line for line in lines[-LINES_SHOWN:])


def _own_group() -> dict[str, Any]:
    if os.name == "posix":
        return {"start_new_session": True}
    return {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}


def _exit_code(process: subprocess.Popen[bytes]) -> int | None:
    """Exit code of a process that closed its pipe, ``None`` if it doesn't end in time.

    On POSIX it is looked at without being reaped: until its group is killed its id must stay taken.
    """
    if os.name != "posix":
        with contextlib.suppress(subprocess.TimeoutExpired):
            return process.wait(END_TIMEOUT)
        return None
    deadline = time.monotonic() + END_TIMEOUT
    while time.monotonic() < deadline:
        seen = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if seen is not None:
            return seen.si_status if seen.si_code == os.CLD_EXITED else -seen.si_status
        time.sleep(0.01)
    return None


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    if os.name == "posix":
        if sys.platform == "linux":
            # First those who left the group: once the worker is gone no one could find them.
            confine.kill_descendants(process.pid)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        return
    subprocess.run(  # the only way on Windows to reach what the process started
        ["taskkill", "/F", "/T", "/PID", str(process.pid)], capture_output=True, check=False
    )


def ending(code: int | None) -> str:
    """An exit code in words; a shell or wrapper tells a signal as 128 + its number."""
    if code is None:
        return "it closed its pipe but didn't end"
    number = -code if code < 0 else code - 128 if 128 < code < 160 else 0
    if number:
        try:
            return f"it was ended by signal {signal.Signals(number).name} ({number})"
        except ValueError:
            return f"it was ended by signal {number}"
    return f"it left with exit code {code}"
