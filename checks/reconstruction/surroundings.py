# SPDX-License-Identifier: GPL-3.0-or-later
"""What joins bodies, what pushes them, and what was measured on liquids. SI units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .bodies import Floats, TrajectoryError

JointKind = Literal[
    "fixed", "point", "hinge", "slider", "piston", "generic", "spring", "motor", "rope"
]
JOINTS: tuple[JointKind, ...] = (
    *("fixed", "point", "hinge", "slider", "piston", "generic", "spring", "motor", "rope"),
)
#: Joints whose two pivots stay together.
PIVOTED = ("fixed", "point", "hinge")
#: Joints that can put energy into what they join.
WORKING = ("spring", "motor")


@dataclass(frozen=True, eq=False)
class Joint:
    """A constraint between two bodies, or between one and the world (``second`` is ``None``).

    ``first_pivot`` and ``second_pivot`` are the joint's place in each body's axes, m; of the world,
    in its axes. ``collides`` says whether the two still collide. ``until`` is the last frame in
    which it held, ``None`` if it never broke.
    """

    name: str
    kind: JointKind
    first: str
    second: str | None
    first_pivot: tuple[float, float, float]
    second_pivot: tuple[float, float, float]
    collides: bool = False
    until: int | None = None

    def __post_init__(self) -> None:
        if self.kind not in JOINTS:
            raise TrajectoryError(f"joint {self.name!r}: unknown kind {self.kind!r}")


@dataclass(frozen=True, slots=True)
class ForceField:
    """A force field: its kind as Blender calls it (``"WIND"``), its strength, and whether seen.

    ``bodies`` are those that feel it; ``None`` if that isn't known, which means all.
    """

    name: str
    kind: str
    strength: float
    bodies: tuple[str, ...] | None = None
    visible: bool = True


@dataclass(frozen=True, eq=False)
class Liquid:
    """What was measured on a liquid, frame by frame, each (f,).

    ``volume`` m3 is there, ``added`` m3 had been let in by then; ``leaked`` is the share outside of
    its ``container``, ``inside`` the share within the container's material, ``level`` m the height
    of its surface; ``None`` where that was not measured.
    """

    body: str
    volume: Floats
    added: Floats
    container: str | None = None
    leaked: Floats | None = None
    inside: Floats | None = None
    level: Floats | None = None
