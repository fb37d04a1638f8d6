# SPDX-License-Identifier: GPL-3.0-or-later
"""Judging an open scene, and keeping what came out for as long as the session lasts.

Results live here, in Python, keyed by the scene's ``session_uid``: that key survives undo and
renaming, and nothing of ours is written into the person's .blend. No ``bpy`` is imported: scenes
are only looked at through what is passed in.
"""

from __future__ import annotations

import itertools
import time
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ..checks.result import Finding, Judgement, Progress
from ..checks.voxel.brief import VoxelBrief
from . import bundled
from .findings import FindingsTable
from .kinds import KINDS, Kind, kind_of
from .physics_poses import PhysicsPoses, has_physics
from .pictures.drawing import Subjects
from .pictures.kind import pictures_of
from .pictures.reconstruction.book import PICTURES as IN_MOTION
from .pictures.voxel.book import block_boxes
from .simulation.steps import Steps

#: Properties of the object that holds blocks (:mod:`.scene.block_reading`, which needs Blender).
_BLOCKS, _BLOCK_LISTS = "plumbline_blocks", ("plumbline_palette", "plumbline_turns")

_serials = itertools.count(1)
_reviews: dict[int, Review] = {}


@dataclass(frozen=True, slots=True)
class Pose:
    """What an edit of an object changes: world matrix, local bounds, number of vertices.

    ``uid`` is the object's ``session_uid``, which outlives a new name.
    """

    matrix: Any
    bounds: tuple[tuple[float, ...], ...]
    vertices: int
    uid: int = 0

    @classmethod
    def of(cls, evaluated: Any) -> Pose:
        """The pose of an evaluated object; of one that holds blocks, their places count."""
        if evaluated.type == "MESH" and evaluated.original.get(_BLOCKS) is not None:
            return cls._of_blocks(evaluated)
        corners = evaluated.bound_box
        # The least and the greatest corner say it all; reading the other six takes time.
        bounds = (corners[0][:], corners[6][:])
        vertices = len(evaluated.data.vertices) if evaluated.type == "MESH" else 0
        uid = evaluated.original.session_uid
        return cls(evaluated.matrix_world.copy(), bounds, vertices, uid)

    @classmethod
    def _of_blocks(cls, evaluated: Any) -> Pose:
        """What is drawn of blocks changes while they are played back: here is what they are."""
        original = evaluated.original
        mesh = original.data
        n = len(mesh.vertices)
        digest = zlib.crc32(repr([original.get(key) for key in _BLOCK_LISTS]).encode())
        numbers = [(name, "value", n) for name in ("order", "until", "material")]
        for name, kind, wide in [("position", "vector", 3 * n), *numbers]:
            attribute = mesh.attributes.get(name)
            if attribute is None or len(attribute.data) != n:
                continue
            values = np.empty(wide, np.float32 if kind == "vector" else np.int32)
            attribute.data.foreach_get(kind, values)
            digest = zlib.crc32(values.tobytes(), digest)
        return cls(evaluated.matrix_world.copy(), ((float(digest),),), n, original.session_uid)


def poses_of(scene: Any, depsgraph: Any) -> dict[str, Pose]:
    """The pose of every object of the scene."""
    return {obj.name: Pose.of(obj.evaluated_get(depsgraph)) for obj in scene.objects}


class Changes(NamedTuple):
    """Keys of findings that a check no longer had, and of those that it had for the first time."""

    mended: tuple[str, ...] = ()
    new: tuple[str, ...] = ()


