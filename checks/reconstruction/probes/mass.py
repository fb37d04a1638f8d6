# SPDX-License-Identifier: GPL-3.0-or-later
"""Mass and inertia: as the declared material and the volume make them."""

from __future__ import annotations

import math

import numpy as np

from ...result import CheckResult, Finding
from ..bodies import Body, Floats
from ..brief import ReconstructionBrief
from ..limits import Limits
from ..motion import solid_volume
from ..trajectory import Trajectory
from .common import fault, result

ID = "mass"

#: Lowest and highest density, kg/m3. Woods: Wood Handbook FPL-GTR-282, table 5-3 (12 % moisture);
#: the rest: Ashby, Materials Selection in Mechanical Design, 4th ed., appendix A.
DENSITIES: dict[str, tuple[float, float]] = {
    "aluminium": (2500, 2900),
    "brass": (8100, 8700),
    "brick": (1600, 2100),
    "concrete": (2000, 2600),
    "copper": (8900, 9000),
    "cork": (120, 240),
    "foam": (16, 470),
    "glass": (2200, 2600),
    "gold": (19200, 19400),
    "ice": (900, 930),
    "iron": (7000, 7900),
    "lead": (11000, 11400),
    "oak": (550, 900),
    "paper": (480, 1200),
    "pine": (350, 600),
    "plastic": (880, 1600),
    "rubber": (900, 1300),
    "steel": (7700, 8100),
    "stone": (2200, 3100),
    "water": (990, 1010),
    "wood": (150, 1200),
}


def mass(trajectory: Trajectory, brief: ReconstructionBrief, limits: Limits) -> CheckResult:
    """Every active body has a mass above 0, within what its material weighs; moments likewise.

    Without a material only the sign is looked at, which decides nothing: then it is vacuous.
    """
    findings: list[Finding] = []
    known = {**DENSITIES, **brief.densities}
    judged, densities, unknown = 0, {}, []
    for k, body in enumerate(trajectory.bodies):
        if body.medium != "rigid" or not body.moves:
            continue
        if body.mass is None or not math.isfinite(body.mass) or body.mass <= 0:
            findings.append(
                fault(
                    *(trajectory, ID, k, 0),
                    f"{body.name} has a mass of {body.mass} kg: what the solver moves needs one",
                )
            )
            continue
        volume = solid_volume(body)
        if volume:
            densities[body.name] = body.mass / volume
        ends = known.get((body.material or "").lower())
        if body.material and (ends is None or not volume):
            unknown.append(body.name)
        if ends and volume:
            judged += 1
            findings += _density(trajectory, k, body, body.mass / volume, ends, limits)
        if body.inertia is not None and volume:
            judged += 1
            findings += _moments(trajectory, k, body, limits)
    figures = {"judged": judged, "densities": densities, "unknown_materials": unknown}
    reason = "no body says of what material it is"
    if unknown:
        reason = f"density or volume isn't known of {', '.join(unknown[:5])}"
    return result(ID, brief, findings, figures, vacuous=None if judged else reason)


def _density(
    trajectory: Trajectory,
    k: int,
    body: Body,
    density: float,
    ends: tuple[float, float],
    limits: Limits,
) -> list[Finding]:
    low, high = ends[0] / limits.density_factor, ends[1] * limits.density_factor
    if low <= density <= high:
        return []
    heavy = density > high
    return [
        fault(
            *(trajectory, ID, k, 0),
            f"{body.name} weighs {body.mass:.4g} kg, {density:.4g} kg/m3; {body.material} has "
            f"{ends[0]:.4g} to {ends[1]:.4g} kg/m3",
            measured=density,
            limit=high if heavy else low,
            unit="kg/m3",
            at_least=not heavy,
        )
    ]


def moments(body: Body) -> Floats:
    """Principal moments of a homogeneous solid of the body's extents, (3,) kg m2: ball or box."""
    weight = body.mass or 0.0
    if body.rounding and len(body.points) == 1:
        return np.full(3, 0.4 * weight * body.rounding**2)
    square = body.extents**2
    box: Floats = weight / 12 * (square.sum() - square)
    return box


def _moments(trajectory: Trajectory, k: int, body: Body, limits: Limits) -> list[Finding]:
    assert body.inertia is not None
    whole = moments(body)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(whole > 0, body.inertia / whole, 1.0)
        ratio = np.maximum(ratio, np.where(ratio > 0, 1 / ratio, np.inf))
    worst = float(ratio.max())
    if worst <= limits.inertia_factor:
        return []
    return [
        fault(
            *(trajectory, ID, k, 0),
            f"{body.name} turns as if its mass lay elsewhere: a moment of inertia is off by a "
            f"factor of {worst:.3g}",
            measured=worst,
            limit=limits.inertia_factor,
            unit="1",
        )
    ]
