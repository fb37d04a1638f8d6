# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of what a task asks for: drawn once by a worker, kept on disk, shown as thumbnails.

They are the same views that models get. Main thread only.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import bpy
import bpy.utils.previews

from ...tasks import Task, TaskError
from .. import bundled
from ..agent.agents import Assignment
from ..agent.bench import BenchError
from ..runs.seats import WorkerSeat
from ..runs.storage import make_folder, write_whole
from ..runs.targets import Targets, kept_views
from . import jobs, place
from .gallery import redraw
from .job import Job

#: How the views are called for people, the one that shows most first.
TITLES = {
    "front_right": "From the front right",
    "front": "Front",
    "right": "Right side",
    "back": "Back",
    "left": "Left side",
}
#: How long the program of a task may take, s.
_BUILD_SECONDS = 120.0
#: Folder of ours that they are kept in.
FOLDER = "pictures"
#: In it, pictures that came with tasks.
REFERENCES = "references"


@dataclass
class Pictures:
    """What there is of one task: ``icons`` and ``paths`` by view, or ``why`` there is nothing.

    ``work`` is the job that makes them just now.
    """

    paths: Mapping[str, Path] = field(default_factory=dict)
    icons: Mapping[str, int] = field(default_factory=dict)
    why: str | None = None
    work: jobs.Work | None = None


_known: dict[str, Pictures] = {}
_previews: list[Any] = []  # Blender's collection of previews, once there is one


def of(task: str) -> Pictures | None:
    """What is known of a task's pictures; ``None``: nobody has looked yet."""
    return _known.get(task)


def look_up(task: str) -> Pictures | None:
    """Look on the disk for a task's pictures; nothing is made. ``None`` for an unknown task."""
    found = bundled.known(task)
    if found is None:
        return None
    former = _known.get(task)
    if former is not None and (former.paths or working(task) is not None):
        return former
    try:
        paths = _reference_files(found)
        if not paths and _why_never(found) is None:
            paths = kept_views(place.own_folder(FOLDER), found)
        _known[task] = Pictures(paths, _icons(task, paths), _why_never(found))
    except (OSError, TaskError) as error:
        _known[task] = Pictures(why=str(error))
    return _known[task]


def look_up_soon(task: str) -> None:
    """Look as soon as Blender is done with what it does: drawing reads no files."""
    if task not in _waiting:
        _waiting.append(task)
        if not bpy.app.timers.is_registered(_look_up_waiting):
            bpy.app.timers.register(_look_up_waiting, first_interval=0.0)


_waiting: list[str] = []


def _look_up_waiting() -> None:
    for task in _waiting:
        look_up(task)
    _waiting.clear()
    redraw()


def _reference_files(task: Task) -> dict[str, Path]:
    """Files of the pictures that came with a task, by view: packs that are one file have none."""
    views = task.references()
    if not views:
        return {}
    mark = hashlib.sha256(str(task.path).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    folder = place.own_folder(FOLDER) / REFERENCES / mark
    make_folder(folder)
    paths = {view: folder / f"{view}.png" for view in views}
    for view, path in paths.items():
        if not path.is_file() or path.read_bytes() != views[view]:
            write_whole(path, views[view])
    return paths


def _why_never(task: Task) -> str | None:
    if task.kind == "voxel":
        return (
            "A voxel task leaves open what is built: build its sound version to see one that passes"
        )
    if task.has_program:
        return None
    return "This task brings no known-good program, so that there is nothing to draw"


def make(task: Task, then: Callable[[Pictures], None] = lambda _: None) -> Pictures:
    """Have the pictures of a task drawn by a worker; at once if they are kept already.

    Everything that is in the way becomes a sentence in :attr:`Pictures.why`.
    """
    found = look_up(task.id) or Pictures()
    if found.paths or working(task.id) is not None or _why_never(task):
        return found
    folder = place.own_folder(FOLDER)
    found.why = None

    def done(paths: Mapping[str, Path]) -> None:
        _known[task.id] = Pictures(paths, _icons(task.id, paths))
        then(_known[task.id])
        redraw()

    def failed(why: str) -> None:
        _known[task.id] = Pictures(why=why)
        redraw()

    work = jobs.start(f"Pictures of {task.title}", _drawing(task, folder), done, failed)
    if task.id in _known and not _known[task.id].paths and _known[task.id].why is None:
        _known[task.id].work = work
    return _known[task.id]


def _drawing(task: Task, folder: Path) -> Callable[[Job], Mapping[str, Path]]:
    """Builds and draws it in a process of its own, in the job's thread."""

    def work(job: Job) -> Mapping[str, Path]:
        seat = WorkerSeat(_BUILD_SECONDS)
        forget = job.cancel.on_request(seat.kill)
        notes: list[str] = []
        try:
            job.tell("progress", words="a second Blender builds and draws it")
            Targets(folder, notes.append)(Assignment(task, "pictures"), seat)
        except BenchError as error:
            job.cancel.check()
            notes.append(str(error))
        finally:
            forget()
            seat.close()
        job.cancel.check()
        paths = kept_views(folder, task)
        if not paths:
            raise BenchError(_shortened(notes, task))
        return paths

    return work


def _shortened(notes: list[str], task: Task) -> str:
    told = notes[-1] if notes else "nothing came of it"
    return told.removeprefix(f"{task.id}: there is no target: ")


def working(task: str) -> jobs.Work | None:
    """The job that draws a task's pictures now; one that was called off is none."""
    found = _known.get(task)
    if found is None or found.work is None:
        return None
    return found.work if found.work in jobs.now() else None


def _icons(task: str, paths: Mapping[str, Path]) -> dict[str, int]:
    """A thumbnail each. Blender reads the files when it first draws them."""
    if not paths:
        return {}
    if not _previews:
        _previews.append(bpy.utils.previews.new())
    icons = {}
    for view in TITLES:
        if view in paths:
            name = f"{task}/{view}/{paths[view].stat().st_mtime_ns}"
            held = _previews[0]
            shown = held[name] if name in held else held.load(name, str(paths[view]), "IMAGE")
            icons[view] = shown.icon_id
    return icons


def free() -> None:
    """Let go of all thumbnails; the files stay."""
    _known.clear()
    _waiting.clear()
    if bpy.app.timers.is_registered(_look_up_waiting):
        bpy.app.timers.unregister(_look_up_waiting)
    for held in _previews:
        bpy.utils.previews.remove(held)
    _previews.clear()
