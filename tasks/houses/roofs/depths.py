# SPDX-License-Identifier: GPL-3.0-or-later
"""Depths of joists and rafters that reach, by the code and by the paper's tests."""

from __future__ import annotations

from ....checks.timber.brief import TimberBrief
from ....checks.timber.published.table import PAPER
from ....checks.timber.spans import allowable_span
from ..levels import T
from ..parameters import ParameterError

#: Depths of dimension lumber from 2x6 up, m (PS 20).
DEPTHS = (0.140, 0.184, 0.235, 0.286)


def rafter_depth(
    brief: TimberBrief, spacing: float, span: float, length: float, least: float = DEPTHS[0]
) -> float:
    """Smallest depth of rafters that span ``span`` in plan and are ``length`` long, both m.

    The code limits the span in plan (IRC R802.4), the paper's second test the whole length.
    Raises :class:`ParameterError` where no lumber reaches.
    """
    limits = allowable_span(
        "rafter", T, DEPTHS, spacing, species=brief.species, grade=brief.grade,
        live=brief.roof_live, dead=brief.roof_dead, snow=brief.ground_snow,
    ).length  # fmt: skip
    for depth, limit in zip(DEPTHS, limits, strict=True):
        enough = span <= limit and length <= (1.0 + PAPER.span_tolerance) * limit
        if enough and depth >= least:
            return depth
    raise ParameterError(
        f"footprint_y: rafters would be {length:.2f} m long, {brief.species} no. {brief.grade} "
        f"reaches {limits[-1]:.2f} m at {1000 * spacing:.0f} mm on centre"
    )


def joist_depth(brief: TimberBrief, spacing: float, length: float) -> float:
    """Smallest depth of floor joists ``length`` m long.

    By the code's span (IRC R502.3) and the paper's second and fifth test, which take the whole
    length. Raises :class:`ParameterError` where no lumber reaches.
    """
    limits = allowable_span(
        "joist", T, DEPTHS, spacing, species=brief.species, grade=brief.grade,
        live=brief.floor_live, dead=brief.floor_dead,
    ).length  # fmt: skip
    reach = [min(limit, stiff(depth)) for limit, depth in zip(limits, DEPTHS, strict=True)]
    for depth, limit in zip(DEPTHS, reach, strict=True):
        if length <= limit:
            return depth
    raise ParameterError(
        f"footprint_y: joists would be {length:.2f} m long, the limit of {brief.species} no. "
        f"{brief.grade} at {1000 * spacing:.0f} mm on centre is {reach[-1]:.2f} m"
    )


def stiff(depth: float) -> float:
    """Longest joist of one ply that the paper's fifth test lets pass, m."""
    inertia = T * depth**3 / 12.0
    cube = (
        (1.0 + PAPER.deflection_tolerance)
        * 384.0
        * PAPER.modulus
        * inertia
        / (PAPER.deflection_ratio * 5.0 * PAPER.line_load)
    )
    return float(cube ** (1.0 / 3.0))
