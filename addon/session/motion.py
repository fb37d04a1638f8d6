# SPDX-License-Identifier: GPL-3.0-or-later
"""Motions as they are shown: where bodies were, what they look like, who moved and when.

Lengths are in the units of the scene that is looked at. No ``bpy`` here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ...checks.reconstruction import trajectory as checks
from ..simulation import probes

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

#: A body counts as moved beyond this share of its longest extent: ``rest_size`` over half a second
#: (checks/reconstruction/limits.py), which nobody sees either.
MOVED = 0.01
#: ... and beyond this at least, m.
LEAST = 0.002


@dataclass(frozen=True, eq=False)
class Motion:
    """``k`` bodies over ``f`` frames, the first of them ``first``.

    ``matrices`` (f, k, 4, 4) place the bodies; those of ``scaled`` hold their scale too. ``meshes``
    are vertices in the world by name, (f, v, 3), of what changes its shape; ``shapes`` vertices and
    triangles in a body's own axes, for bodies that are no object. ``size`` (k,) are their longest
    extents, m; ``unit`` is how many metres the scene's unit has. ``replaces`` are objects that
    bodies with ``shapes`` stand for.
    """

    names: tuple[str, ...]
    matrices: Floats
    first: int
    fps: float
    scaled: bool = True
    meshes: Mapping[str, Floats] = field(default_factory=dict)
    shapes: Mapping[str, tuple[Floats, Ints]] = field(default_factory=dict)
    size: Floats | None = None
    unit: float = 1.0
    replaces: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.matrices)

    @property
    def last(self) -> int:
        """The last frame."""
        return self.first + len(self) - 1

    def row(self, frame: int) -> int:
        """The row of a frame, the nearest one there is."""
        return min(max(frame - self.first, 0), len(self) - 1)

    @classmethod
    def of_probe(cls, found: probes.Trajectory, unit: float = 1.0) -> Motion:
        """The motion that a probe hands back; its frames count from 1."""
        return cls(
            found.names,
            _held(found.matrices.astype(np.float64)),
            1,
            found.fps,
            shapes=found.shapes,
            unit=unit,
            replaces=found.replaces,
        )

    @classmethod
    def of_run(cls, run: checks.Trajectory, unit: float = 1.0) -> Motion:
        """The motion of a recorded run, which is in metres."""
        matrices = np.zeros((len(run), len(run.bodies), 4, 4))
        matrices[..., 3, 3] = 1.0
        matrices[..., :3, :3] = turned(run.quaternion)
        if run.scale is not None:
            matrices[..., :3, :3] *= run.scale[..., None, :]
        matrices[..., :3, 3] = run.position / unit
        return cls(
            run.names,
            _held(matrices),
            int(run.frames[0]),
            run.fps,
            scaled=False,
            meshes={name: _held(mesh) / unit for name, mesh in run.meshes.items()},
            shapes={
                body.name: (body.vertices / unit, body.triangles)
                for body in run.bodies
                if len(body.triangles)
            },
            size=np.array([body.size for body in run.bodies]),
            unit=unit,
        )


def turned(quaternion: Floats) -> Floats:
    """Rotation matrices (..., 3, 3) of quaternions (..., 4) as (w, x, y, z)."""
    w, x, y, z = np.moveaxis(quaternion, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def _held(values: Floats) -> Floats:
    """A solver that explodes leaves poses that are no numbers: the last one that was is shown."""
    good = np.isfinite(values.reshape(*values.shape[:2], -1)).all(-1)
    if good.all():
        return values
    rows = np.where(good, np.arange(len(values))[:, None], 0)
    held = np.take_along_axis(
        values, np.maximum.accumulate(rows).reshape(good.shape + (1,) * (values.ndim - 2)), axis=0
    )
    return np.nan_to_num(held)


@dataclass(frozen=True, eq=False)
class Take:
    """One motion as it is shown, under a title.

    ``moved`` (k,) is the first row in which each body has gone where it shouldn't or otherwise,
    -1 for never; ``says`` one sentence with the figures. ``at_fault`` are bodies to be marked in
    red all along. ``leader`` is who was first, where several moved in one frame and that is known.
    ``answer`` is what came of it, which a view tells in place of who has moved. ``altered`` are
    bodies that were made otherwise themselves: they aren't counted.
    """

    title: str
    motion: Motion
    moved: Ints
    says: str = ""
    at_fault: frozenset[str] = frozenset()
    leader: str = ""
    answer: str = ""
    altered: frozenset[str] = frozenset()

    @property
    def counted(self) -> Bools:
        """Which bodies are counted, (k,)."""
        return np.array([name not in self.altered for name in self.motion.names], bool)

    def count(self, frame: int) -> int:
        """How many have moved by a frame."""
        row = self.motion.row(frame)
        return int(((self.moved >= 0) & (self.moved <= row) & self.counted).sum())


@dataclass(frozen=True)
class Mark:
    """A moment on the timeline."""

    frame: int
    title: str


@dataclass(frozen=True, eq=False)
class Show:
    """What is played: one to three takes on one timeline, with marks on it."""

    takes: tuple[Take, ...]
    marks: tuple[Mark, ...] = ()

    @property
    def first(self) -> int:
        """The first frame of all."""
        return min(take.motion.first for take in self.takes)

    @property
    def last(self) -> int:
        """The last frame of all."""
        return max(take.motion.last for take in self.takes)


def moved_from_start(motion: Motion) -> Ints:
    """The first row in which each body is away from where it began, (k,); -1 for never."""
    places = motion.matrices[..., :3, 3]
    return _first_beyond(np.linalg.norm(places - places[:1], axis=-1), motion)


def moved_otherwise(motion: Motion, other: Motion) -> Ints:
    """The first row in which each body is elsewhere than in another run, (k,); -1 for never.

    Bodies that the other run hasn't count as at home.
    """
    rows = min(len(motion), len(other))
    index = {name: k for k, name in enumerate(other.names)}
    here = motion.matrices[:rows, :, :3, 3]
    there = here.copy()
    shared = [(k, index[name]) for k, name in enumerate(motion.names) if name in index]
    if shared:
        mine, its = map(list, zip(*shared, strict=True))
        there[:, mine] = other.matrices[:rows, :, :3, 3][:, its]
    return _first_beyond(np.linalg.norm(here - there, axis=-1), motion)


def moved_by_frame(motion: Motion, frames: Mapping[str, int | None]) -> Ints:
    """The row in which each body is said to have moved, (k,); -1 for those that aren't named."""
    rows = [frames.get(name) for name in motion.names]
    return np.array([-1 if f is None else motion.row(f) for f in rows], np.int64)


