# SPDX-License-Identifier: GPL-3.0-or-later
"""A Blender in a process of its own, asked over pipes and never waited for without a deadline.

No ``bpy`` here. What ran a program is never believed or used again: the scene that it left is read
by a process that the program never ran in (``build`` = ``run``, then ``inspect``).
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Literal

from . import box, shaders
from .errand import (
    AS_BYTES,
    BY_PATH,
    STAGES,
    WORDS,
    Errand,
    error_in,
    outcome,
    reading_time,
    writable,
    write_whole,
)
from .limits import Limits
from .process import Process, WorkerError

__all__ = ["BlenderWorker", "Isolation", "Limits", "WorkerError", "blender_command"]

Isolation = Literal["process", "bubblewrap"]

#: Names the Blender to use, before anything that is found.
BLENDER_VARIABLE = "PLUMBLINE_BLENDER"
#: How long reading what a program left may take, s.
READ_TIMEOUT = 120.0
#: What a worker that keeps the deadline itself may take beyond it to clean up and answer, s.
GRACE = 15.0
#: How long drawing the first picture of all may take, s.
SHADERS_TIMEOUT = 120.0

WORKER = Path(__file__).resolve().with_name("worker.py")

_REMEDY = (
    "no Blender was found: `python3 run_suite.py --setup` brings one as a Python module; or "
    "install Blender 4.2 or newer and put `blender` on the PATH or its path into "
    f"{BLENDER_VARIABLE}"
)


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
    """Client of worker processes; started with the first request, restarted after a failure.

    ``command`` as from :func:`blender_command` (the default). ``log`` gets everything that the
    process prints: a path to append to, or a text stream. ``isolation`` is what programs run in:
    ``auto`` takes the strongest there is, and asking for ``bubblewrap`` where it can't be had makes
    every request fail with the reason. ``limits`` hold for what programs do and leave.

    A person's own files are read by a second process, outside of any box, that never runs a
    program.
    """

    def __init__(
        self,
        command: Sequence[str] | None = None,
        log: str | Path | IO[str] | None = None,
        isolation: Isolation | Literal["auto"] = "auto",
        limits: Limits | None = None,
        shader_folder: Path | None = None,
    ) -> None:
        self._command = list(command) if command is not None else None
        self._log = log
        self._asked = isolation
        self._limits = limits or Limits()
        self._boxed: bool | None = False if isolation == "process" else None
        self._process: Process | None = None
        self._plain: Process | None = None
        self._number = 0
        self._engine: str | None = None
        self._shader_folder = shader_folder or shaders.shader_cache()
        self._shaders: dict[str, bytes] | None = None
        self._proved = False
        self._lock = threading.RLock()
        self._stopped = False

    def __enter__(self) -> BlenderWorker:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    @property
    def isolation(self) -> Isolation:
        """What programs run in. Raises :class:`WorkerError` if that isn't what was asked for."""
        return "bubblewrap" if self._in_box() else "process"

    def close(self) -> None:
        """End the processes, if there are any."""
        with self._lock:
            self._drop(self._process)
            self._drop(self._plain)

    def kill(self) -> None:
        """End the processes at once and for good, from any thread.

        A request under way fails as a crash, and so does every later one.
        """
        self._stopped = True
        for process in (self._process, self._plain):
            if process is not None:
                process.kill()

    def request(self, action: str, timeout: float = 120.0, **params: Any) -> dict[str, Any]:
        """Ask for ``action`` and wait at most ``timeout`` seconds for its result.

        Raises :class:`WorkerError`. What failed or timed out is ended with everything it started.
        The time that a process needs to start doesn't count, nor does the reading of what a program
        left.
        """
        with self._lock:
            if action == "picture":
                params.setdefault("out", AS_BYTES)
            if action == "versions":
                return {**self._ask(action, timeout, params), "isolation": self.isolation}
            if action == "build":
                return self._build(timeout, **params)
            if STAGES.get(action) != "picture":
                return self._ask(action, timeout, params)
            if self._engine is not None:
                params = {"engine": self._engine, **params}
            try:
                return self._ask(action, timeout, params)
            except WorkerError as error:
                # Without a drawing surface Blender ends itself; Cycles needs none.
                if error.kind != "crash" or "engine" in params:
                    raise
            self._engine = "cycles"
            return self._ask(action, timeout, {"engine": self._engine, **params})

    def _build(
        self,
        timeout: float,
        program: str,
        start: str | None = None,
        save: str | None = None,
        unreadable: bool = False,
        read_as: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Run a program, keep the scene it left as ``save``, and read that in a clean process.

        The scene is read as ``read_as`` says (:meth:`..kinds.Kind.read_as`); ``None``: as what it
        holds. With ``unreadable`` a scene that
        can't be read is a result too: the reason stands under that name, and there is no structure.
        """
        place = writable(Path(os.path.abspath(save))) if save is not None else None
        ran = self._ask("run", timeout, {"program": program, "start": start, "save": AS_BYTES})
        scene = ran.get("save")
        if not scene:
            raise WorkerError("crash", "build failed: the program left no scene", "program")
        if place is not None:
            write_whole(place, scene)
        result = {**outcome(ran), "isolation": self.isolation}
        try:
            structure = self._inspected(scene, read_as or {})
        except WorkerError as error:
            if not unreadable or error.stage != "read":
                raise
            return {**result, "structure": None, "unreadable": error.message}
        return {**result, "structure": structure, **({"unreadable": None} if unreadable else {})}

    def _inspected(self, scene: bytes, read_as: Mapping[str, Any]) -> dict[str, Any]:
        """The structure of a scene; where reading it ends Blender, it is tried once more."""
        params = {"blend": scene, **read_as}
        patience = reading_time(read_as, READ_TIMEOUT)
        try:
            read = self._ask("inspect", patience, params)
        except WorkerError as error:
            if error.kind != "crash" or self._stopped:
                raise
            self._drop(self._process)
            read = self._ask("inspect", patience, params)
        structure: dict[str, Any] = read["structure"]
        if "source" in structure:  # it was read from a copy, which is gone
            structure["source"]["file"] = ""
        return structure

    def _ask(self, action: str, timeout: float, params: dict[str, Any]) -> dict[str, Any]:
        """One request to one process; see :class:`WorkerError` for where it failed."""
        stage = STAGES.get(action, "start")
        errand = Errand(action, params)
        if stage == "picture" and self._in_box():
            errand.files.update(self._compiled())
        process = self._running(plain=action == BY_PATH)
        self._number += 1
        message = {
            "id": self._number,
            **errand.message,
            "deadline": timeout,
            "limits": None if action == BY_PATH else process.limits,
        }
        begun = time.perf_counter()
        slow = f"{WORDS.get(action, action)} took longer than {timeout:g} s"
        try:
            process.send(message, errand.files, timeout + GRACE)
            answer, left = process.receive(timeout + (GRACE if process.forking else 0), slow)
        except WorkerError as error:
            self._drop(process)
            told = WorkerError(error.kind, error.message, stage)
            told.usage = {"wall": time.perf_counter() - begun}
            raise told from None
        except BaseException:  # an interrupt too: what is under way has no one to hear it
            self._drop(process)
            raise
        trouble = error_in(answer, errand, process, slow)
        failed = trouble is not None and trouble.kind != "refused"
        used_up = not process.forking and (action == "run" or failed)
        if used_up or answer["spent"]:
            self._drop(process)  # a process that ran a program is never used again
        if trouble is not None:
            trouble.stage = stage
            trouble.usage = answer["usage"]
            raise trouble
        used = {"usage": answer["usage"]} if action == "run" else {}
        return {**answer["result"], **used, **errand.keep(left)}

    def _running(self, plain: bool = False) -> Process:
        """The process for a request, started if need be."""
        boxed = self._in_box()
        second = plain and boxed
        process = self._plain if second else self._process
        if process is not None and not process.alive():
            self._drop(process)
            process = None
        if self._stopped:
            raise WorkerError("crash", "this worker was stopped")
        if process is None:
            process = self._start(boxed and not second, second)
        return process

    def _start(self, boxed: bool, second: bool) -> Process:
        command = self._command or blender_command()
        try:
            process = Process(command, self._log, self._limits, boxed, self._shader_folder)
        except box.BoxError as error:
            raise WorkerError("isolation", str(error)) from None
        if second:
            self._plain = process
        else:
            self._process = process
        try:
            process.wait_until_ready()
        except BaseException as error:
            self._drop(process)
            first = boxed and self._asked == "auto" and not self._proved
            if not (first and isinstance(error, WorkerError)) or self._stopped:
                raise
            self._boxed = False  # this Blender runs in no box, which `isolation` then says
            return self._start(False, second)
        self._proved = self._proved or boxed
        return process

    def _in_box(self) -> bool:
        """Whether programs run in a box here. Raises ``WorkerError`` if they should and can't."""
        if self._boxed is None:
            reason = box.why_not()
            if reason is None:
                try:
                    box.folders_of(self._command or blender_command())
                except box.BoxError as error:
                    reason = str(error)
                except OSError:
                    reason = None  # no such Blender: told when it is started
            if reason is not None and self._asked == "bubblewrap":
                raise WorkerError("isolation", f"programs can't run in a box here: {reason}")
            self._boxed = reason is None
        return self._boxed

    def _drop(self, process: Process | None) -> None:
        if process is None:
            return
        process.end()
        if process is self._process:
            self._process = None
        if process is self._plain:
            self._plain = None

    def _compiled(self) -> dict[str, bytes]:
        """Shaders for a box, compiled outside of it the first time."""
        if self._shaders is None:
            command = self._command or blender_command()
            self._shaders = shaders.compiled(command, self._draw_outside)
        return self._shaders

    def _draw_outside(self, folder: Path, picture: Path) -> bool:
        """Draw a stud in a process of its own, which keeps its shaders in ``folder``."""
        command = self._command or blender_command()
        stud, out = shaders.one_stud(), str(picture)
        with BlenderWorker(command, isolation="process", shader_folder=folder) as plain:
            try:
                plain.request("picture", SHADERS_TIMEOUT, structure=stud, out=out, size=[64, 64])
            except WorkerError:  # drawing in the box then says what is wrong
                return False
        return True
