# SPDX-License-Identifier: GPL-3.0-or-later
"""Reconstruction: trajectories of bodies, the probes of physical validity, and counterfactuals.

``judge(trajectory, brief, profile)`` is the entry; see :mod:`.profiles`.
"""

from typing import Any

from .bodies import Body, TrajectoryError
from .brief import BriefError, ReconstructionBrief
from .limits import Limits
from .surroundings import ForceField, Joint, Liquid
from .trajectory import Distances, Trajectory

__all__ = [
    "Body",
    "BriefError",
    "Distances",
    "ForceField",
    "Joint",
    "Limits",
    "Liquid",
    "ReconstructionBrief",
    "Trajectory",
    "TrajectoryError",
    "judge",
]


def __getattr__(name: str) -> Any:
    if name == "judge":
        from .profiles import judge

        return judge
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
