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
from functools import cached_property
from typing import Any

import numpy as np

from ..checks.result import Finding, Judgement
from . import bundled
from .findings import FindingsTable
from .pictures.drawing import Subjects
from .pictures.kind import pictures_of

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
    pictures of members know when to follow. ``serial`` is unique in the session. ``brief`` is what
    it was judged by, ``explained`` what its kind has worked out for pictures
    (:meth:`.pictures.kind.KindPictures.explain`).
    """

    judgement: Judgement
    structure: Any
    task: str | None
    seconds: float
    poses: Mapping[str, Pose] = field(default_factory=dict)
    table: FindingsTable = field(init=False)
    active: int = -1
    told: tuple[str, ...] = ()
    stale: bool = False
    moves: int = 0
    serial: int = field(default_factory=lambda: next(_serials))
    brief: Any = None
    explained: Any = None

    def __post_init__(self) -> None:
        self.table = FindingsTable(self.judgement.findings)

    @property
    def kind(self) -> str:
        """The kind of structure: which pictures it has."""
        return self.judgement.kind

    @cached_property
    def subjects(self) -> Subjects:
        """Everything that can be coloured; nothing for a kind without pictures."""
        pictures = pictures_of(self.kind)
        if pictures is None:
            return Subjects((), np.zeros((0, 8, 3)), ())
        return pictures.subjects(self.structure)

    @cached_property
    def member_index(self) -> dict[str, int]:
        """Row of each member in the structure."""
        return {name: i for i, name in enumerate(self.subjects.names)}

    @property
    def unit(self) -> float:
        """Metres in one unit of the scene: the structure is in metres, the viewport is not."""
        return float(self.structure.source.get("unit_scale", 1.0))

    @property
    def chosen(self) -> Finding | None:
        """The finding that the person clicked, or ``None``."""
        return self.table.findings[self.active] if 0 <= self.active < len(self.table) else None


@dataclass(frozen=True)
class Reading:
    """A scene as it was read for a check: all that judging needs, with no Blender in it."""

    structure: Any
    task: str | None
    profile: str
    poses: Mapping[str, Pose]
    began: float


def read_scene(scene: Any, profile: str, depsgraph: Any) -> Reading:
    """Read an open scene, on the main thread. Raises ``StructureError`` with a sentence."""
    from .scene.members import structure_from_scene

    began = time.perf_counter()
    structure = structure_from_scene(scene, depsgraph)
    return Reading(structure, task_of(scene), profile, poses_of(scene, depsgraph), began)


def judge_reading(reading: Reading) -> Review:
    """Judge what was read, in any thread. Raises ``BriefError`` with a sentence."""
    from ..checks.timber.profiles import judge

    brief = bundled.brief_of(reading.task) if reading.task else None
    judgement = judge(reading.structure, brief, reading.profile)
    pictures = pictures_of(judgement.kind)
    explained = pictures.explain(reading.structure, brief, judgement) if pictures else None
    seconds = time.perf_counter() - reading.began
    return Review(
        judgement,
        reading.structure,
        reading.task,
        seconds,
        reading.poses,
        brief=brief,
        explained=explained,
    )


def review_scene(scene: Any, profile: str, depsgraph: Any) -> Review:
    """Read and judge an open scene and keep the result; the scene itself is not changed.

    A scene that was built for a bundled task is judged by that task's brief. Raises
    ``StructureError`` or ``BriefError`` with a sentence for people; an earlier result is gone then
    too, so that it can't be taken for the answer.
    """
    forget(scene)
    review = judge_reading(read_scene(scene, profile, depsgraph))
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
