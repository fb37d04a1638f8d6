# SPDX-License-Identifier: GPL-3.0-or-later
"""The plain-data picture of a simulation: where bodies were, frame by frame, and what moved them.

Everything is in SI units and the world's axes, z up: what records a scene multiplies its lengths
and its gravity by the scene's unit scale. A solver that explodes leaves NaN or infinity in the
poses; that is for the checks to tell, so poses need not be finite. What is infinite or farther than
any place is kept as NaN.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from .bodies import Body, Bools, Floats, Ints, TrajectoryError, index_of
from .surroundings import ForceField, Joint, Liquid

#: Beyond this, m (or m/s, rad/s), a pose is no place any more.
FARTHEST = 1e9


def _tamed(values: Floats) -> Floats:
    with np.errstate(invalid="ignore"):
        wild = ~(np.abs(values) <= FARTHEST)
    return np.where(wild, np.nan, values) if wild.any() else values


@dataclass(frozen=True, eq=False)
class Distances:
    """Signed distances between visible surfaces, one row a frame and pair.

    A pair of ``measured`` that has no row in a frame is farther apart than ``reach`` there. Pairs
    that aren't in ``measured`` are unknown.

    Attributes
    ----------
    frame, first, second
        Row of ``Trajectory.frames`` and of its bodies, (k,), ``first < second``.
    distance
        m, negative inside, (k,).
    point, normal
        Where, in the world, (k, 3) m, and the unit direction from ``second`` to ``first`` in which
        they part, (k, 3); NaN where that isn't known.
    measured
        Rows of the bodies of each pair that was looked at, (p, 2).
    reach
        (f, p) m, or one number for all.
    method
        How, for people: ``"convex pieces"``, ``"BVH"``.
    exact
        ``False`` for samples, or surfaces that aren't closed.
    """

    frame: Ints
    first: Ints
    second: Ints
    distance: Floats
    point: Floats
    normal: Floats
    measured: Ints
    reach: Floats | float = 0.0
    method: str = ""
    exact: bool = True

    def __post_init__(self) -> None:
        k = len(self.frame)
        if any(len(a) != k for a in (self.first, self.second, self.distance)):
            raise TrajectoryError(f"distances: {k} rows need as many bodies and figures")
        if self.measured.ndim != 2 or self.measured.shape[1] != 2:
            raise TrajectoryError(f"distances: measured must be (p, 2), not {self.measured.shape}")
        if self.point.shape != (k, 3) or self.normal.shape != (k, 3):
            raise TrajectoryError(f"distances: {k} rows need points and normals of ({k}, 3)")
        if k and not (self.first < self.second).all():
            raise TrajectoryError("distances: the first body of a row must be the lower one")


@dataclass(frozen=True, eq=False)
class Trajectory:
    """``n`` bodies over ``f`` frames.

    Attributes
    ----------
    frames
        Frame numbers, (f,), rising by 1.
    bodies
        ``n`` of them, with different names.
    position, quaternion
        Of the centre of mass, which Blender's solver takes an object's origin for, (f, n, 3) m, and
        (f, n, 4) as (w, x, y, z).
    velocity, angular_velocity
        From the solver's own states, (f, n, 3) m/s and rad/s; ``None`` where it gives none. Never
        from differences of positions: the checks take those themselves.
    scale
        Evaluated scale against that of the first frame, (f, n, 3); ``None`` if it wasn't read.
    kinematic
        (f, n): moved by something other than the solver in that frame; ``None``: by ``part``.
    meshes
        Evaluated vertices in the world by a body's name, (f, v, 3) m: cloth, soft bodies, and
        rigid ones where asked.
    fps, substeps
        Frames a second, solver steps a frame (``None`` where the solver has none).
    gravity
        (3,) m/s2.
    joints, fields, liquids
        What joins bodies, what pushes them, what was measured on liquids.
    handlers
        Frame handlers and scripts that run while it plays.
    distances
        Where the recorder measured them (meshes that aren't convex); else they are measured here.
    notes, source
        Sentences on the recording; free data on where it came from.
    """

    frames: Ints
    bodies: tuple[Body, ...]
    position: Floats
    quaternion: Floats
    fps: float
    gravity: Floats
    velocity: Floats | None = None
    angular_velocity: Floats | None = None
    scale: Floats | None = None
    kinematic: Bools | None = None
    meshes: Mapping[str, Floats] = field(default_factory=dict)
    substeps: int | None = None
    joints: tuple[Joint, ...] = ()
    fields: tuple[ForceField, ...] = ()
    liquids: tuple[Liquid, ...] = ()
    handlers: tuple[str, ...] = ()
    distances: Distances | None = None
    notes: tuple[str, ...] = ()
    source: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        f, n = len(self.frames), len(self.bodies)
        if not f:
            raise TrajectoryError("the trajectory has no frames: record at least one")
        if (np.diff(self.frames) != 1).any():
            raise TrajectoryError("frames must rise by 1: record every frame, whatever the step")
        if not (np.isfinite(self.fps) and self.fps > 0):
            raise TrajectoryError(f"the frame rate must be above 0, not {self.fps!r}")
        if self.gravity.shape != (3,) or not np.isfinite(self.gravity).all():
            raise TrajectoryError("gravity must be three finite numbers, in m/s2")
        for label, width in (
            *(("position", 3), ("quaternion", 4), ("velocity", 3)),
            *(("angular_velocity", 3), ("scale", 3)),
        ):
            value = getattr(self, label)
            if value is not None and value.shape != (f, n, width):
                raise TrajectoryError(f"{label} must be ({f}, {n}, {width}), not {value.shape}")
        if self.kinematic is not None and self.kinematic.shape != (f, n):
            raise TrajectoryError(f"kinematic must be ({f}, {n}), not {self.kinematic.shape}")
        self._check_names()
        self._tame()

    def _tame(self) -> None:
        """Numbers that are infinite or beyond all bounds become NaN, which arithmetic passes on."""
        for label in ("position", "quaternion", "velocity", "angular_velocity", "scale"):
            value = getattr(self, label)
            if value is not None:
                object.__setattr__(self, label, _tamed(value))
        meshes = {name: _tamed(mesh) for name, mesh in self.meshes.items()}
        object.__setattr__(self, "meshes", meshes)

    def _check_names(self) -> None:
        names = self.names
        if len(set(names)) != len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise TrajectoryError(f"two bodies are called {twice!r}: names must differ")
        for joint in self.joints:
            for end in (joint.first, joint.second):
                if end is not None and end not in names:
                    raise TrajectoryError(f"joint {joint.name!r}: there is no body {end!r}")
        for name, mesh in self.meshes.items():
            body = self.bodies[self.index(name)]
            if mesh.shape != (len(self), len(body.vertices), 3):
                raise TrajectoryError(
                    f"mesh of {name!r} must be ({len(self)}, {len(body.vertices)}, 3), "
                    f"not {mesh.shape}"
                )
        for liquid in self.liquids:
            if liquid.body not in names:
                raise TrajectoryError(f"liquid {liquid.body!r}: there is no such body")
            for label in ("volume", "added", "leaked", "inside", "level"):
                value = getattr(liquid, label)
                if value is not None and value.shape != (len(self),):
                    raise TrajectoryError(f"liquid {liquid.body!r}: {label} must be ({len(self)},)")
        self._check_distances()

    def _check_distances(self) -> None:
        """Rows of frames and bodies that there are, and a reach for each pair."""
        found = self.distances
        if found is None:
            return
        for label, most in (
            *(("frame", len(self)), ("first", len(self.bodies))),
            *(("second", len(self.bodies)), ("measured", len(self.bodies))),
        ):
            rows = getattr(found, label)
            if rows.size and (rows.min() < 0 or rows.max() >= most):
                raise TrajectoryError(f"distances: {label} names a row that there isn't")
        if isinstance(found.reach, np.ndarray) and found.reach.shape != (
            len(self),
            len(found.measured),
        ):
            raise TrajectoryError(
                f"distances: reach must be ({len(self)}, {len(found.measured)}), "
                f"not {found.reach.shape}"
            )

    def __len__(self) -> int:
        return len(self.frames)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the bodies."""
        return tuple(body.name for body in self.bodies)

    def index(self, name: str) -> int:
        """The row of a body by its role or name. Raises :class:`TrajectoryError`."""
        if sum(body.role == name for body in self.bodies) > 1:
            raise TrajectoryError(f"several bodies have the role {name!r}: give it to one")
        found = index_of(self.bodies, name)
        if found is None:
            raise TrajectoryError(f"there is no body or role {name!r} in the trajectory")
        return found

    def row(self, frame: int) -> int:
        """The row of a frame, the nearest one there is."""
        return int(np.clip(frame - self.frames[0], 0, len(self) - 1))

    @property
    def dt(self) -> float:
        """Seconds a frame."""
        return 1.0 / self.fps

    @cached_property
    def g(self) -> float:
        """Strength of gravity, m/s2."""
        return float(np.linalg.norm(self.gravity))

    @cached_property
    def up(self) -> Floats:
        """Unit vector against gravity, (3,); z where there is none."""
        if self.g == 0:
            return np.array([0.0, 0.0, 1.0])
        up: Floats = -self.gravity / self.g
        return up

    @cached_property
    def finite(self) -> Bools:
        """Which poses are numbers, (f, n)."""
        whole: Bools = np.isfinite(self.position).all(2) & np.isfinite(self.quaternion).all(2)
        for name, mesh in self.meshes.items():
            whole[:, self.index(name)] &= np.isfinite(mesh).all((1, 2))
        return whole

    @cached_property
    def driven(self) -> Bools:
        """Which bodies something other than the solver moves or holds, (f, n)."""
        if self.kinematic is not None:
            return self.kinematic
        still = np.array([body.part != "active" for body in self.bodies], bool)
        return np.broadcast_to(still, (len(self), len(self.bodies)))

    def joints_of(self, name: str) -> tuple[Joint, ...]:
        """Every joint that a body is part of."""
        return tuple(j for j in self.joints if name in (j.first, j.second))

    def joined(self, first: str, second: str) -> bool:
        """Whether a joint holds two bodies together directly."""
        return any({j.first, j.second} == {first, second} for j in self.joints)

    @cached_property
    def workings(self) -> dict[Any, Any]:
        """What checks found out on the way and others can use; never part of a record."""
        return {}
