# SPDX-License-Identifier: GPL-3.0-or-later
"""Set-up on a fresh machine: ``python3 run_suite.py --setup [--test]``.

Finds a Python that a ``bpy`` module exists for, or a Blender; makes ``.venv`` in the checkout with
every release pinned; sees to it that the shared libraries are there; and runs the smoke suite with
it. A second run finds everything in place and goes straight to the suite.

Standard library only, Python >= 3.8: it runs before anything is installed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from .interpreters import (
    BPY_FOR_PYTHON,
    OLDEST_BLENDER,
    Interpreter,
    clean_environment,
    find_blender,
    find_python,
    probe,
)
from .system import (
    SystemProblem,
    apt_install,
    lock,
    missing_libraries,
    packages_for,
    require_room,
)

ROOT = Path(__file__).resolve().parents[2]
EXTRAS = ("headless", "agent")
TEST_EXTRAS = (*EXTRAS, "ifc", "test")
# Measured: the environment with bpy 5.2.3 takes 1.2 GB (1.6 GB with what the tests need), and pip
# holds the wheel and what it unpacks beside it while it works.
ROOM_GB = 2.5
USAGE_FAULT = 2
INTERRUPTED = 130


class NoPython(SystemProblem):
    """There is neither a Python with a bpy module nor a Blender on this machine."""


def say(text: str) -> None:
    print(f"set-up: {text}", flush=True)


# --- The environment ------------------------------------------------------------------------------


class Environment:
    """A virtual environment of ours in ``folder``, with a note of what it was made from."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.note = folder / "plumbline-setup.json"
        self.log = folder / "plumbline-setup.log"

    @property
    def python(self) -> Path:
        windows = self.folder / "Scripts" / "python.exe"
        return windows if os.name == "nt" else self.folder / "bin" / "python"

    def modules(self, pattern: str) -> list[Path]:
        """Files in ``site-packages`` that match ``pattern``."""
        found = list(self.folder.glob(f"lib/python*/site-packages/{pattern}"))
        return found + list(self.folder.glob(f"Lib/site-packages/{pattern}"))

    def state(self) -> dict:
        """What the note says; empty if the environment was never finished."""
        try:
            state = json.loads(self.note.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return state if isinstance(state, dict) else {}

    def finish(self, state: dict) -> None:
        """Write the note, whole or not at all."""
        partial = self.note.with_suffix(".partial")
        partial.write_text(json.dumps(state, indent=1) + "\n", encoding="utf-8")
        os.replace(partial, self.note)

    def make(self, python: Path, fresh: bool = False) -> None:
        """Create it with ``python``, or repair what an interrupted run left behind."""
        command = [str(python), "-I", "-m", "venv", *(["--clear"] if fresh else [])]
        done = subprocess.run(
            [*command, str(self.folder)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=clean_environment(),
        )
        if done.returncode != 0:
            said = done.stdout.decode("utf-8", "replace")
            raise SystemProblem(
                explain_failure(said)
                or f"`{' '.join(command)} {self.folder}` failed: {last_line(said)}; remove that "
                "folder and try again"
            )

    def read_log(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace") if self.log.exists() else ""

    def pip_install(
        self, arguments: Sequence[str], cwd: Path, python: Sequence[str] | None = None
    ) -> None:
        """One pip command; its whole log stays in the environment for a later look.

        ``python`` starts this environment's Python where its path alone doesn't.
        """
        if self.log.exists():
            self.log.unlink()
        on_terminal = sys.stdout.isatty()
        command = [*(python or [str(self.python)]), "-I", "-m", "pip", "install", "--no-compile"]
        command += ["--log", str(self.log), "--progress-bar", "on" if on_terminal else "off"]
        done = subprocess.run(
            [*command, *arguments],
            cwd=str(cwd),
            stdout=None if on_terminal else subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=clean_environment(PIP_DISABLE_PIP_VERSION_CHECK="1", PIP_NO_INPUT="1"),
        )
        if done.returncode != 0:
            said = self.read_log()
            raise SystemProblem(
                explain_failure(said)
                or f"pip could not install everything: {last_line(said)} (log: {self.log})"
            )


def last_line(text: str) -> str:
    """The last line that says something, for a message; pip's time stamps are left out."""
    errors = re.findall(r"ERROR: (.+)", text)
    lines = errors or [line for line in text.splitlines() if line.strip()]
    return re.sub(r"^\d{4}-\d\d-\d\dT\S+\s*", "", lines[-1]).strip() if lines else "no output"


def explain_failure(said: str) -> str | None:
    """One sentence for the usual reasons why an installation fails, or ``None``."""
    if re.search(r"No space left on device|Errno 28|not enough space", said):
        return (
            f"the disk is full: Plumbline needs about {ROOM_GB} GB in {ROOT} and some of it in "
            f"{tempfile.gettempdir()} for a while (another place: set TMPDIR)"
        )
    if re.search(
        r"NewConnectionError|NameResolutionError|Temporary failure in name|ConnectTimeout|"
        r"ReadTimeout|ProxyError|connection broken|Network is unreachable",
        said,
    ):
        return (
            "the package index can't be reached: check the network (or `pip config list` for a "
            "proxy or mirror) and run the same command again"
        )
    if re.search(r"No matching distribution found for bpy|is not a supported wheel", said):
        return (
            "the package index has no bpy module for this kind of computer: install Blender "
            "{}.{} or newer and run the same command again".format(*OLDEST_BLENDER)
        )
    if re.search(r"Permission denied|Read-only file system", said):
        return f"{ROOT} can't be written: make it yours, or copy the checkout somewhere else"
    return None


# --- Steps ----------------------------------------------------------------------------------------


def fingerprint() -> str:
    """Changes when what should be installed changes, or the checkout has moved."""
    digest = hashlib.sha256(str(ROOT).encode("utf-8"))
    for name in ("constraints.txt", "pyproject.toml"):
        digest.update((ROOT / name).read_bytes())
    return digest.hexdigest()[:16]


def choose_python(folder: Path) -> Interpreter:
    """The Python for the environment: the one in it already, or one found on this machine."""
    environment = Environment(folder)
    if environment.python.exists():
        inside = probe([str(environment.python)])
        if inside is not None and inside.bpy is not None:
            return inside
        if inside is not None:
            raise SystemProblem(
                f"{folder} holds Python {inside.minor}, for which there is no bpy module (there is "
                f"for {' and '.join(BPY_FOR_PYTHON)}): move that folder away and try again"
            )
    found = find_python()
    if found is None:
        raise NoPython(
            "there is no bpy module for Python {}.{}: install Python {} beside it, or Blender "
            "{}.{} or newer (blender.org/download), and run the same command again".format(
                *sys.version_info[:2], " or ".join(sorted(BPY_FOR_PYTHON)), *OLDEST_BLENDER
            )
        )
    return found


def provide_venv_module(interpreter: Interpreter) -> None:
    """Debian's Python comes without what makes environments; its package brings it."""
    if interpreter.has_venv:
        return
    package = f"python{interpreter.minor}-venv"
    say(f"Python {interpreter.minor} can't make environments yet: {package} is needed")
    apt_install([package], f"{interpreter.path} needs {package} to make an environment")


def provide_libraries(environment: Environment) -> None:
    """Install, or ask for, the shared libraries that bpy needs and this machine lacks."""
    modules = environment.modules("bpy/__init__*.so")
    missing = missing_libraries(modules) if modules else None
    if not missing:
        return
    packages = packages_for(missing)
    why = f"Blender's module needs {', '.join(missing)}"
    if not packages:
        raise SystemProblem(f"{why}, which this system doesn't have: install them and try again")
    say(f"{why}: from {' '.join(packages)}")
    apt_install(packages, why)


def provide_box() -> None:
    """Bring bubblewrap, which models' programs are boxed in, or say how; all else works without."""
    if sys.platform != "linux" or shutil.which("bwrap"):
        return
    why = "bubblewrap boxes in what models' programs may reach"
    try:
        apt_install(["bubblewrap"], why)
        say(f"{why}: it was installed")
    except SystemProblem as problem:
        say(f"{problem} (it may be left out: then programs run in a process of their own)")


def check_bpy(environment: Environment) -> None:
    """Load bpy once, in a process and with a user folder of its own."""
    with tempfile.TemporaryDirectory(prefix="plumbline-") as home:
        done = subprocess.run(
            [str(environment.python), "-I", "-c", "import bpy, numpy; bpy.data.objects[:]"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=clean_environment(BLENDER_USER_RESOURCES=home),
        )
    if done.returncode != 0:
        said = done.stdout.decode("utf-8", "replace")
        raise SystemProblem(f"bpy is installed but doesn't load: {last_line(said)}")


def prepare_environment(extras: Sequence[str]) -> Environment:
    """Make ``.venv`` hold Plumbline with ``extras``; quick if it does already."""
    folder = ROOT / ".venv"
    environment = Environment(folder)
    wanted = fingerprint()
    state = environment.state()
    ready = state.get("fingerprint") == wanted and set(extras) <= set(state.get("extras", ()))
    if ready and environment.python.exists():
        say(f"{folder} is ready")
        return environment
    interpreter = choose_python(folder)
    say(f"Python {interpreter.minor} ({interpreter.path}), bpy {interpreter.bpy}")
    extras = sorted(set(extras) | set(state.get("extras", ())))
    require_room(ROOT, ROOM_GB, "the environment")
    provide_venv_module(interpreter)
    if not (environment.python.exists() and environment.modules("pip/__init__.py")):
        environment.make(interpreter.path)
    say("installing bpy and the rest into .venv (a download of about 450 MB)")
    requirement = f".[{','.join(extras)}]"
    environment.pip_install(["-c", "constraints.txt", "-e", requirement], cwd=ROOT)
    provide_libraries(environment)
    check_bpy(environment)
    environment.finish({"fingerprint": wanted, "extras": extras, "bpy": interpreter.bpy})
    return environment


def prepare(extras: Sequence[str]) -> list[str]:
    """Everything that judging needs; returns the command that runs the suite with it."""
    try:
        with lock(ROOT / ".venv.lock"):
            environment = prepare_environment(extras)
        provide_box()
        return [str(environment.python), str(ROOT / "run_suite.py")]
    except NoPython:
        blender = find_blender()
        if blender is None:
            raise
        say("no bpy module for any Python here; using {} {}.{}.{}".format(blender[0], *blender[1]))
        return [blender[0], "-b", "--python", str(ROOT / "run_suite.py"), "--"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Set everything up, run the smoke suite, and the tests if asked; returns an exit code."""
    parser = argparse.ArgumentParser(
        prog="run_suite.py --setup", description="Make everything ready, then run the smoke suite."
    )
    parser.add_argument("--test", action="store_true", help="then run all tests (about 45 minutes)")
    parser.add_argument("--no-run", action="store_true", help="only make everything ready")
    options = parser.parse_args(arguments)
    started = time.monotonic()
    codes = []
    command = None
    try:
        command = prepare(TEST_EXTRAS if options.test else EXTRAS)
        say(f"ready after {time.monotonic() - started:.0f} s: {' '.join(command)}")
        if not options.no_run:
            codes.append(subprocess.call(command))
    except KeyboardInterrupt:
        return INTERRUPTED
    except (SystemProblem, OSError) as problem:
        sentence = explain_failure(str(problem)) if isinstance(problem, OSError) else None
        print(f"set-up: {sentence or problem}", file=sys.stderr, flush=True)
        if not (options.test and isinstance(problem, NoPython)):
            return USAGE_FAULT
        say("the tests bring Pythons of their own")  # the smoke suite is one of them
    if options.test:
        own = command[0] if command and command[1] != "-b" else sys.executable
        codes.append(subprocess.call([own, str(ROOT / "tests" / "tools" / "run_all.py")]))
    return next((code for code in codes if code), 0)
