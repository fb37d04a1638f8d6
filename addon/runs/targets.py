# SPDX-License-Identifier: GPL-3.0-or-later
"""What should be built: the known-good program of each task, built and drawn once a run.

A target lies in the run folder (``targets/KIND/NAME``) and serves all threads and every later
session, as long as the program, the Blender and the look of the views are still the same.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ...tasks import Task, TaskError
from ..agent.agents import Assignment, Target
from ..agent.bench import Bench, BenchError, Execution, Scene
from ..kinds import read_as
from ..scene.cameras import VIEWS
from ..scene.plain import count_of
from ..scene.similarity import LOOK, metrics, similarity
from .runfolder import Key, attempt_folder
from .seats import Seat
from .storage import explained, make_folder, write_whole
from .verdicts import first_line

TARGETS = "targets"
SCHEMA = "plumbline.target/1"
#: Written last: what isn't complete has none.
FILE = "target.json"
SCENE = "scene.blend"
STRUCTURE = "structure.json"

#: A target that can't be made is tried so often in a session, and then left alone.
_TRIES = 2


class Targets:
    """Makes the targets of a run in ``folder`` (the run's); callable by every thread at a time.

    ``note`` is told, in one sentence, why a target could not be made.
    """

    def __init__(self, folder: Path, note: Callable[[str], None] = lambda _: None) -> None:
        self._folder = folder
        self._note = note
        self._targets: dict[str, Target] = {}
        self._failures: Counter[str] = Counter()
        self._locks: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
        self._guard = threading.Lock()

    def __call__(self, assignment: Assignment, seat: Seat) -> Target | None:
        """The target of a task; ``None`` if it has none or none could be made.

        Only timber tasks have one: blocks leave open what to build, and a simulation is measured
        against its clip. Raises :class:`.storage.StorageError`.
        """
        task = assignment.task
        if not task.has_program or task.kind != "timber":
            return None
        with self._guard:
            lock = self._locks[task.id]
        with lock:  # others wait for the thread that makes it
            if task.id not in self._targets and self._failures[task.id] < _TRIES:
                try:
                    self._targets[task.id] = self._target(task, seat)
                except (BenchError, TaskError, ValueError) as error:
                    self._failures[task.id] += 1
                    if self._failures[task.id] == 1:
                        self._note(f"{task.id}: there is no target: {first_line(error)}")
            return self._targets.get(task.id)

    def _target(self, task: Task, seat: Seat) -> Target:
        """Read it from the run folder, or make it there."""
        folder = self._folder / TARGETS / _name(task.id)
        program = task.program()
        recipe = {
            "schema": SCHEMA,
            "task": task.id,
            "program": hashlib.sha256(program.encode("utf-8")).hexdigest(),
            "look": LOOK,
            "versions": dict(seat.versions()),
        }
        known = _read(folder, recipe)
        if known is not None:
            return known
        with explained(folder):
            draft = folder.with_name(f".{folder.name}.{os.getpid()}.part")
            shutil.rmtree(draft, ignore_errors=True)
            make_folder(draft)
            try:
                _make(draft, program, recipe, seat.bench(draft, None, read_as(task)))
                shutil.rmtree(folder, ignore_errors=True)
                os.replace(draft, folder)
            finally:
                shutil.rmtree(draft, ignore_errors=True)
        made = _read(folder, recipe)
        if made is None:
            raise BenchError("what was made of it can't be read back", "internal")
        return made


def _name(task: str) -> str:
    """``KIND/NAME``, safe on every file system as the names of attempts are."""
    return attempt_folder(Key(task, None, None, 1)).partition("/")[2].rpartition("/")[0]


def _make(folder: Path, program: str, recipe: Mapping[str, Any], bench: Bench) -> None:
    """Build and draw it into an empty folder. Raises ``BenchError`` where nothing comes of it."""
    built = bench.execute(program, None, "target")
    if not built.ok or built.scene is None or built.structure is None:
        raise BenchError(f"its known-good program failed: {_why(built)}")
    if not count_of(built.structure):
        raise BenchError("its known-good program leaves no members")
    views = bench.views(built.scene, None, tuple(VIEWS))
    scene = built.scene.blend.read_bytes()
    for path in folder.iterdir():  # what the bench has left besides
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    write_whole(folder / SCENE, scene)
    write_whole(folder / STRUCTURE, json.dumps(built.structure))
    for name, png in views.items():
        write_whole(folder / f"{name}.png", png)
    write_whole(folder / FILE, json.dumps({**recipe, "views": list(views)}, indent=2) + "\n")


def _why(built: Execution) -> str:
    return built.message or built.unreadable or "it left nothing that can be read"


def _read(folder: Path, recipe: Mapping[str, Any]) -> Target | None:
    """The target in ``folder`` if it is whole and made by this very recipe."""
    try:
        stored = json.loads((folder / FILE).read_text(encoding="utf-8"))
        if {key: stored.get(key) for key in recipe} != dict(recipe):
            return None
        structure = json.loads((folder / STRUCTURE).read_text(encoding="utf-8"))
        views = {name: (folder / f"{name}.png").read_bytes() for name in VIEWS}
    except (OSError, ValueError, AttributeError):
        return None
    scene = folder / SCENE
    return Target(Scene(scene), structure, views) if scene.is_file() else None


def kept_views(folder: Path, task: Task) -> dict[str, Path]:
    """Files of the views of a task's target in ``folder`` (a run's), by name; none without one.

    Whichever Blender drew them: for people to look at, not to measure by. Raises ``TaskError``
    where the program of the task can't be read.
    """
    place = folder / TARGETS / _name(task.id)
    if not (place / FILE).is_file():
        return {}
    program = hashlib.sha256(task.program().encode("utf-8")).hexdigest()
    try:
        stored = json.loads((place / FILE).read_text(encoding="utf-8"))
        if (stored.get("program"), stored.get("look")) != (program, LOOK):
            return {}
    except (OSError, ValueError, AttributeError):
        return {}
    views = {name: place / f"{name}.png" for name in VIEWS}
    return views if all(path.is_file() for path in views.values()) else {}


def measured(
    target: Target | None, bench: Bench, built: Execution | None, passed: bool | None
) -> tuple[dict[str, Any], str | None]:
    """Metrics of how much what was built looks like the target, and a sentence if it is unknown.

    ``passed`` is the structural verdict, ``None`` where it isn't judged. Without a target there are
    no metrics; where the views can't be rendered S is ``None``.
    """
    if target is None:
        return {}, None
    if built is None or built.scene is None or not count_of(built.structure):
        return metrics(None, False, passed), None
    try:
        views = bench.views(built.scene, target.scene, tuple(target.views))
        return metrics(similarity(target.views, views), True, passed), None
    except (BenchError, ValueError) as error:
        return metrics(None, None, passed), f"S is unknown: {first_line(error)}"
