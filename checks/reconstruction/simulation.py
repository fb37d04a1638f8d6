# SPDX-License-Identifier: GPL-3.0-or-later
"""What is judged of a simulated scene: its run, and the altered runs that a rubric asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..result import Judgement, Progress
from .brief import ReconstructionBrief
from .counterfactual import Runs
from .profiles import DEFAULT, judge
from .trajectory import Trajectory


@dataclass(frozen=True, eq=False)
class Simulation:
    """A scene as it was simulated on copies.

    ``trajectory`` is the unchanged scene's run, ``runs`` those of each counterfactual criterion by
    its id, ``without_fields`` the scene with its force fields off (``None`` where it has none).
    ``notes`` are sentences on what could not be run.
    """

    trajectory: Trajectory
    runs: Mapping[str, Runs] = field(default_factory=dict)
    without_fields: Trajectory | None = None
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        """How many bodies there are."""
        return len(self.trajectory.bodies)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the bodies, as their objects are called."""
        return self.trajectory.names

    @property
    def source(self) -> Mapping[str, Any]:
        """Free data on where it came from."""
        return self.trajectory.source

    @classmethod
    def empty(cls) -> Simulation:
        """One frame in which there is nothing."""
        nothing = Trajectory(
            np.ones(1, np.int64), (), np.zeros((1, 0, 3)), np.zeros((1, 0, 4)), 24.0, np.zeros(3)
        )
        return cls(nothing)


def judge_simulation(
    simulation: Simulation,
    brief: ReconstructionBrief | None = None,
    profile: str = DEFAULT,
    progress: Progress | None = None,
) -> Judgement:
    """As :func:`.profiles.judge`, of a simulation with all its runs. Raises ``UnknownProfile``."""
    judged = judge(
        simulation.trajectory,
        brief,
        profile,
        progress,
        runs=simulation.runs,
        without_fields=simulation.without_fields,
    )
    if not simulation.notes:
        return judged
    return Judgement(
        judged.kind,
        judged.profile,
        judged.checks,
        judged.metrics,
        (*judged.notes, *simulation.notes),
    )
