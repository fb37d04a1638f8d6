# SPDX-License-Identifier: GPL-3.0-or-later
"""The smallest 2x, beam or header that spans far enough, by the checks' own span engine.

Limits are worked out once for a wood, its loads and a spacing and then looked up: a thousand houses
need a few dozen of them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ...checks.timber import lumber
from ...checks.timber.brief import TimberBrief
from ...checks.timber.engineering import table
from ...checks.timber.published.table import PAPER
from ...checks.timber.spans import DEFLECTION, allowable_beam_span, allowable_span

#: Depths of 2x lumber, m (PS 20: 2x4 to 2x12).
DEPTHS = (0.089, 0.140, 0.184, 0.235, 0.286)
#: What of a limit is used: roundings of places (1e-6 m) must not tip a verdict.
USED = 0.998


@dataclass(frozen=True)
class Wood:
    """What spans depend on: plain values of a brief, loads in Pa, spacing in m."""

    species: str
    grade: str
    floor_live: float
    floor_dead: float
    roof_live: float
    roof_dead: float
    snow: float
    spacing: float

    @classmethod
    def of(cls, brief: TimberBrief) -> Wood:
        """From a brief that names its spacing."""
        return cls(
            brief.species,
            brief.grade,
            brief.floor_live,
            brief.floor_dead,
            brief.roof_live,
            brief.roof_dead,
            brief.ground_snow,
            brief.spacing or table.SPACING,
        )


@lru_cache(maxsize=4096)
def joist_spans(wood: Wood) -> tuple[float, ...]:
    """Longest joists by depth (:data:`DEPTHS`), m: clear span and the paper's deflection test."""
    span = allowable_span(
        "joist",
        lumber.PLY,
        np.array(DEPTHS),
        wood.spacing,
        species=wood.species,
        grade=wood.grade,
        live=wood.floor_live,
        dead=wood.floor_dead,
    ).length
    bends = PAPER.deflection_ratio * 5.0 * PAPER.line_load
    stiffness = 384.0 * PAPER.modulus * table.PLY * np.array(DEPTHS) ** 3 / 12.0
    paper = np.cbrt((1.0 + PAPER.deflection_tolerance) * stiffness / bends)
    return tuple((USED * np.minimum(span, paper)).tolist())


@lru_cache(maxsize=4096)
def rafter_lengths(wood: Wood) -> tuple[float, ...]:
    """Longest rafters by depth (:data:`DEPTHS`), m, tail and slope included as in the paper."""
    span = allowable_span(
        "rafter",
        lumber.PLY,
        np.array(DEPTHS),
        wood.spacing,
        species=wood.species,
        grade=wood.grade,
        live=wood.roof_live,
        dead=wood.roof_dead,
        snow=wood.snow,
    ).length
    return tuple((USED * span).tolist())


@lru_cache(maxsize=4096)
def ceiling_spans(wood: Wood) -> tuple[float, ...]:
    """Longest ceiling joists below an attic without storage by depth (:data:`DEPTHS`), m."""
    span = allowable_span(
        "ceiling_joist",
        lumber.PLY,
        np.array(DEPTHS),
        wood.spacing,
        species=wood.species,
        grade=wood.grade,
        live=table.CEILING_LIVE,
        dead=table.CEILING_DEAD,
    ).length
    return tuple((USED * span).tolist())


def depth_for(length: float, limits: tuple[float, ...], least: float = 0.140) -> float | None:
    """The smallest depth of at least ``least`` m whose limit reaches ``length``, m, or ``None``."""
    for depth, limit in zip(DEPTHS, limits, strict=True):
        if depth >= least and length <= limit:
            return depth
    return None


@lru_cache(maxsize=4096)
def _unit(wood: Wood, width: float, depth: float, plies: int) -> tuple[float, float, float]:
    """Spans by bending, deflection and shear of a beam under 1 N/m, m."""
    one = allowable_beam_span(
        width, depth, 1.0, species=wood.species, grade=wood.grade, live=1.0, dead=0.0, plies=plies
    )
    return float(one.bending), float(one.deflection), float(one.shear)


def beam_span(
    wood: Wood, section: tuple[float, int, float], widths: tuple[float, float, float]
) -> float:
    """Longest span of a beam, m.

    ``section``: width of all plies together, plies, depth. ``widths``: of the strips of floor,
    ceiling and roof on it, m, all storeys together. Combinations of loads are those of the
    ``engineering`` profile (ASCE 7, 2.4.1).
    """
    floors, ceilings, roofs = widths
    width, plies, depth = section
    bending, deflection, shear = _unit(wood, width, depth, plies)
    floor = wood.floor_live * floors + table.CEILING_LIVE * ceilings
    dead = wood.floor_dead * floors + table.CEILING_DEAD * ceilings + wood.roof_dead * roofs
    roof, snow = wood.roof_live * roofs, wood.snow * roofs
    time, both = lumber.DURATION, table.COMBINED
    stiff, roof_stiff = DEFLECTION["beam"], DEFLECTION["rafter_with_ceiling"]
    best = math.inf
    for live, duration, number in (
        (0.0, "permanent", stiff),
        (floor, "floor", stiff),
        (roof, "roof", roof_stiff),
        (snow, "snow", roof_stiff),
        (both * (floor + roof), "roof", roof_stiff),
        (both * (floor + snow), "snow", roof_stiff),
    ):
        total = dead + live
        if total > 0:
            best = min(best, bending * math.sqrt(time[duration] / total))
            best = min(best, shear * time[duration] / total)
        if live > 0:
            best = min(best, deflection * (stiff / number / live) ** (1 / 3))
    return USED * best
