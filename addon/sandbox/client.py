# SPDX-License-Identifier: GPL-3.0-or-later
"""A Blender in a process of its own, asked by JSON lines and never waited for without a deadline.

No ``bpy`` here. The parent kills the whole process group when a deadline passes and reads a signal
as a result; the next request then starts a fresh process.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
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

from .worker import FOLDER_PREFIX, MARK

Kind = Literal["timeout", "crash", "refused", "no_blender"]

#: Names the Blender to use, before anything that is found.
BLENDER_VARIABLE = "PLUMBLINE_BLENDER"
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

WORKER = Path(__file__).with_name("worker.py")

_REMEDY = (
    "no Blender was found: `python3 run_suite.py --setup` brings one as a Python module; or "
    "install Blender 4.2 or newer and put `blender` on the PATH or its path into "
    f"{BLENDER_VARIABLE}"
)

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


# Parameters of requests that are paths.
_PATHS = frozenset({"path", "start", "save", "blend", "out"})


class WorkerError(RuntimeError):
    """Why a request has no result. ``kind``: timeout, crash, refused or no_blender."""

    def __init__(self, kind: Kind, message: str) -> None:
        super().__init__(message)
        self.kind: Kind = kind
        self.message = message


def blender_command(executable: str | None = None) -> list[str]:
    """The command that starts a worker: this Python if it has bpy, else a Blender binary.

    In order: ``executable``, the variable :data:`BLENDER_VARIABLE`, the Blender that we run in,
    this Python, ``blender`` on the PATH. Raises ``WorkerError("no_blender", remedy)``.
    """
    named = executable or os.environ.get(BLENDER_VARIABLE)
    if named:
        found = shutil.which(os.path.expanduser(named))
        if found is None:
            raise WorkerError("no_blender", f"{named} is no program that can be started")
        return _binary_command(found)
    running = getattr(getattr(sys.modules.get("bpy"), "app", None), "binary_path", "")
    if running:
        return _binary_command(running)
    if _bpy_installed():
        return [sys.executable, "-P", str(WORKER)]
    on_path = shutil.which("blender")
    if on_path is None:
        raise WorkerError("no_blender", _REMEDY)
    return _binary_command(on_path)


def _binary_command(binary: str) -> list[str]:
    options = ["--background", "--factory-startup", "--disable-autoexec", "--offline-mode"]
    # Blender's Python ignores its environment otherwise, and with it the seed of its hashes.
    options += ["--python-use-system-env", "--python-exit-code", "1"]
    return [binary, *options, "--python", str(WORKER), "--"]


def _bpy_installed() -> bool:
    """Whether a real bpy lies here; stubs for editors have no compiled part and don't count."""
    try:
        spec = importlib.util.find_spec("bpy")
    except (ImportError, ValueError):
        return False
    return bool(spec and spec.origin and spec.origin.endswith((".so", ".pyd", ".dylib")))


