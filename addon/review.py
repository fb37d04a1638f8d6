# SPDX-License-Identifier: GPL-3.0-or-later
"""Judging an open scene, and keeping what came out for as long as the session lasts.

Results live here, in Python, keyed by the scene's ``session_uid``: that key survives undo and
renaming, and nothing of ours is written into the person's .blend. No ``bpy`` is imported: scenes
are only looked at through what is passed in.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..checks.result import Finding, Judgement
from ..checks.timber.structure import TimberStructure
from . import bundled
from .findings import FindingsTable

_serials = itertools.count(1)
_reviews: dict[int, Review] = {}


@dataclass(frozen=True, slots=True)
class Pose:
    """What an edit of an object changes: world matrix, local bounds, number of vertices."""

    matrix: Any
    bounds: tuple[tuple[float, float, float], ...]
    vertices: int

    @classmethod
    def of(cls, evaluated: Any) -> Pose:
        """The pose of an evaluated object."""
        bounds = tuple((x, y, z) for x, y, z in evaluated.bound_box)
        vertices = len(evaluated.data.vertices) if evaluated.type == "MESH" else 0
        return cls(evaluated.matrix_world.copy(), bounds, vertices)


def poses_of(scene: Any, depsgraph: Any) -> dict[str, Pose]:
    """The pose of every object of the scene."""
    return {obj.name: Pose.of(obj.evaluated_get(depsgraph)) for obj in scene.objects}


@dataclass
class Review:
    """One judgement of one scene, and where the person stands in it.

    ``poses`` tells where every object of the scene stood at the time of the check, ``seconds`` how
    long reading and judging took. ``active`` is the chosen row of ``table``, -1 for none, ``told``
    what was in the way when the person went there (it was hidden, it is gone).
    ``stale`` tells that something was edited after the check. ``moves`` counts edits, so that
    pictures of members know when to follow. ``serial`` is unique in the session.
    """

    judgement: Judgement
    structure: TimberStructure
    task: str | None
    seconds: float
    poses: Mapping[str, Pose] = field(default_factory=dict)
    table: FindingsTable = field(init=False)
    active: int = -1
    told: tuple[str, ...] = ()
    stale: bool = False
    moves: int = 0
    serial: int = field(default_factory=lambda: next(_serials))

    def __post_init__(self) -> None:
        self.table = FindingsTable(self.judgement.findings)
        self.member_index: dict[str, int] = {n: i for i, n in enumerate(self.structure.names)}

    @property
    def unit(self) -> float:
        """Metres in one unit of the scene: the structure is in metres, the viewport is not."""
        return float(self.structure.source.get("unit_scale", 1.0))

    @property
    def chosen(self) -> Finding | None:
        """The finding that the person clicked, or ``None``."""
        return self.table.findings[self.active] if 0 <= self.active < len(self.table) else None


def review_scene(scene: Any, profile: str, depsgraph: Any) -> Review:
    """Read and judge an open scene and keep the result; the scene itself is not changed.

    A scene that was built for a bundled task is judged by that task's brief. Raises
    ``StructureError`` or ``BriefError`` with a sentence for people; an earlier result is gone then
    too, so that it can't be taken for the answer.
    """
    forget(scene)
    from ..checks.timber.profiles import judge
    from .scene.members import structure_from_scene

    started = time.perf_counter()
    task = task_of(scene)
    brief = bundled.brief_of(task) if task else None
    structure = structure_from_scene(scene, depsgraph)
    judgement = judge(structure, brief, profile)
    seconds = time.perf_counter() - started
    review = Review(judgement, structure, task, seconds, poses_of(scene, depsgraph))
    keep(scene, review)
    return review


def task_of(scene: Any) -> str | None:
    """Id of the bundled task that the scene was built for, or ``None``."""
    task_id = scene.get(bundled.TASK_KEY)
    known = {task.id for task in bundled.timber_tasks()} if task_id is not None else ()
    return task_id if task_id in known else None


def of(scene: Any) -> Review | None:
    """The review of a scene, or ``None`` if it was not checked in this session."""
    return _reviews.get(scene.session_uid) if scene is not None else None


def keep(scene: Any, review: Review) -> None:
    """Make ``review`` the one that is shown for ``scene``."""
    _reviews[scene.session_uid] = review


def forget(scene: Any) -> None:
    """Drop the review of one scene, if there is one."""
    _reviews.pop(scene.session_uid, None)


def forget_all() -> None:
    """Drop every review: another file was loaded, or the extension goes."""
    _reviews.clear()


def longest() -> int:
    """Rows of the longest table kept: how many rows the list widget must offer."""
    return max((len(review.table) for review in _reviews.values()), default=0)
