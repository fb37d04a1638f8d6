# SPDX-License-Identifier: GPL-3.0-or-later
"""The Pythons that the tests run in: one environment for each supported bpy, kept in the cache.

The Python for each comes from this machine (pyenv counts), else out of a Debian of its own, so that
no entry is ever left out. ``python3 tests/tools/environments.py`` makes them all.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

from checkout import ROOT
from chroots import Chroot
from plumbline.addon.runs.interpreters import clean_environment, find_python
from plumbline.addon.runs.setup import (
    TEST_EXTRAS,
    Environment,
    fingerprint,
    provide_libraries,
    provide_venv_module,
)
from plumbline.addon.runs.system import (
    SystemProblem,
    cache_folder,
    is_root,
    lock,
    require_room,
)
from provision_blender import TRIXIE

BOOKWORM = Chroot(
    "bookworm",
    (
        *("ca-certificates", "python3", "python3-venv", "libegl1", "libgl1", "libgl1-mesa-dri"),
        *("libx11-6", "libxrender1", "libxxf86vm1", "libxfixes3", "libxi6", "libxkbcommon0"),
        *("libsm6", "libice6", "libgomp1", "bubblewrap"),
    ),
)
PYTHON_SYSTEMS = {"3.11": BOOKWORM, "3.13": TRIXIE}
ROOM_GB = 2.0
SDKS = ("anthropic", "openai")
TEST_TOOLS = ("pytest", "pytest-benchmark", "hypothesis", "jsonschema")


class Entry(NamedTuple):
    """One environment: its name, the minor version of its Python, and what is installed."""

    name: str
    python: str
    requirements: tuple[str, ...]
    #: The bpy release, or ``None`` for tools that need no Blender in their own process.
    bpy: str | None = None
    #: Installed without what they depend on: only a part of them is used.
    alone: tuple[str, ...] = ()


# NumPy as official builds of that Blender carry it, except that 5.2's is the newest that its bpy
# takes: the matrix reaches from one end of what we support to the other. 4.2 goes without SciPy,
# as a bare Blender does.
MATRIX = (
    Entry("bpy-4.2.23", "3.11", ("numpy==1.24.4", *TEST_TOOLS), "4.2.23"),
    Entry("bpy-4.5.15", "3.11", ("numpy==1.26.4", "scipy", *TEST_TOOLS), "4.5.15"),
    Entry("bpy-5.0.1", "3.11", ("numpy", "scipy", "ifcopenshell", *SDKS, *TEST_TOOLS), "5.0.1"),
    Entry("bpy-5.2.3", "3.13", ("numpy", "scipy", "ifcopenshell", *SDKS, *TEST_TOOLS), "5.2.3"),
)
# Where it is installed pytest-blender takes over every run of pytest, so it lives by itself.
PYTEST_BLENDER = Entry("pytest-blender", "3.11", ("pytest", "pytest-blender==3.0.8"))
# The programs that our logs are exported for read them with models of their own. Harbor wants at
# least Python 3.12; its models of trajectories need pydantic alone, the rest half a gigabyte.
LOGS = Entry(
    "logs",
    "3.13",
    ("inspect-ai==0.3.285", "python-dateutil<3", "numpy", *TEST_TOOLS),
    alone=("harbor==0.26.0",),
)
# The released DreamHouse harness, and the Blender that it recommends: our validator judges there.
HARNESS = Entry("harness", "3.11", ("dreamhouse==0.1.0", "numpy==1.26.4", *TEST_TOOLS), "4.5.15")
STATIC = Entry("static", "3.11", ("ruff", "mypy", "numpy", "pytest"))


def constraints_for(entry: Entry) -> str:
    """The pins of the checkout, less those that ``entry`` sets itself."""
    own = {re.split(r"[=<>]", line)[0] for line in entry.requirements if re.search("[=<>]", line)}
    own |= {"bpy"} if entry.bpy else set()
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return "\n".join(line for line in lines if line.split("==")[0] not in own) + "\n"


def provide(entry: Entry) -> list[str]:
    """The command that starts the Python of ``entry``, which is made first unless it is there."""
    shared = _shared_environment()
    if shared and (entry is STATIC or entry.bpy == shared[0]):
        return shared[1]
    constraints = constraints_for(entry)
    wanted = [*entry.requirements, *entry.alone]
    recipe = "\n".join([*wanted, entry.bpy or "", entry.python, constraints])
    key = hashlib.sha256(recipe.encode("utf-8")).hexdigest()[:10]
    folder = cache_folder() / "venvs" / f"{entry.name}-{key}"
    with lock(folder.with_name(folder.name + ".lock")):
        return _provide(entry, Environment(folder), constraints)


def _shared_environment() -> tuple[str, list[str]] | None:
    """The bpy and the Python of the checkout's own ``.venv``, if set-up made it for tests."""
    environment = Environment(ROOT / ".venv")
    state = environment.state()
    complete = set(TEST_EXTRAS) <= set(state.get("extras", ()))
    if not complete or state.get("fingerprint") != fingerprint():
        return None
    return state["bpy"], [str(environment.python)]


def _provide(entry: Entry, environment: Environment, constraints: str) -> list[str]:
    done = environment.state()
    if done and _starts(done["command"]):
        return list(done["command"])
    require_room(environment.folder.parent, ROOM_GB, entry.name)
    interpreter = find_python(entry.python)
    if interpreter is None or not (interpreter.has_venv or is_root()):
        make, command = _inside(PYTHON_SYSTEMS[entry.python], environment)
    else:
        provide_venv_module(interpreter)
        make, command = interpreter.path, [str(environment.python)]
    environment.make(make, fresh=True)
    listed = environment.folder / "constraints.txt"
    listed.write_text(constraints, encoding="utf-8")
    requirements = [*entry.requirements, *([f"bpy=={entry.bpy}"] if entry.bpy else [])]
    environment.pip_install(["-c", str(listed), *requirements], cwd=ROOT, python=command)
    if entry.alone:
        environment.pip_install(["--no-deps", *entry.alone], cwd=ROOT, python=command)
    if entry.bpy and command == [str(environment.python)]:
        provide_libraries(environment)
    environment.finish({"command": command})
    return command


def _inside(system: Chroot, environment: Environment) -> tuple[Path, list[str]]:
    """The Python of another Debian, and the environment's own, as commands of this machine."""
    system.provide()
    make = system.command("/usr/bin/python3", f"python-{system.suite}")
    name = f"python-{environment.folder.name}"
    return make, [str(system.command(str(environment.python), name))]


def _starts(command: list[str]) -> bool:
    """Whether the Python is still there: the one it was made from may have been removed."""
    try:
        return subprocess.run([*command, "-I", "-c", ""], env=clean_environment()).returncode == 0
    except OSError:
        return False


def main() -> int:
    code = 0
    for entry in (*MATRIX, PYTEST_BLENDER, LOGS, HARNESS, STATIC):
        started = time.monotonic()
        try:
            print(entry.name, *provide(entry), f"({time.monotonic() - started:.0f} s)", flush=True)
        except SystemProblem as problem:
            print(f"{entry.name}: {problem}", file=sys.stderr, flush=True)
            code = 1
    return code


if __name__ == "__main__":
    sys.exit(main())
