# SPDX-License-Identifier: GPL-3.0-or-later
"""Which Pythons and which Blenders lie on this machine. Standard library only, Python >= 3.8.

A ``bpy`` module is built for one minor version of Python, so most Pythons can't have one; a whole
Blender brings its own Python and is always good enough, from 4.2 on.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

# The newest supported bpy for each Python that has one at all (PyPI, read 2026-07). Tests compare
# this table with pyproject.toml and constraints.txt.
BPY_FOR_PYTHON: dict[str, str] = {"3.11": "5.0.1", "3.13": "5.2.3"}
OLDEST_BLENDER: tuple[int, int] = (4, 2)
PROBE_SECONDS = 20.0

_PROBE = """
import json, sys
try:
    import ensurepip, venv
    can_make = True
except ImportError:
    can_make = False
print(json.dumps([list(sys.version_info[:3]), sys.executable, can_make]))
"""


class Interpreter(NamedTuple):
    """A Python that started and answered: path, version, and whether it can make environments."""

    path: Path
    version: tuple[int, int, int]
    has_venv: bool

    @property
    def minor(self) -> str:
        """``"3.11"``: the key of everything that depends on the Python."""
        return "%d.%d" % self.version[:2]

    @property
    def bpy(self) -> str | None:
        """The bpy release to install here, or ``None`` where there is none."""
        return BPY_FOR_PYTHON.get(self.minor)


def clean_environment(**extra: str) -> dict[str, str]:
    """This environment without what would make another Python see this one's modules."""
    dropped = {"PYTHONHOME", "PYTHONPATH", "VIRTUAL_ENV", "__PYVENV_LAUNCHER__", "PIP_USER"}
    dropped |= {"PIP_TARGET", "PIP_PREFIX", "PIP_REQUIRE_VIRTUALENV"}
    kept = {key: value for key, value in os.environ.items() if key not in dropped}
    kept.update(extra)
    return kept


def probe(command: list[str]) -> Interpreter | None:
    """Ask the Python behind ``command`` what it is; ``None`` if it doesn't answer.

    A name on the path proves nothing: shims of pyenv and of the Windows store exist without a
    Python behind them.
    """
    try:
        done = subprocess.run(
            [*command, "-I", "-c", _PROBE],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
            timeout=PROBE_SECONDS,
            env=clean_environment(),
        )
        version, path, has_venv = json.loads(done.stdout.decode("utf-8").strip().splitlines()[-1])
    except (OSError, subprocess.TimeoutExpired, ValueError, TypeError, IndexError):
        return None
    return Interpreter(Path(path), (version[0], version[1], version[2]), bool(has_venv))


def _commands() -> Iterator[list[str]]:
    """Every command that may start a Python, the likeliest first."""
    if "bpy" not in sys.modules:  # inside Blender sys.executable may be anything
        yield [sys.executable]
    wanted = sorted(BPY_FOR_PYTHON, reverse=True)
    for name in [f"python{minor}" for minor in wanted] + ["python3", "python"]:
        for place in os.get_exec_path() + ["/usr/local/bin", "/usr/bin", "/opt/homebrew/bin"]:
            found = shutil.which(name, path=place)
            if found:
                yield [found]
    if shutil.which("py"):
        for minor in wanted:
            yield ["py", "-" + minor]
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    uv = Path(os.environ.get("UV_PYTHON_INSTALL_DIR") or Path.home() / ".local/share/uv/python")
    for minor in wanted:
        for folder in (pyenv / "versions", pyenv / "pyenv-win" / "versions", uv):
            for version in sorted(folder.glob(f"*{minor}.*"), reverse=True):
                for tail in ("bin/python3", "python.exe"):
                    if (version / tail).exists():
                        yield [str(version / tail)]


def find_pythons() -> Iterator[Interpreter]:
    """Each Python on this machine once, this one first; lazily, as starting them takes time."""
    seen = set()
    asked = set()
    for command in _commands():
        if tuple(command) in asked:
            continue
        asked.add(tuple(command))
        found = probe(command)
        if found is not None and found.path not in seen:
            seen.add(found.path)
            yield found


def find_python(minor: str | None = None) -> Interpreter | None:
    """A Python that a bpy exists for: of version ``minor`` if given, else this one if possible.

    One that can make environments is preferred over one that would need a package for that.
    """
    second_best = None
    for found in find_pythons():
        if found.bpy is None or (minor is not None and found.minor != minor):
            continue
        if found.has_venv:
            return found
        second_best = second_best or found
    return second_best


def blender_version(command: str) -> tuple[int, int, int] | None:
    """The version that the Blender ``command`` says it is, or ``None`` if it doesn't start."""
    try:
        done = subprocess.run(
            [command, "--version"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
            timeout=PROBE_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    match = re.search(r"Blender (\d+)\.(\d+)\.(\d+)", done.stdout.decode("utf-8", "replace"))
    return (int(match[1]), int(match[2]), int(match[3])) if match else None


def find_blender() -> tuple[str, tuple[int, int, int]] | None:
    """A Blender on the path, or where its installer puts it, that is new enough."""
    places = [shutil.which("blender")]
    places += [
        str(path)
        for pattern, base in (
            ("Blender Foundation/Blender */blender.exe", os.environ.get("PROGRAMFILES")),
            ("Blender*.app/Contents/MacOS/Blender", "/Applications"),
        )
        if base
        for path in sorted(Path(base).glob(pattern), reverse=True)
    ]
    for place in places:
        version = blender_version(place) if place else None
        if place and version and version[:2] >= OLDEST_BLENDER:
            return place, version
    return None
