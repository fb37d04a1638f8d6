# SPDX-License-Identifier: GPL-3.0-or-later
"""``plumbline doctor``: what is there, what is missing, how to get it; one line each.

What is said to work was tried: Blender is started, a picture is rendered, a file is written.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import Literal

from ... import tasks
from ..sandbox import box
from ..sandbox.client import BlenderWorker, WorkerError
from ..sandbox.shaders import one_stud
from ..voxel_files import BlocksError, node
from . import versions, wording
from .cli import NOT_JUDGED, PASSED
from .console import Console, Style
from .records import to_line
from .run_command import DEFAULT_OUT
from .seats import PICTURE_TIMEOUT
from .system import apt_line, cache_folder, missing_libraries, packages_for
from .verdicts import first_line

SCHEMA = "plumbline.doctor/1"
OLDEST_PYTHON = (3, 11)

State = Literal["ok", "missing", "optional"]

# Package -> what it is good for, what brings it.
_OPTIONAL_PACKAGES: tuple[tuple[str, str, str, str], ...] = (
    ("SciPy", "scipy", "matches large timber houses with their targets", "pip install scipy"),
    ("ifcopenshell", "ifcopenshell", "reads .ifc files", "pip install ifcopenshell"),
    ("openai", "openai", "for agents with a model", "pip install openai"),
    ("anthropic", "anthropic", "for agents with a model", "pip install anthropic"),
)

_MARKS: dict[str, tuple[str, ...]] = {
    "ok": ("green",),
    "missing": ("red", "bold"),
    "optional": ("dim",),
}


@dataclass(frozen=True)
class Item:
    """One thing: there (``ok``), missing and needed, or missing and ``optional``."""

    name: str
    state: State
    detail: str
    remedy: str | None = None


def doctor(options: argparse.Namespace, terminal: Console) -> int:
    """Print what was found; 0 if the main road works, else 3."""
    found: list[Item] = []
    for item in items():
        found.append(item)
        if not options.json:
            terminal.line(_line(item, terminal.style))
    well = all(item.state != "missing" for item in found)
    if options.json:
        plain = {"schema": SCHEMA, "ok": well, "items": [asdict(item) for item in found]}
        terminal.line(to_line(plain))
    return PASSED if well else NOT_JUDGED


def _line(item: Item, style: Style) -> str:
    state = style.paint(f"{item.state:8}", *_MARKS[item.state])
    remedy = f"; {item.remedy}" if item.remedy else ""
    return f"{state}  {item.name:12}  {wording.printable(item.detail + remedy)}"


def items() -> Iterator[Item]:
    """Everything that is looked at, in the order in which a person would mend it."""
    yield _python()
    yield Item("Plumbline", "ok", f"{versions.plumbline()} in {versions.MANIFEST.parent}")
    yield Item("NumPy", "ok", str(versions.own()["numpy"]))
    yield from _blender()
    yield _tasks()
    yield _writable("run folders", Path.cwd() / DEFAULT_OUT, "change to a folder of yours")
    yield _writable("cache", cache_folder(), "name another folder in PLUMBLINE_CACHE")
    for name, module, purpose, remedy in _OPTIONAL_PACKAGES:
        yield _package(name, module, purpose, remedy)
    yield _node()
    yield _display()


def _python() -> Item:
    here = f"{platform.python_version()} ({sys.executable})"
    if sys.version_info < OLDEST_PYTHON:
        needed = ".".join(map(str, OLDEST_PYTHON))
        return Item("Python", "missing", here, f"use Python {needed} or newer")
    return Item("Python", "ok", here)


def _blender() -> Iterator[Item]:
    """Start Blender and let it draw: both are tried, not guessed."""
    with BlenderWorker() as worker:
        try:
            used = worker.request("versions")
        except WorkerError as error:
            yield Item("Blender", "missing", first_line(error), _libraries_remedy())
            return
        parts = f"with Python {used['python']} and NumPy {used['numpy']}"
        yield Item("Blender", "ok", f"{used['blender']} {parts}")
        yield _isolation(worker)
        try:
            with tempfile.TemporaryDirectory(prefix="plumbline-doctor-") as folder:
                worker.request(
                    "picture",
                    timeout=PICTURE_TIMEOUT,
                    structure=one_stud(),
                    colours={},
                    solids=[],
                    out=str(Path(folder, "stud.png")),
                    size=[64, 64],
                )
        except WorkerError as error:
            yield Item("pictures", "optional", first_line(error), _libraries_remedy())
        else:
            yield Item("pictures", "ok", "rendered by Blender without a display")


def _libraries_remedy() -> str | None:
    """The line that brings what the bpy module in this Python lacks, if it lacks something."""
    spec = importlib.util.find_spec("bpy")
    missing = missing_libraries([Path(spec.origin)]) if spec and spec.origin else None
    packages = packages_for(missing or ())
    return apt_line(packages) if packages else None


def _tasks() -> Item:
    try:
        found = tasks.select(tasks.SMOKE)
    except tasks.TaskError as error:
        return Item("tasks", "missing", str(error), "install Plumbline again")
    twins = sum(len(task.twins) for task in found)
    count = f"{wording.count(len(found), 'task')}, {wording.count(twins, 'flawed twin')}"
    return Item("tasks", "ok" if found else "missing", f"{count} in the smoke suite")


def _writable(name: str, folder: Path, remedy: str) -> Item:
    """Whether a folder can be written to, or made: by writing, since rights alone don't tell."""
    nearest = folder
    while not os.path.exists(nearest) and nearest != nearest.parent:
        nearest = nearest.parent
    try:
        with tempfile.TemporaryFile(dir=nearest) as stream:
            stream.write(b"plumbline")
            stream.flush()
        free = shutil.disk_usage(nearest).free / 1e9
    except OSError as error:
        return Item(name, "missing", f"{folder}: {error.strerror or error}", remedy)
    return Item(name, "ok", f"{folder} can be written, {free:,.0f} GB free")