class BlenderWorker:
    """Client of one worker process; started with the first request, restarted after a failure.

    ``command`` as from :func:`blender_command` (the default). ``log`` gets everything that the
    process prints: a path to append to, or a text stream. ``memory`` caps the address space of each
    request, bytes (Linux; NumPy and Blender alone take about 3 GiB of it).
    """

    def __init__(
        self,
        command: Sequence[str] | None = None,
        log: str | Path | IO[str] | None = None,
        memory: int | None = None,
    ) -> None:
        self._command = list(command) if command is not None else None
        self._log = log
        self._memory = memory
        self._process: _Process | None = None
        self._number = 0
        self._engine: str | None = None
        self._lock = threading.Lock()
        self._stopped = False

    def __enter__(self) -> BlenderWorker:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process, if there is one."""
        with self._lock:
            self._drop()

    def kill(self) -> None:
        """End the process at once and for good, from any thread.

        A request under way fails as a crash, and so does every later one.
        """
        self._stopped = True
        process = self._process
        if process is not None:
            process.kill()

    def request(self, action: str, timeout: float = 120.0, **params: Any) -> dict[str, Any]:
        """Ask for ``action`` and wait at most ``timeout`` seconds for its result.

        Raises :class:`WorkerError`. A process that failed or timed out is ended with everything it
        started; the next request gets a fresh one. The time that a process needs to start doesn't
        count.
        """
        if action == "picture" and self._engine is not None:
            params = {"engine": self._engine, **params}
        try:
            return self._request(action, timeout, params)
        except WorkerError as error:
            # Without a drawing surface Blender ends itself; Cycles needs none.
            if action != "picture" or error.kind != "crash" or "engine" in params:
                raise
            self._engine = "cycles"
            return self._request(action, timeout, {"engine": self._engine, **params})

    def _request(self, action: str, timeout: float, params: dict[str, Any]) -> dict[str, Any]:
        with self._lock:
            process = self._running()
            self._number += 1
            message = {"id": self._number, "action": action, "params": _absolute(params)}
            if self._memory:
                message["memory"] = self._memory
            try:
                process.send(message)
                answer = process.receive(timeout, f"{action} took longer than {timeout:g} s")
            except BaseException:  # an interrupt too: what is under way has no one to hear it
                self._drop()
                raise
            return self._result(process, action, answer)

    def _result(self, process: _Process, action: str, answer: Mapping[str, Any]) -> dict[str, Any]:
        kind = answer.get("error")
        if kind == "refused":
            raise WorkerError("refused", str(answer["message"]))
        if kind is not None:
            ended = answer.get("exit")
            reason = _ending(ended) if ended is not None else str(answer["message"])
            words = f"{action} failed: {reason}{process.last_words()}"
            if not process.forking:
                self._drop()
            raise WorkerError("crash", words)
        if action == "build" and not process.forking:
            self._drop()  # a process that ran a program is never used again
        return dict(answer["result"])

    def _running(self) -> _Process:
        if self._process is not None and not self._process.alive():
            self._drop()
        if self._stopped:
            raise WorkerError("crash", "this worker was stopped")
        if self._process is None:
            self._process = _Process(self._command or blender_command(), self._log)
            try:
                self._process.wait_until_ready()
            except BaseException:
                self._drop()
                raise
        return self._process

    def _drop(self) -> None:
        if self._process is not None:
            self._process.end()
            self._process = None


class _Process:
    """One worker process with its pipes, its temporary folder and the threads that read it."""

    def __init__(self, command: list[str], log: str | Path | IO[str] | None) -> None:
        self.forking = False
        self._folder = Path(tempfile.mkdtemp(prefix=FOLDER_PREFIX))
        self._answers: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._words: deque[str] = deque(maxlen=LINES_KEPT)
        self._opened: IO[str] | None = None
        if isinstance(log, (str, Path)):
            self._opened = open(log, "a", encoding="utf-8")  # noqa: SIM115 - closed in _tidy
            log = self._opened
        self._log = log
        self._closed = False
        try:
            self._popen = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=self._folder,
                env=worker_environment(self._folder, own_python=command[0] == sys.executable),
                encoding="utf-8",
                errors="replace",
                **_own_group(),
            )
        except OSError as error:
            self._tidy()
            raise WorkerError(
                "no_blender", f"{command[0]} can't be started ({error.strerror or error})"
            ) from None
        self._threads = [
            threading.Thread(target=target, daemon=True)
            for target in (self._read_answers, self._read_words)
        ]
        for thread in self._threads:
            thread.start()

    def _read_answers(self) -> None:
        assert self._popen.stdout is not None
        for line in self._popen.stdout:
            if line.startswith(f'{{"{MARK}"'):
                try:
                    self._answers.put(json.loads(line))
                    continue
                except ValueError:
                    pass
            self._hear(line)
        self._closed = True
        self._answers.put(None)

    def _read_words(self) -> None:
        assert self._popen.stderr is not None
        # A flood without a line end must not pile up here.
        while line := self._popen.stderr.readline(LINE_KEPT):
            self._hear(line)

    def _hear(self, line: str) -> None:
        self._words.append(line)
        if self._log is not None:
            try:
                self._log.write(line)
                self._log.flush()
            except (OSError, ValueError):  # a full disk or a closed log must not end the work
                self._log = None

    def alive(self) -> bool:
        """Whether the pipe is still open; the process isn't polled, so that its id stays ours."""
        return not self._closed

    def wait_until_ready(self) -> None:
        """Wait for the first answer. Raises ``WorkerError`` if it doesn't come."""
        hello = self.receive(START_TIMEOUT, f"Blender wasn't ready within {START_TIMEOUT:g} s")
        if not hello.get("ready"):
            raise WorkerError("no_blender", str(hello.get("message")))
        self.forking = bool(hello.get("forking"))

    def send(self, message: Mapping[str, Any]) -> None:
        assert self._popen.stdin is not None
        try:
            self._popen.stdin.write(json.dumps(message) + "\n")
            self._popen.stdin.flush()
        except OSError:
            raise WorkerError("crash", self._epitaph()) from None

    def receive(self, timeout: float, too_long: str) -> dict[str, Any]:
        """The next answer within ``timeout`` seconds."""
        try:
            answer = self._answers.get(timeout=timeout)
        except queue.Empty:
            raise WorkerError("timeout", f"{too_long}; the process was ended") from None
        if answer is None:
            raise WorkerError("crash", self._epitaph())
        return answer

    def _epitaph(self) -> str:
        """Why the process is gone."""
        code = _exit_code(self._popen)
        self._threads[1].join(END_TIMEOUT)
        return f"Blender ended before it answered: {_ending(code)}{self.last_words()}"

    def last_words(self) -> str:
        """The end of what the process printed, as further lines of a message."""
        lines = [line.rstrip() for line in list(self._words) if line.strip()][-LINES_SHOWN:]
        return "\n" + "\n".join("    " + line for line in lines) if lines else ""

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
    environment["MESA_SHADER_CACHE_DIR"] = str(_shader_cache())
    environment.update(PYTHONHASHSEED="0", PYTHONDONTWRITEBYTECODE="1", PYTHONUTF8="1")
    return environment


def _shader_cache() -> Path:
    """A lasting folder for compiled shaders, which cost seconds to make again."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base, "plumbline", "shaders")


def _absolute(params: Mapping[str, Any]) -> dict[str, Any]:
    """Paths made absolute, since the worker stands in a folder of its own."""
    return {
        name: os.path.abspath(value) if name in _PATHS and value is not None else value
        for name, value in params.items()
    }


def _own_group() -> dict[str, Any]:
    if os.name == "posix":
        return {"start_new_session": True}
    return {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}


def _exit_code(process: subprocess.Popen[str]) -> int | None:
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


def _kill_group(process: subprocess.Popen[str]) -> None:
    if os.name == "posix":
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        return
    subprocess.run(  # the only way on Windows to reach what the process started
        ["taskkill", "/F", "/T", "/PID", str(process.pid)], capture_output=True, check=False
    )


def _ending(code: int | None) -> str:
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