def still(motion: Motion) -> Motion:
    """The bodies as they stood in the beginning, for as long."""
    first = motion.matrices[:1]
    return replace(motion, matrices=np.broadcast_to(first, motion.matrices.shape))


def _first_beyond(away: Floats, motion: Motion) -> Ints:
    size = np.zeros(len(motion.names)) if motion.size is None else motion.size
    beyond = away * motion.unit > np.maximum(LEAST, MOVED * size)
    return np.where(beyond.any(0), beyond.argmax(0), -1)


def farthest(
    motion: Motion, other: Motion | None = None, among: Bools | None = None
) -> tuple[str, float]:
    """Which body ends farthest from its start, or from where another run has it, and how far, m.

    ``among`` (k,) says which bodies are asked.
    """
    end = motion.matrices[-1, :, :3, 3].copy()
    home = motion.matrices[0, :, :3, 3].copy()
    if other is not None:
        index = {name: k for k, name in enumerate(other.names)}
        for k, name in enumerate(motion.names):
            home[k] = other.matrices[-1, index[name], :3, 3] if name in index else end[k]
    if not len(end):
        return "", 0.0
    away = np.linalg.norm(end - home, axis=-1) * motion.unit
    away = away if among is None else np.where(among, away, 0.0)
    return motion.names[int(away.argmax())], float(away.max())


def first_mover(take: Take) -> tuple[str, int] | None:
    """Who moved first of those that count and in which frame, ``None`` if nobody did."""
    rows = np.where((take.moved >= 0) & take.counted, take.moved, len(take.motion) + 1)
    if not len(rows) or rows.min() > len(take.motion):
        return None
    first = int(rows.argmin())
    if take.leader in take.motion.names:
        leader = take.motion.names.index(take.leader)
        first = leader if rows[leader] == rows[first] else first
    return take.motion.names[first], take.motion.first + int(rows[first])


def told(take: Take, says: str) -> Take:
    """The take with another sentence."""
    return replace(take, says=says)


def marks_of(findings: Sequence[tuple[int | None, str]], most: int = 40) -> tuple[Mark, ...]:
    """A mark for each frame in which something was found, the first ``most`` of them.

    Several in one frame share a mark.
    """
    by_frame: dict[int, list[str]] = {}
    for frame, title in findings:
        if frame is not None:
            titles = by_frame.setdefault(frame, [])
            if title not in titles:
                titles.append(title)
    return tuple(Mark(f, ", ".join(by_frame[f][:3])) for f in sorted(by_frame)[:most])