def _package(name: str, module: str, purpose: str, remedy: str) -> Item:
    if importlib.util.find_spec(module) is None:
        return Item(name, "optional", f"not here ({purpose})", remedy)
    try:
        return Item(name, "ok", metadata.version(module))
    except metadata.PackageNotFoundError:
        return Item(name, "ok", "of unknown version")


def _isolation(worker: BlenderWorker) -> Item:
    """What programs of models run in; a box was really made if it says so."""
    if worker.isolation == "bubblewrap":
        found = shutil.which("bwrap")
        return Item("isolation", "ok", f"programs run in a bubblewrap box ({found})")
    reason = box.why_not() or "this Blender can't be started in one"
    remedy = apt_line(["bubblewrap"]) if not shutil.which("bwrap") else None
    if not shutil.which("apt-get"):
        remedy = None
    detail = f"programs run in a process of their own, in no box: {reason}"
    return Item("isolation", "optional", detail, remedy)


def _node() -> Item:
    """Node, which action files of voxel tasks are run by: a small program was really run."""
    reason = node.why_not()
    if reason is not None:
        remedy = None if node.command() else "apt install nodejs"
        detail = "not here" if remedy else f"can't be used: {reason}"
        return Item("Node", "optional", f"{detail} (runs action files with loops)", remedy)
    try:
        node.run("skills.placeBlock(bot, 'stone', 0, 0, 0)")
    except BlocksError as error:
        return Item("Node", "optional", f"can't be used: {error} (runs action files with loops)")
    return Item("Node", "ok", f"runs action files in a box ({node.command()})")


def _display() -> Item:
    shown = os.environ.get("WAYLAND_DISPLAY") or os.environ.get("DISPLAY")
    if shown or sys.platform in ("win32", "darwin"):
        return Item("display", "ok", shown or "the system's")
    return Item("display", "optional", "none (only Blender's window needs one)")
