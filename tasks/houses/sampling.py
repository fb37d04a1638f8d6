# SPDX-License-Identifier: GPL-3.0-or-later
"""Seeded choice of parameters: of what a style names ranges for, and of wood and loads."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import fields
from random import Random
from typing import Any, TypeVar

from ...checks.timber.brief import PSF
from .levels import T
from .parameters import HouseParameters, ParameterError, shown
from .styles.style import Ranges

Choice = TypeVar("Choice")

#: Wood that houses are built of; what stands twice is drawn twice as often.
SPECIES = ("spruce-pine-fir", "douglas-fir-larch", "hem-fir", "southern-pine")
GRADES = ("2", "2", "2", "1", "SS")
#: Floor live loads, Pa (IRC table R301.5: sleeping rooms, other rooms).
FLOOR_LIVE = (40 * PSF, 40 * PSF, 40 * PSF, 30 * PSF)
#: Ground snow loads, Pa (IRC tables R802.4.1: none, 30, 50, 70 psf).
GROUND_SNOW = (0.0, 0.0, 0.0, 30 * PSF, 50 * PSF, 70 * PSF)
# Whole numbers of a spacing that is smaller make no sense, m; it is refused later, in words.
_FINEST = 0.01
#: Roof live load, Pa (IRC table R301.6).
ROOF_LIVE = 20 * PSF


def known_fields(fixed: Mapping[str, Any]) -> None:
    """Raise :class:`ParameterError` for a name that is no parameter."""
    names = {f.name for f in fields(HouseParameters)} - {"style", "seed"}
    for name in fixed:
        if name not in names:
            raise ParameterError(
                f"unknown parameter {shown(name)}; known: {', '.join(sorted(names))}"
            )


def draw(
    style: str, seed: int, ranges: Ranges, random: Random, fixed: Mapping[str, Any]
) -> HouseParameters:
    """One choice of everything; every parameter is drawn, so that fixing one moves no other."""
    spacing = _pick(random, ranges.spacing)
    stories = _pick(random, ranges.stories)
    drawn: dict[str, Any] = {
        "stories": stories,
        "spacing": 0.406 if stories == 3 else spacing,
        "footprint_x": _between(random, ranges.footprint_x),
        "footprint_y": _between(random, ranges.footprint_y),
        "pitch": _pitch(_between(random, ranges.pitch)),
        "overhang": round(_between(random, ranges.overhang), 2),
        "wings": _pick(random, ranges.wings),
        "wing_length": _between(random, ranges.wing_length),
        "openings": round(_between(random, ranges.openings), 2),
        "species": _pick(random, SPECIES),
        "grade": _pick(random, GRADES),
        "floor_live": _pick(random, FLOOR_LIVE),
        "roof_live": ROOF_LIVE,
        "ground_snow": _pick(random, GROUND_SNOW),
    }
    drawn.update(fixed)
    for name in ("footprint_x", "footprint_y", "wing_length"):
        if name not in fixed:
            drawn[name] = on_grid(drawn[name], drawn["spacing"], name != "wing_length")
    if not drawn["wings"] and "wing_length" not in fixed:
        drawn["wing_length"] = 0.0
    return HouseParameters(style=style, seed=seed, **drawn)


def on_grid(length: float, spacing: Any, with_stud: bool = True) -> float:
    """The nearest length that is a whole number of spacings, with the last stud or without, m."""
    if not (isinstance(spacing, float) and _FINEST <= spacing < math.inf):
        return length  # refused later, in words
    extra = T if with_stud else 0.0
    return round(round((length - extra) / spacing) * spacing + extra, 3)


def _pick(random: Random, choices: Sequence[Choice]) -> Choice:
    return choices[int(random.random() * len(choices))]


def _between(random: Random, bounds: tuple[float, float]) -> float:
    return bounds[0] + (bounds[1] - bounds[0]) * random.random()


def _pitch(degrees: float) -> float:
    """The nearest half of an inch in a foot, degrees to two decimals."""
    rise = round(24.0 * math.tan(math.radians(degrees))) / 24.0
    return round(math.degrees(math.atan(rise)), 2)
