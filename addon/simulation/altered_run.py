# SPDX-License-Identifier: GPL-3.0-or-later
"""What was recorded of an altered copy, set beside the unchanged run. No ``bpy`` here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np

from ...checks.reconstruction.trajectory import Distances, Trajectory
from .steps import SimulationError


def put_right(
    found: Trajectory, applied: Sequence[Mapping[str, Any]], base: Trajectory | None
) -> Trajectory:
    """The run with what was done to it in ``source``, and without what recording made of that.

    What was done stands by its kind, a second one of a kind by its kind and a number.

    A body that was removed in midst of it is left out. A body that was led is where the unchanged
    run has it in those frames. Raises :class:`.steps.SimulationError` if an intervention never came
    to pass, or if leading a body changed anything else.
    """
    told: dict[str, Any] = {}
    for one in applied:
        if not one["done"]:
            raise SimulationError(f"{one['kind']} never came to pass: the run ended before it")
        name, count = one["kind"], 1
        while name in told:
            count += 1
            name = f"{one['kind']} {count}"
        told[name] = {**one["done"], "at_frame": one["at_frame"]}
        found = _one(found, one, base)
    return replace(found, source={**found.source, "applied": told})


def _one(found: Trajectory, one: Mapping[str, Any], base: Trajectory | None) -> Trajectory:
    done = one["done"]
    when = done.get("let_go", one["at_frame"])
    if one["kind"] == "remove":
        return without(found, done["removed"])
    if one["kind"] == "remove_constraint" and when is not None:
        joints = tuple(
            replace(j, until=when) if j.name == done["constraint"] else j for j in found.joints
        )
        return replace(found, joints=joints)
    if "led" in done and base is not None:
        if done.get("at_start"):
            return _as_before(found, base, done["object"], when)
        return _led(found, base, done["object"], when, int(done["led"]))
    return found


def _as_before(found: Trajectory, base: Trajectory, name: str, start: int) -> Trajectory:
    """What stood still or was led before the start is as in the unchanged run until then."""
    bodies = tuple(
        replace(body, part=base.bodies[base.index(body.name)].part)
        if body.name in base.names
        else body
        for body in found.bodies
    )
    found = _put_back(replace(found, bodies=bodies), base, name, slice(0, base.row(start)))
    if base.kinematic is None or found.kinematic is None or found.names != base.names:
        return found
    return replace(found, kinematic=base.kinematic[: len(found)])


def _led(found: Trajectory, base: Trajectory, name: str, when: int, frames: int) -> Trajectory:
    """In the frames in which it was led a body is where the unchanged run has it."""
    row = base.row(when)
    for other in found.names:
        if other == name or other not in base.names:
            continue
        i, j = found.index(other), base.index(other)
        if not (
            np.array_equal(found.position[: row + 1, i], base.position[: row + 1, j], True)
            and np.array_equal(found.quaternion[: row + 1, i], base.quaternion[: row + 1, j], True)
        ):
            raise SimulationError(
                f"{name} touches {other} in the {frames} frames before {when}, and can't be moved "
                f"there with all else held; choose a frame before which it is free"
            )
    return _put_back(found, base, name, slice(max(row - frames, 0), row))


def _put_back(found: Trajectory, base: Trajectory, name: str, rows: slice) -> Trajectory:
    """A body is where the unchanged run has it in those rows."""
    if rows.start >= rows.stop or name not in base.names:
        return found
    k, b = found.index(name), base.index(name)
    put: dict[str, Any] = {}
    for label in ("position", "quaternion", "kinematic"):
        mine, theirs = getattr(found, label), getattr(base, label)
        if mine is not None and theirs is not None:
            put[label] = mine.copy()
            put[label][rows, k] = theirs[rows, b]
    return replace(found, **put)


def without(found: Trajectory, names: Sequence[str]) -> Trajectory:
    """The trajectory without some bodies, and without the joints and distances of those."""
    keep = [k for k, name in enumerate(found.names) if name not in names]
    if len(keep) == len(found.names):
        return found
    values: dict[str, Any] = {
        label: None if getattr(found, label) is None else getattr(found, label)[:, keep]
        for label in (
            *("position", "quaternion", "velocity", "angular_velocity", "scale", "kinematic"),
        )
    }
    return replace(
        found,
        bodies=tuple(found.bodies[k] for k in keep),
        joints=tuple(j for j in found.joints if j.first not in names and j.second not in names),
        meshes={name: mesh for name, mesh in found.meshes.items() if name not in names},
        liquids=tuple(one for one in found.liquids if one.body not in names),
        distances=None if found.distances is None else _distances(found.distances, keep),
        **values,
    )


def _distances(found: Distances, keep: Sequence[int]) -> Distances:
    new = np.full(1 + max([*keep, *found.measured.ravel().tolist()], default=0), -1)
    new[list(keep)] = np.arange(len(keep))
    rows = (new[found.first] >= 0) & (new[found.second] >= 0)
    pairs = (new[found.measured] >= 0).all(1)
    reach = found.reach[:, pairs] if isinstance(found.reach, np.ndarray) else found.reach
    return replace(
        found,
        frame=found.frame[rows],
        first=new[found.first[rows]],
        second=new[found.second[rows]],
        distance=found.distance[rows],
        point=found.point[rows],
        normal=found.normal[rows],
        measured=new[found.measured[pairs]],
        reach=reach,
    )


def same(one: Trajectory, other: Trajectory) -> bool:
    """Whether two runs are the same to the last bit, as far as they were recorded."""
    if one.names != other.names or set(one.meshes) != set(other.meshes):
        return False
    pairs = [(getattr(one, name), getattr(other, name)) for name in ("position", "quaternion")]
    pairs += [(one.meshes[name], other.meshes[name]) for name in one.meshes]
    for left, right in zip(one.liquids, other.liquids, strict=False):
        pairs.append((left.volume, right.volume))
    return len(one.liquids) == len(other.liquids) and all(
        np.array_equal(a, b, equal_nan=True) for a, b in pairs
    )


def size_of(trajectory: Trajectory) -> int:
    """Bytes of the arrays of a trajectory that grow with its frames."""
    arrays: list[Any] = list(trajectory.meshes.values())
    for item in (trajectory, trajectory.distances):
        if item is not None:
            arrays += [getattr(item, entry.name) for entry in fields(item)]
    return sum(a.nbytes for a in arrays if isinstance(a, np.ndarray))
