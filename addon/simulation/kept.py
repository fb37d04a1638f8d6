# SPDX-License-Identifier: GPL-3.0-or-later
"""Trajectories that were recorded are kept, so that the same scene isn't simulated twice.

By any key that says all that matters: the scene's state hash, the frames, what was altered. Bounded
in bytes; what was used longest ago goes first. No ``bpy`` here.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterator
from typing import Any

import numpy as np

from ...checks.reconstruction.trajectory import Trajectory

#: Bytes that all kept trajectories may have together.
MOST = 512 * 2**20

_kept: OrderedDict[Hashable, tuple[int, Trajectory]] = OrderedDict()


def kept_trajectory(key: Hashable) -> Trajectory | None:
    """The trajectory that was kept under ``key``, ``None`` if there is none any more."""
    found = _kept.get(key)
    if found is None:
        return None
    _kept.move_to_end(key)
    return found[1]


def keep_trajectory(key: Hashable, trajectory: Trajectory) -> None:
    """Keep a trajectory; one that is too large by itself is not."""
    _kept.pop(key, None)
    size = size_of(trajectory)
    if size > MOST:
        return
    _kept[key] = size, trajectory
    while sum(one for one, _ in _kept.values()) > MOST:
        _kept.popitem(last=False)


def forget_trajectories() -> None:
    """Keep none any more."""
    _kept.clear()


def size_of(trajectory: Trajectory) -> int:
    """Bytes of a trajectory's arrays, those that are shared once."""
    seen: dict[int, int] = {}
    for array in _arrays(trajectory):
        base = array if array.base is None or not isinstance(array.base, np.ndarray) else array.base
        seen[id(base)] = base.nbytes
    return sum(seen.values())


def _arrays(trajectory: Trajectory) -> Iterator[np.ndarray[Any, Any]]:
    holders: list[Any] = [trajectory, trajectory.distances, *trajectory.bodies]
    holders += [*trajectory.liquids]
    for holder in holders:
        for value in vars(holder).values() if hasattr(holder, "__dict__") else ():
            if isinstance(value, np.ndarray):
                yield value
            elif isinstance(value, tuple):
                yield from (one for one in value if isinstance(one, np.ndarray))
    yield from trajectory.meshes.values()
