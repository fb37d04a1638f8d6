# SPDX-License-Identifier: GPL-3.0-or-later
"""What physics can be asked of a scene: probes and counterfactuals, by kind of structure.

A probe runs on a copy of the scene, a bounded piece of work at a time, so that the window stays
free and it can be called off anywhere. No ``bpy`` here; what probes do on their stage may need it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from ...checks.result import Finding

#: A probe asks what happens, a counterfactual what would happen if something were otherwise.
Group = Literal["probe", "counterfactual"]

#: The probe that lessons use for *Let it fall*.
FALL = "fall"


class Stage(Protocol):
    """A copy of a scene that a probe may do with as it likes. Main thread only."""

    @property
    def scene(self) -> Any:
        """The copy. Raises ``StageGone`` with a sentence once it is not there any more."""

    @property
    def names(self) -> Mapping[str, str]:
        """The name in the person's scene of each object of the copy, by its name there."""

    def object(self, name: str) -> Any:
        """The copy of the object that the person calls ``name``. Raises ``KeyError``."""

    def matrices(self, names: tuple[str, ...]) -> NDArray[np.float32]:
        """Where those objects are in the present frame, (k, 4, 4), by their names there."""


class StageGone(RuntimeError):
    """The copy was taken away while a probe was at work; the message says by what."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One number that a person may set before a probe runs, in ``unit``."""

    id: str
    title: str
    unit: str
    default: float
    low: float
    high: float
    explanation: str

    def taken(self, value: float) -> float:
        """The value within its ends; the default for what is no number."""
        return min(max(value, self.low), self.high) if math.isfinite(value) else self.default


@dataclass(frozen=True)
class Trajectory:
    """Where bodies were: ``matrices`` (f, k, 4, 4) of the objects ``names`` in each frame.

    Names are those in the person's scene, lengths in the units of the scene, ``fps`` in 1/s.
    Bodies that are no objects there have ``shapes``: vertices (v, 3) in their own axes, and
    triangles (t, 3). ``replaces`` names objects that such bodies stand for.
    """

    names: tuple[str, ...]
    matrices: NDArray[np.float32]
    fps: float
    shapes: Mapping[str, tuple[NDArray[np.float64], NDArray[np.int64]]] = field(
        default_factory=dict
    )
    replaces: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        shape = self.matrices.shape
        if len(shape) != 4 or shape[1:] != (len(self.names), 4, 4):
            raise ValueError(f"{len(self.names)} bodies need (f, k, 4, 4) matrices, not {shape}")


@dataclass(frozen=True)
class Outcome:
    """What a probe found: a sentence, findings with their ``frame``, and the motion if any."""

    says: str
    findings: tuple[Finding, ...] = ()
    trajectory: Trajectory | None = None


#: Works a piece at a time: yields (done, total) after each, returns what it found.
Steps = Generator[tuple[int, int], None, Outcome]


@dataclass(frozen=True)
class Probe:
    """One question to physics.

    Attributes
    ----------
    id, title, explanation
        How it is called, and what it asks, in the words of the people who press the button.
    kinds
        The kinds of structure that it can be asked of.
    run
        ``run(stage, values)`` with a value for each of ``parameters``; called, and its steps
        taken, on the main thread. A step should take no longer than about 20 ms. A ``ValueError``
        or ``StageGone`` with a sentence says why it can't be answered.
    """

    id: str
    title: str
    explanation: str
    kinds: tuple[str, ...]
    run: Callable[[Stage, Mapping[str, float]], Steps]
    parameters: tuple[Parameter, ...] = field(default=())
    group: Group = "probe"

    def values(self, given: Mapping[str, float]) -> dict[str, float]:
        """A value for every parameter: what is given, within its ends, else the default."""
        return {p.id: p.taken(given.get(p.id, p.default)) for p in self.parameters}


_probes: dict[str, Probe] = {}
#: Told whenever a probe comes or goes.
listeners: list[Callable[[], None]] = []


def register(probe: Probe) -> None:
    """Offer a probe. Raises ``ValueError`` if there is one of that id."""
    if probe.id in _probes:
        raise ValueError(f"there is a probe {probe.id!r} already")
    _probes[probe.id] = probe
    _tell()


def unregister(probe_id: str) -> None:
    """Take a probe back; one that isn't there is none."""
    if _probes.pop(probe_id, None) is not None:
        _tell()


def _tell() -> None:
    for listener in listeners:
        listener()


def every() -> tuple[Probe, ...]:
    """All probes, in the order in which they came."""
    return tuple(_probes.values())


def probes_for(kind: str) -> tuple[Probe, ...]:
    """The probes that can be asked of a kind of structure."""
    return tuple(probe for probe in _probes.values() if kind in probe.kinds)


def find(probe_id: str) -> Probe | None:
    """The probe of that id, ``None`` if there is none."""
    return _probes.get(probe_id)
