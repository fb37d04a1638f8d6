# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts Plumbline where ``dreamhouse run`` looks for its validator, and takes it away again.

Its command line passes over ``DREAMHOUSE_VALIDATOR`` and loads a compiled file beside its server,
made for the Python of its Blender. So that Blender compiles three lines that load ours.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from importlib import metadata
from pathlib import Path

VALIDATOR = Path(__file__).with_name("validator.py")
#: Where the harness looks, in the folder of its server, and what it had there before.
PLACE, BEFORE = Path("_private", "validation.pyc"), Path("_private", "validation.before.pyc")
#: How long Blender may take to start and to compile three lines, s.
TIMEOUT = 120.0

#: Tells our file from the one that the harness came with.
_MARK = "plumbline.addon.harness"
_LOADER = """# {mark}
import importlib.util
_spec = importlib.util.spec_from_file_location({mark!r}, {path!r})
_module = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_module)
run_all_tests = _module.run_all_tests
"""
_COMPILE = "import py_compile; py_compile.compile({source!r}, {target!r}, doraise=True)"


class InstallError(RuntimeError):
    """It could not be put there; ``str()`` is one sentence with the remedy."""


def install() -> Path:
    """Make the harness of this Python judge with Plumbline; returns the file that was written.

    What lay there before is kept beside it. Raises :class:`InstallError`.
    """
    folder = _server_folder()
    place, before = folder / PLACE, folder / BEFORE
    with tempfile.TemporaryDirectory(prefix="plumbline-harness-") as work:
        source, target = Path(work, "loader.py"), Path(work, "loader.pyc")
        source.write_text(_LOADER.format(mark=_MARK, path=str(VALIDATOR)), encoding="utf-8")
        _compile(source, target)
        try:
            place.parent.mkdir(exist_ok=True)
            if place.exists() and not _is_ours(place):
                place.replace(before)
            shutil.copyfile(target, place)
        except OSError as error:
            raise InstallError(f"{place}: can't be written ({error.strerror or error})") from error
    return place


def remove() -> Path:
    """Undo :func:`install`: what lay there before lies there again. Raises as it does."""
    folder = _server_folder()
    place, before = folder / PLACE, folder / BEFORE
    try:
        if not place.exists() or not _is_ours(place):
            raise InstallError(f"{place}: is no file of Plumbline's; nothing was changed")
        if before.exists():
            before.replace(place)
        else:
            place.unlink()
    except OSError as error:
        raise InstallError(f"{place}: can't be removed ({error.strerror or error})") from error
    return place


def _server_folder() -> Path:
    """The folder of the harness's server in this Python's packages."""
    try:
        files = metadata.files("dreamhouse") or []
    except metadata.PackageNotFoundError:
        raise InstallError(
            "dreamhouse is not installed beside Plumbline; `pip install dreamhouse` in the same "
            "environment"
        ) from None
    for file in files:
        if file.as_posix() == "server/validator_runner.py":
            return Path(str(file.locate())).resolve().parent
    raise InstallError("the dreamhouse beside Plumbline has no server; install its release 0.1.0")


def _compile(source: Path, target: Path) -> None:
    """Have the harness's Blender compile ``source``: bytecode fits one Python only."""
    blender = os.environ.get("BLENDER_PATH") or shutil.which("blender")
    if blender is None or shutil.which(blender) is None:
        named = f"{blender} can't be started" if blender else "there is no blender on the PATH"
        raise InstallError(f"{named}; set BLENDER_PATH to the Blender that the harness starts")
    expression = _COMPILE.format(source=str(source), target=str(target))
    command = [blender, "--background", "--factory-startup", "--python-expr", expression]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InstallError(f"{blender} can't compile the loader ({error})") from error
    if not target.is_file():
        last = (done.stderr or done.stdout).strip().splitlines()[-1:] or ["it said nothing"]
        raise InstallError(f"{blender} did not compile the loader: {last[0]}")


def _is_ours(place: Path) -> bool:
    return _MARK.encode() in place.read_bytes()