@dataclass
class Review:
    """One judgement of one scene, and where the person stands in it.

    ``poses`` tells where every object of the scene stood at the time of the check, ``seconds`` how
    long reading and judging took, ``read_seconds`` the reading alone, ``timing`` each check, s.
    ``active`` is the chosen row of ``table``, -1 for none, ``told`` what was in the way when the
    person went there (it was hidden, it is gone).
    ``stale`` tells that something was edited after the check, ``older`` names checks whose answer
    is from before an edit that others have seen. ``moves`` counts edits, so that
    pictures of members know when to follow. ``serial`` is unique in the session. ``brief`` is what
    it was judged by, ``overrides`` what of it was not the task's, ``explained`` what its kind has
    worked out for pictures (:meth:`.pictures.kind.KindPictures.explain`). ``changes`` is what
    became other than in the review before, if there was one, ``when`` the time of the check, s
    since the epoch.
    """

    judgement: Judgement
    structure: Any
    task: str | None
    seconds: float
    poses: Mapping[str, Any] = field(default_factory=dict)
    table: FindingsTable = field(init=False)
    active: int = -1
    told: tuple[str, ...] = ()
    stale: bool = False
    moves: int = 0
    serial: int = field(default_factory=lambda: next(_serials))
    brief: Any = None
    explained: Any = None
    overrides: Mapping[str, Any] = field(default_factory=dict)
    timing: Mapping[str, float] = field(default_factory=dict)
    read_seconds: float = 0.0
    older: frozenset[str] = frozenset()
    changes: Changes | None = None
    when: float = field(default_factory=time.time)
    _at_frame: tuple[int, Subjects] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        self.table = FindingsTable(
            self.judgement.findings, lambda: self.roles, together=self.kind == "voxel"
        )

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
        return pictures.subjects(self.structure, self.judgement.findings)

    @property
    def in_motion(self) -> bool:
        """Whether what is shown depends on the frame."""
        return self.kind == "reconstruction"

    def subjects_at(self, frame: int | None) -> Subjects:
        """As :attr:`subjects`, where they are in a frame of the scene; what is still stays."""
        if not self.in_motion or frame is None:
            return self.subjects
        if self._at_frame is None or self._at_frame[0] != frame:
            self._at_frame = frame, IN_MOTION.subjects_at(self.structure, frame)
        return self._at_frame[1]

    @property
    def every_member(self) -> tuple[tuple[str, ...], Any]:
        """Names and boxes (n, 8, 3), m, of all members, of all blocks too."""
        if self.kind != "voxel":
            return self.subjects.names, self.subjects.corners
        return block_boxes(self.structure)

    @cached_property
    def member_index(self) -> dict[str, int]:
        """Row of each member in the structure."""
        return {name: i for i, name in enumerate(self.subjects.names)}

    @cached_property
    def roles(self) -> dict[str, str]:
        """Role of each member, ``""`` where its name says none."""
        return dict(zip(self.subjects.names, self.subjects.roles, strict=True))

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
    """A scene as it was read for a check: all that judging needs, with no Blender in it.

    ``overrides`` are fields of the brief that stand in the place of the task's. A simulation isn't
    read in one go: ``structure`` is ``None`` then, and ``steps`` begins the work that makes it.
    """

    structure: Any
    task: str | None
    profile: str
    poses: Mapping[str, Any]
    began: float
    seconds: float
    overrides: Mapping[str, Any] = field(default_factory=dict)
    steps: Callable[[], Steps[Any]] | None = None


def read_scene(
    scene: Any, profile: str, depsgraph: Any, overrides: Mapping[str, Any] | None = None
) -> Reading:
    """Read an open scene, on the main thread. Raises ``ValueError`` with a sentence.

    In one go, since what is judged must be what stood there at one moment: the window stands still
    for about 0.05 ms a member on two shared cores. A scene in motion is only looked at: it is
    simulated on copies, see :attr:`Reading.steps`.
    """
    from .scene.blocks import structure_from_blocks
    from .scene.members import structure_from_scene

    began = time.perf_counter()
    structure: Any
    kind = kind_of_scene(scene)
    if kind == "reconstruction":
        return _look_at_motion(scene, profile, depsgraph, dict(overrides or {}))
    if kind == "voxel":
        structure = structure_from_blocks(scene)
    else:
        structure = structure_from_scene(scene, depsgraph)
    poses = poses_of(scene, depsgraph)
    seconds = time.perf_counter() - began
    return Reading(structure, task_of(scene), profile, poses, began, seconds, dict(overrides or {}))


def _look_at_motion(scene: Any, profile: str, depsgraph: Any, overrides: dict[str, Any]) -> Reading:
    """What a simulation of the scene starts from, and how it is made; raises ``ValueError``."""
    from .simulation.experiments import simulate
    from .simulation.recording import frames_of

    began = time.perf_counter()
    frames_of(scene)
    task = task_of(scene)
    brief = _brief_for(task, overrides, KINDS["reconstruction"])
    poses = PhysicsPoses(scene, depsgraph)
    return Reading(
        None,
        task,
        profile,
        poses,
        began,
        time.perf_counter() - began,
        overrides,
        lambda: simulate(scene, brief, kept=True),
    )


