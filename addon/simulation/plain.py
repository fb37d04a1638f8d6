# SPDX-License-Identifier: GPL-3.0-or-later
"""A simulation as plain data that JSON can hold, and back. No ``bpy`` here.

Runs share much: one baseline belongs to every criterion, and a body's surface to every run. Each
trajectory and each body is stored once, and spoken of by its place in the list.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from ...checks.reconstruction import Trajectory, TrajectoryError
from ...checks.reconstruction.counterfactual import Runs
from ...checks.reconstruction.plain import from_plain, to_plain
from ...checks.reconstruction.reading import shown
from ...checks.reconstruction.simulation import Simulation

SCHEMA = "plumbline.simulation/1"

_RUNS = ("baseline", "repeat", "branch", "positive", "negative")


def simulation_to_plain(simulation: Simulation) -> dict[str, Any]:
    """The simulation as dicts, lists and numbers; ``json.dumps(..., allow_nan=False)`` takes it."""
    store = _Store()
    plain: dict[str, Any] = {
        "schema": SCHEMA,
        "trajectory": store.place(simulation.trajectory),
        "without_fields": store.place(simulation.without_fields),
        "runs": {
            name: {
                **{run: store.place(getattr(runs, run)) for run in _RUNS},
                "refused": dict(runs.refused or {}),
            }
            for name, runs in simulation.runs.items()
        },
        "notes": list(simulation.notes),
    }
    return {**plain, "trajectories": store.trajectories, "bodies": store.bodies}


def simulation_from_plain(data: Any) -> Simulation:
    """A simulation from its plain form; what was shared is shared again.

    Raises :class:`TrajectoryError`, which names the place.
    """
    if not isinstance(data, Mapping) or data.get("schema") != SCHEMA:
        raise TrajectoryError(f'simulation: "schema" must be "{SCHEMA}"')
    trajectories = _trajectories(data)

    def at(place: Any, what: str) -> Trajectory | None:
        if place is None:
            return None
        if isinstance(place, bool) or not isinstance(place, int):
            raise TrajectoryError(
                f"simulation: {what} must be a place in the list, not {shown(place)}"
            )
        if not 0 <= place < len(trajectories):
            raise TrajectoryError(f"simulation: {what}: there is no trajectory {shown(place)}")
        return trajectories[place]

    trajectory = at(data.get("trajectory"), "trajectory")
    if trajectory is None:
        raise TrajectoryError("simulation: trajectory is missing")
    runs = {
        str(name): Runs(
            **{run: at(_mapping(one, name).get(run), f"{name}: {run}") for run in _RUNS},
            refused={str(k): str(v) for k, v in _mapping(one.get("refused") or {}, name).items()},
        )
        for name, one in _mapping(data.get("runs") or {}, "runs").items()
    }
    notes = data.get("notes") or []
    if not isinstance(notes, (list, tuple)):
        raise TrajectoryError("simulation: notes must be a list")
    return Simulation(
        trajectory, runs, at(data.get("without_fields"), "without_fields"), tuple(map(str, notes))
    )


def count_of(plain: Mapping[str, Any]) -> int:
    """How many bodies the plain form of a simulation has."""
    try:
        return len(plain["trajectories"][plain["trajectory"]]["bodies"])
    except (LookupError, TypeError):
        return 0


class _Store:
    """What was put down so far: each trajectory by identity, each body by its content."""

    def __init__(self) -> None:
        self.trajectories: list[dict[str, Any]] = []
        self.bodies: list[dict[str, Any]] = []
        self._met: dict[int, int] = {}
        self._kept: list[Trajectory] = []
        self._bodies: dict[bytes, int] = {}

    def place(self, trajectory: Trajectory | None) -> int | None:
        """Where it lies, put there if it is new."""
        if trajectory is None:
            return None
        if id(trajectory) not in self._met:
            plain = to_plain(trajectory)
            plain["bodies"] = [self._body(body) for body in plain["bodies"]]
            self._met[id(trajectory)] = len(self.trajectories)
            self.trajectories.append(plain)
            self._kept.append(trajectory)
        return self._met[id(trajectory)]

    def _body(self, plain: dict[str, Any]) -> int:
        key = hashlib.blake2b(json.dumps(plain, sort_keys=True).encode(), digest_size=16).digest()
        if key not in self._bodies:
            self._bodies[key] = len(self.bodies)
            self.bodies.append(plain)
        return self._bodies[key]


def _trajectories(data: Mapping[str, Any]) -> list[Trajectory]:
    bodies, listed = data.get("bodies"), data.get("trajectories")
    if not isinstance(bodies, list) or not isinstance(listed, list):
        raise TrajectoryError("simulation: bodies and trajectories must be lists")
    made = []
    for item in listed:
        item = _mapping(item, "trajectories")
        places = item.get("bodies")
        if not isinstance(places, list) or not all(
            type(k) is int and 0 <= k < len(bodies) for k in places
        ):
            raise TrajectoryError("simulation: bodies of a trajectory must be places in the list")
        made.append(from_plain({**item, "bodies": [bodies[k] for k in places]}))
    return made


def _mapping(value: Any, place: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise TrajectoryError(f"simulation: {place} must be an object")
    return value
