# SPDX-License-Identifier: GPL-3.0-or-later
"""What no house can be made from, whatever its style: said with parameter, value and limit."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import Any

from ...checks.timber.brief import PSF
from ...checks.timber.lumber import LumberError, canonical_grade, canonical_species
from .parameters import HouseParameters, ParameterError, shown
from .styles.style import Style

#: The largest lot, m along x and y: a house with its wings and eaves stays inside.
LOT = (40.0, 40.0)
#: The smallest footprint, m: a room (R304.1: 7 ft in either direction, and two walls).
SMALLEST = 2.4
#: Most storeys (R301.2.1.1 and R602.3(5): the code's tables end there).
STORIES = 3
#: Pitches, degrees: couples hold from 3 in 12 on (R802.3); steeper ones are walls (ours).
PITCH = (14.04, 65.0)
#: Longest overhang of the eaves, m (R802.7.1.1, 24 in, less the seat).
OVERHANG = 0.560
#: On-centre spacings, m (16 and 24 in, T3 of the paper).
SPACINGS = (0.406, 0.610)
#: Largest loads, Pa (ours: three times the largest of the code's tables).
LIVE, SNOW = 120 * PSF, 210 * PSF
#: Seeds end here (ours: nine digits, since they are a part of the names of tasks).
SEED = 10**9 - 1

_INTEGERS = ("seed", "stories", "wings")
_TEXTS = ("style", "species", "grade")


def check_parameters(p: HouseParameters, style: Style) -> None:
    """Raise :class:`ParameterError` with the first constraint that parameters violate."""
    for field in fields(p):
        _typed(field.name, getattr(p, field.name))
    check_seed(p.seed)
    _within("footprint_x", p.footprint_x, SMALLEST, LOT[0], "m")
    _within("footprint_y", p.footprint_y, SMALLEST, LOT[1], "m")
    _within("stories", p.stories, 1, STORIES, "")
    if p.stories not in style.stories:
        _refuse("stories", p.stories, f"a {p.style} has {_either(style.stories)}")
    _within("pitch", p.pitch, *PITCH, "degrees")
    _within("overhang", p.overhang, 0.0, OVERHANG, "m")
    _within("wings", p.wings, 0, 4, "")
    if p.wings not in style.wings:
        _refuse("wings", p.wings, f"a {p.style} has {_either(style.wings)}")
    _within("wing_length", p.wing_length, 0.0, LOT[1], "m")
    _inside_lot(p)
    _within("openings", p.openings, 0.0, 1.0, "")
    if p.spacing not in SPACINGS:
        _refuse("spacing", p.spacing, f"it is {_either(SPACINGS)} m on centre")
    if p.stories == STORIES and p.spacing > SPACINGS[0]:
        _refuse("spacing", p.spacing, "studs under two floors stand at most 0.406 m apart (R602.3)")
    _wood(p)
    _within("floor_live", p.floor_live, 0.0, LIVE, "Pa")
    _within("roof_live", p.roof_live, 0.0, LIVE, "Pa")
    _within("ground_snow", p.ground_snow, 0.0, SNOW, "Pa")


def check_seed(seed: Any) -> None:
    """Raise :class:`ParameterError` for what is no seed."""
    _typed("seed", seed)
    if not 0 <= seed <= SEED:
        _refuse("seed", shown(seed), f"it must be a whole number from 0 to {SEED:,}")


def _refuse(name: str, value: Any, why: str) -> None:
    raise ParameterError(f"{name} is {value}: {why}")


def _either(values: tuple[Any, ...]) -> str:
    return " or ".join(map(str, values))


def _typed(name: str, value: Any) -> None:
    """Whole numbers, texts and finite numbers where they belong."""
    if name in _TEXTS:
        if not isinstance(value, str):
            raise ParameterError(f"{name} is {shown(value)}: it must be a text")
    elif name in _INTEGERS:
        if not isinstance(value, int) or isinstance(value, bool):
            raise ParameterError(f"{name} is {shown(value)}: it must be a whole number")
    elif not isinstance(value, (int, float)) or isinstance(value, bool):
        raise ParameterError(f"{name} is {shown(value)}: it must be a number")
    elif isinstance(value, float) and not math.isfinite(value):
        raise ParameterError(f"{name} is {value}: it must be a finite number")


def _within(name: str, value: float, least: float, most: float, unit: str) -> None:
    unit = f" {unit}" if unit else ""
    if value < least:
        _refuse(name, f"{shown(value)}{unit}", f"it must be at least {least:g}{unit}")
    if value > most:
        _refuse(name, f"{shown(value)}{unit}", f"it must be at most {most:g}{unit}")


def _inside_lot(p: HouseParameters) -> None:
    """Wings may stand out at every side."""
    if not p.wings:
        return
    for size, lot in ((p.footprint_x, LOT[0]), (p.footprint_y, LOT[1])):
        room = lot - size - 2 * p.overhang
        if p.wing_length > room:
            why = f"beside a footprint of {size:g} m it must be at most {max(room, 0.0):.2f} m"
            _refuse("wing_length", f"{p.wing_length} m", f"{why}, the largest lot is {lot:g} m")


def _wood(p: HouseParameters) -> None:
    for name, known in (("species", canonical_species), ("grade", canonical_grade)):
        try:
            known(getattr(p, name))
        except LumberError as error:
            raise ParameterError(f"{name} is {shown(getattr(p, name))}: {error}") from None
