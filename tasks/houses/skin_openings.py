# SPDX-License-Identifier: GPL-3.0-or-later
"""Openings that the framing shows: between the uprights under a header, above a sill or a floor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...checks.timber.roles import Roles
from ...checks.timber.structure import Floats, TimberStructure
from .storeys import Side, Storey

#: How far a header may stand behind the wall's outer face, m: walls are thinner.
BEHIND = 0.30
#: Uprights are looked for this far below a header, and within this far of its ends, m.
_UNDER, _ASIDE = 0.10, 0.30
#: The plates below an opening lie at most this far beside it, m: under its uprights.
_NEXT = 0.15
#: What a header bears on where no upright is found, m.
_BEARING = 0.038
#: Openings and what is left of the wall round them are no smaller, m.
_SMALLEST = 0.10


@dataclass(frozen=True)
class Opening:
    """A hole in a wall. ``kind`` is ``pane`` or ``door``.

    ``left`` and ``right`` are along ``axis`` (0: x, 1: y), m, or along a side once it is
    :meth:`on` one; ``bottom`` and ``top`` are heights; ``across`` is where the wall stands.
    ``base`` is the underside of the plates that it stands on.
    """

    kind: str
    axis: int
    left: float
    right: float
    bottom: float
    top: float
    across: float
    base: float

    def level_of(self, levels: Sequence[Storey]) -> int:
        """The storey that it is in: that whose floor its plates lie on."""
        return min(range(len(levels)), key=lambda k: abs(levels[k].floor - self.base), default=0)

    def on(self, side: Side, bottom: float, top: Floats) -> Opening | None:
        """The opening in measures along ``side``, if it is in this wall; else ``None``."""
        other = 1 - self.axis
        if abs(side.along[self.axis]) < 0.99:
            return None
        behind = -(self.across - side.start[other]) * side.outward[other]
        if not 0.0 < behind < BEHIND:
            return None
        ends = [
            (u - side.start[self.axis]) * side.along[self.axis] for u in (self.left, self.right)
        ]
        left, right = min(ends), max(ends)
        roof = float(np.interp([left, right], top[:, 0], top[:, 1]).min())
        low, high = max(self.bottom, bottom), min(self.top, roof - 0.02)
        if left < 0.0 or right > side.length or high - low < _SMALLEST:
            return None
        return replace(self, left=left, right=right, bottom=low, top=high)


def openings(structure: TimberStructure, roles: Roles) -> tuple[Opening, ...]:
    """All openings under level headers along x or y; the plies of a header make one."""
    low, high = structure.aabb
    upright = np.abs(structure.axes[:, 0, 2]) > 0.999
    upright &= roles.in_category("walls", "foundation") & ~roles.mask("Cripple")
    sills = np.flatnonzero(roles.mask("WindowSill"))
    plates = roles.mask("BottomPlate", "Plate")
    found: dict[tuple[float, ...], Opening] = {}
    for i in np.flatnonzero(roles.mask("Header")):
        axis = int(np.argmax(high[i] - low[i]))
        if axis == 2 or np.abs(structure.axes[i, 0, axis]) < 0.999:
            continue
        other = 1 - axis
        beside = (low[:, other] < high[i, other]) & (high[:, other] > low[i, other])
        left, right = _clear(i, axis, low, high, upright & beside)
        if right - left < _SMALLEST:
            continue
        middle, head = 0.5 * (left + right), float(low[i, 2])
        under = [
            k
            for k in sills
            if beside[k] and low[k, axis] < middle < high[k, axis] and high[k, 2] < head
        ]
        sill = max((float(high[k, 2]) for k in under), default=None)
        feet = plates & beside & (low[:, 2] < head - 0.5)
        feet &= (high[:, axis] > left - _NEXT) & (low[:, axis] < right + _NEXT)
        stands = feet if feet.any() else upright & beside
        floor = float((high if feet.any() else low)[stands, 2].max())
        base = float(low[stands, 2].max())
        bottom = floor if sill is None else sill
        kind = "door" if sill is None else "pane"
        across = 0.5 * float(low[i, other] + high[i, other])
        key = (axis, round(left, 2), round(right, 2), round(head, 2), round(across / 0.3))
        found.setdefault(key, Opening(kind, axis, left, right, bottom, head, across, base))
    return tuple(found.values())


def _clear(i: int, axis: int, low: Floats, high: Floats, upright: Floats) -> tuple[float, float]:
    """The opening under header ``i``: between the nearest uprights below its ends."""
    z, middle = low[i, 2] - _UNDER, 0.5 * (low[i, axis] + high[i, axis])
    there = upright & (low[:, 2] < z) & (high[:, 2] > z)
    before, after = there & (high[:, axis] <= middle), there & (low[:, axis] >= middle)
    left = high[before, axis].max() if before.any() else -np.inf
    right = low[after, axis].min() if after.any() else np.inf
    if left < low[i, axis] - _ASIDE:
        left = low[i, axis] + _BEARING
    if right > high[i, axis] + _ASIDE:
        right = high[i, axis] - _BEARING
    return float(left), float(right)
