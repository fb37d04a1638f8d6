# SPDX-License-Identifier: GPL-3.0-or-later
"""Every threshold of the probes, with its unit and where it is from. A rubric may set each.

``paper`` rows keep to what PhysCodeGym (arXiv 2610.17288) tells of its measurements; ``default``
rows are our published defaults for what it leaves open; ``instrument`` rows say what can be told
from one picture a frame; ``solver`` rows what Blender's solver does of itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from .reading import is_number, shown


class LimitError(ValueError):
    """A threshold that can't be set; the message names it and what there is."""


def _row(value: float, unit: str, source: str, meaning: str) -> Any:
    return field(default=value, metadata={"unit": unit, "source": source, "meaning": meaning})


@dataclass(frozen=True)
class Limits:
    """The table. Shares are of 1; ``size`` is a body's longest extent along its own axes."""

    # 1 numerical stability
    jump_size: float = _row(0.01, "size", "default", "step between frames beyond |v| dt")
    explosion: float = _row(
        10.0, "1", "default", "speed over the greatest of starting speed, fall through the scene"
    )
    growth: float = _row(10.0, "1", "default", "extent over that of the first frame, or under it")
    # 2 gravity
    flight_share: float = _row(0.05, "g", "default", "free-flight acceleration, of scene's gravity")
    flight_floor: float = _row(
        0.05, "standard g", "default", "the same where the scene has no gravity"
    )
    flight_frames: float = _row(4, "frames", "instrument", "shortest flight that is judged")
    # 3 mass
    density_factor: float = _row(1.5, "1", "default", "beyond the ends of the material's densities")
    inertia_factor: float = _row(2.0, "1", "default", "moment of inertia against that of its solid")
    # 4 prescribed motion
    still_size: float = _row(0.01, "size", "default", "a body that stays within this is still")
    # 5 interpenetration
    depth_floor: float = _row(0.002, "m", "default", "persistent depth, at least")
    depth_size: float = _row(0.01, "size", "default", "persistent depth, of the smaller body")
    depth_frames: float = _row(10, "frames", "default", "in a row that make it persistent")
    depth_momentary: float = _row(0.05, "size", "default", "depth in any frame")
    # 6 support
    gap_floor: float = _row(0.003, "m", "default", "support gap beyond both margins, at least")
    gap_size: float = _row(0.02, "size", "default", "support gap beyond both margins")
    proxy_floor: float = _row(0.005, "m", "default", "collision shape off the surface, at least")
    proxy_size: float = _row(0.05, "size", "default", "collision shape off the visible surface")
    rest_frames: float = _row(10, "frames", "default", "in a row without motion: at rest")
    rest_size: float = _row(0.02, "size/s", "default", "speed below which a body is at rest")
    # 7 contact
    impulse: float = _row(3.0, "g dt", "instrument", "velocity change in a frame that is a blow")
    unchecked: float = _row(0.9, "1", "default", "closing speed kept after the blow: no response")
    momentum: float = _row(0.1, "1", "default", "momentum that gets lost in a blow of two")
    # 8 energy
    energy_rise: float = _row(0.05, "1", "default", "of the largest passive energy seen before")
    # 9 rigidity
    edge_change: float = _row(0.001, "1", "default", "change of an edge's length")
    drift: float = _row(0.01, "size", "default", "attachment and pin drift")
    # 10 cloth
    crossings: float = _row(0, "pairs", "paper", "triangles that cross outside the neighbourhood")
    cloth_stretch: float = _row(0.15, "1", "default", "edge over its length at rest")
    # 11 liquid
    liquid_volume: float = _row(0.10, "1", "default", "volume against what was let in")
    liquid_leaked: float = _row(0.02, "1", "default", "share outside of the container")
    liquid_inside: float = _row(0.02, "1", "default", "share within the container's material")
    # 12 wind
    wind_response: float = _row(0.05, "size", "default", "least change when the field is off")
    # 13 friction
    slip: float = _row(0.10, "1", "default", "slip speed of rolling speed")
    friction: float = _row(0.25, "1", "default", "deceleration against that of declared friction")
    # 14 restitution
    restitution: float = _row(0.05, "1", "default", "ratio of speeds beyond what is declared")
    recovery: float = _row(
        0.2, "1", "solver", "ratio that parting what overlaps adds, up to one of 1: Bullet's ERP"
    )
    # 15 soft bodies
    soft_volume: float = _row(0.10, "1", "default", "volume against that of the first frame")
    soft_stretch: float = _row(0.15, "1", "default", "edge over its length at rest")
    # counterfactuals
    repeat_size: float = _row(0.001, "size", "default", "two runs of one scene may differ by")
    held_size: float = _row(0.001, "size", "default", "what is held fixed may differ by")

    def __post_init__(self) -> None:
        for row in fields(self):
            value = getattr(self, row.name)
            if not is_number(value) or value < 0:
                raise LimitError(
                    f"limit {row.name} must be a number of 0 or more, not {shown(value)}"
                )

    @classmethod
    def from_mapping(cls, data: Mapping[str, Any]) -> Limits:
        """The defaults with those of a rubric. Raises :class:`LimitError`, which names the row."""
        known = {row.name for row in fields(cls)}
        for key in data:
            if key not in known:
                raise LimitError(
                    f"there is no limit {shown(key)}; there are {', '.join(sorted(known))}"
                )
        return cls(**data)

    def depth(self, size: float) -> float:
        """Depth that is persistent where it lasts, m; ``size`` of the smaller body, m."""
        return max(self.depth_floor, self.depth_size * size)

    def gap(self, size: float) -> float:
        """Gap beyond the margins over which nothing is held, m."""
        return max(self.gap_floor, self.gap_size * size)

    def proxy(self, size: float) -> float:
        """How far a collision shape may be off the visible surface, m."""
        return max(self.proxy_floor, self.proxy_size * size)


def table() -> list[dict[str, Any]]:
    """The rows for people: name, value, unit, source, meaning."""
    return [{"name": r.name, "value": r.default, **r.metadata} for r in fields(Limits)]
