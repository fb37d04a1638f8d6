# SPDX-License-Identifier: GPL-3.0-or-later
"""The fifteen probes of physical validity: (trajectory, brief, limits) -> result, each alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from ...result import CheckResult
from ..brief import PROBES as IDS
from ..brief import ReconstructionBrief
from ..limits import Limits
from ..trajectory import Trajectory
from .cloth import cloth
from .common import result
from .contact import contact
from .drivers import prescribed_motion
from .energy import energy
from .friction import friction
from .gravity import gravity
from .liquid import liquid
from .mass import mass
from .penetration import interpenetration
from .restitution import restitution
from .rigidity import rigidity
from .soft import soft_body
from .stability import numerical_stability
from .support import support
from .wind import wind

Probe = Callable[[Trajectory, ReconstructionBrief, Limits], CheckResult]

_EVERY: tuple[Probe, ...] = (
    *(numerical_stability, gravity, mass, prescribed_motion, interpenetration, support, contact),
    *(energy, rigidity, cloth, liquid, wind, friction, restitution, soft_body),
)


def _with_bodies(name: str, probe: Probe) -> Probe:
    """The probe, but for a scene without bodies, of which none has anything to say."""

    @wraps(probe)
    def judged(trajectory: Trajectory, brief: ReconstructionBrief, limits: Limits) -> CheckResult:
        if not trajectory.bodies:
            return result(name, brief, vacuous="there are no bodies")
        return probe(trajectory, brief, limits)

    return judged


#: By id, in the order of the specification.
PROBES: dict[str, Probe] = {
    name: _with_bodies(name, probe) for name, probe in zip(IDS, _EVERY, strict=True)
}

__all__ = ["PROBES", "Probe", *IDS]