def kind_of_scene(scene: Any) -> str:
    """What a scene is judged as: its task's kind, else by what it holds.

    ``voxel`` if it holds blocks, ``reconstruction`` if it holds what a simulation moves.
    """
    if scene is None:
        return "timber"
    task = bundled.known(scene.get(bundled.TASK_KEY))
    if task is not None and task.kind in KINDS:
        return task.kind
    if any(obj.get(_BLOCKS) is not None for obj in scene.objects):
        return "voxel"
    return "reconstruction" if has_physics(scene) else "timber"


def judge_reading(reading: Reading, progress: Progress | None = None) -> Review:
    """Judge what was read, in any thread. Raises ``ValueError`` with a sentence."""
    kind = kind_of(reading.structure)
    brief = _brief_for(reading.task, reading.overrides, kind)
    clock = _Clock(progress)
    judgement = kind.judge(reading.structure, brief, reading.profile, clock)
    clock.stop()
    pictures = pictures_of(judgement.kind)
    explained = pictures.explain(reading.structure, brief, judgement) if pictures else None
    review = Review(
        judgement,
        reading.structure,
        reading.task,
        0.0,
        reading.poses,
        brief=brief,
        explained=explained,
        overrides=reading.overrides,
        timing=clock.seconds,
        read_seconds=reading.seconds,
    )
    _ = review.roles  # worked out here, where nobody waits for it
    review.seconds = time.perf_counter() - reading.began
    return review


def _brief_for(task_id: str | None, overrides: Mapping[str, Any], kind: Kind) -> Any:
    """The task's brief, with what overrides it; ``None`` where nothing is set."""
    task = bundled.known(task_id)
    if task is not None and task.kind == kind.name:
        if not overrides:
            return bundled.brief_of(task.id)
        return kind.brief({**task.brief, **overrides})
    if not overrides:
        return None
    if kind.name == "voxel":  # a brief of blocks names checks: those that are made without a task
        return replace(VoxelBrief(), **overrides)
    return kind.brief(overrides)


class _Clock:
    """Progress that is passed on, and how long each check took, s."""

    def __init__(self, passed_on: Progress | None) -> None:
        self.seconds: dict[str, float] = {}
        self._passed_on = passed_on
        self._step, self._since = "", time.perf_counter()

    def __call__(self, step: str, done: int, total: int) -> None:
        self.stop()
        self._step = step
        if self._passed_on is not None:
            self._passed_on(step, done, total)
        self._since = time.perf_counter()

    def stop(self) -> None:
        """The step that is under way is over."""
        if self._step:
            spent = time.perf_counter() - self._since
            self.seconds[self._step] = self.seconds.get(self._step, 0.0) + spent
        self._step = ""


def one_anew(former: Review, fresh: Review, check: str) -> Review:
    """``fresh`` with its own answer to one check and the ``former`` answers to all others.

    Raises ``KeyError`` if one of them has no such check.
    """
    anew = fresh.judgement.check(check)
    former.judgement.check(check)
    checks = tuple(anew if c.id == check else c for c in former.judgement.checks)
    older = former.older - {check}
    if former.stale:
        older = frozenset(c.id for c in checks) - {check}
    judgement = replace(former.judgement, checks=checks, notes=fresh.judgement.notes)
    return Review(
        judgement,
        fresh.structure,
        fresh.task,
        fresh.seconds,
        fresh.poses,
        brief=fresh.brief,
        explained=fresh.explained,
        overrides=fresh.overrides,
        timing={**former.timing, check: fresh.timing.get(check, 0.0)},
        read_seconds=fresh.read_seconds,
        older=older,
        stale=fresh.stale,
    )


def take_over(former: Review, fresh: Review) -> None:
    """Leave the person where they stand: the chosen finding, what is new and what is mended."""
    before, after = former.table.row_of, fresh.table.row_of
    mended = tuple(key for key in before if key not in after)
    fresh.changes = Changes(mended, tuple(key for key in after if key not in before))
    if former.chosen is not None:
        fresh.active = after.get(former.chosen.key, -1)
        fresh.told = former.told if fresh.active >= 0 else ()


def task_of(scene: Any) -> str | None:
    """Id of the task that the scene was built for, ``None`` if none is known by it."""
    task = bundled.known(scene.get(bundled.TASK_KEY))
    return task.id if task is not None else None


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
