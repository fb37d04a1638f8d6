# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes to single members of a structure; each gives a new structure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ...checks.timber.structure import Floats, TimberStructure


def without(structure: TimberStructure, members: Iterable[int]) -> TimberStructure:
    """All members but these."""
    return structure.subset(np.setdiff1d(np.arange(len(structure)), list(members)))


def renamed(structure: TimberStructure, names: Mapping[int, str]) -> TimberStructure:
    """Members ``names`` under other names."""
    new = tuple(names.get(k, name) for k, name in enumerate(structure.names))
    return rebuilt(structure, names=new)


def moved(structure: TimberStructure, member: int, by: Any) -> TimberStructure:
    """One member moved ``by`` (x, y, z), m."""
    center = structure.center.copy()
    center[member] += np.asarray(by, float)
    return rebuilt(structure, center=center)


def stretched(
    structure: TimberStructure, member: int, towards: Any, by: float, axis: int = 0
) -> TimberStructure:
    """One member longer ``by`` m (shorter if negative) at the end that lies ``towards`` a vector.

    ``axis`` counts the member's own axes from the longest.
    """
    center, half = structure.center.copy(), structure.half.copy()
    along = structure.axes[member, axis]
    sign = 1.0 if float(along @ np.asarray(towards, float)) > 0 else -1.0
    half[member, axis] += 0.5 * by
    center[member] += 0.5 * by * sign * along
    return rebuilt(structure, center=center, half=half)


def boxed(structure: TimberStructure, member: int, low: Any, high: Any) -> TimberStructure:
    """One member as a box along the axes of the world from ``low`` to ``high``, (3,), m."""
    low, high = np.asarray(low, float), np.asarray(high, float)
    center, half, axes = (
        structure.center.copy(), structure.half.copy(), structure.axes.copy(),
    )  # fmt: skip
    center[member], half[member], axes[member] = 0.5 * (low + high), 0.5 * (high - low), np.eye(3)
    return rebuilt(structure, center=center, half=half, axes=axes)


def with_box(
    structure: TimberStructure, name: str, center: Any, axes: Any, size: Any
) -> TimberStructure:
    """One more member: centre (3,) m, axes as rows (3, 3), full size along them (3,) m."""
    return TimberStructure.from_boxes(
        (*structure.names, name),
        np.concatenate([structure.center, np.reshape(center, (1, 3))]),
        np.concatenate([structure.axes, np.reshape(axes, (1, 3, 3))]),
        np.concatenate([2.0 * structure.half, np.reshape(size, (1, 3))]),
        (*structure.explicit_roles, None),
    )


def rebuilt(
    structure: TimberStructure,
    names: tuple[str, ...] | None = None,
    center: Floats | None = None,
    half: Floats | None = None,
    axes: Floats | None = None,
) -> TimberStructure:
    """A structure with some of its columns replaced; axes are sorted by extent again."""
    return TimberStructure.from_boxes(
        structure.names if names is None else names,
        structure.center if center is None else center,
        structure.axes if axes is None else axes,
        2.0 * (structure.half if half is None else half),
        structure.explicit_roles,
        notes=structure.notes,
        source=structure.source,
    )
