# SPDX-License-Identifier: GPL-3.0-or-later
"""Allowable spans of joists, rafters and beams, computed from design values.

A simple span under uniform load: bending, M = w L^2 / 8 <= F'b S, and deflection under the live
load, 5 w L^4 / (384 E I) <= L / n (NDS 2018, 3.3 and 3.5). This is how the tables of the
International Residential Code are made, and they come out of it to the inch. Lengths in m, loads
in Pa, clear spans; for rafters the horizontal projection.

Like those tables this leaves out shear (it never governs joists and rafters of usual proportions;
ask for it with ``shear=True``, as beams do) and the members' own weight, which is part of the dead
load; the compression edge is taken as held by the decking (C_L = 1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import lumber

Floats = NDArray[np.float64]
RoleKind = Literal["joist", "rafter", "ceiling_joist", "beam"]

#: Deflection limits: the live load may bend a member by its span over this number (IRC table
#: R301.7; the titles of tables R502.3.1, R802.4.1, R802.5.1; R602.7 as for floors).
DEFLECTION = {
    "joist": 360.0,
    "rafter": 180.0,
    "rafter_with_ceiling": 240.0,
    "ceiling_joist": 240.0,
    "beam": 360.0,
}
#: Where the code tabulates what is computed here.
CLAUSES = {
    "joist": "IRC R502.3",
    "rafter": "IRC R802.4",
    "ceiling_joist": "IRC R802.5",
    "beam": "IRC R602.7",
}
#: Plies from which a built-up beam counts as repetitive (NDS 4.3.9: at least three members).
REPETITIVE_PLIES = 3


class SpanError(ValueError):
    """Loads, sizes or a kind of member that no span can be computed for."""


@dataclass(frozen=True)
class SpanLimit:
    """Longest allowable spans.

    Attributes
    ----------
    length
        The limit, m, in the shape that width, depth and spacing broadcast to.
    governed_by
        ``"bending"``, ``"deflection"`` or ``"shear"`` for each of them.
    clause
        Where the code tabulates it.
    bending, deflection, shear
        The limits that ``length`` is the least of, m; ``shear`` is infinite where not asked for.
    """

    length: Floats
    governed_by: NDArray[np.str_]
    clause: str
    bending: Floats
    deflection: Floats
    shear: Floats


def allowable_span(
    role_kind: RoleKind,
    width: ArrayLike,
    depth: ArrayLike,
    spacing: ArrayLike,
    *,
    species: str,
    grade: str,
    live: float,
    dead: float,
    snow: float = 0.0,
    plies: int = 1,
    ceiling: bool = False,
    shear: bool = False,
) -> SpanLimit:
    """Longest clear spans of joists, rafters or ceiling joists; broadcasts over sizes and spacing.

    Parameters
    ----------
    role_kind
        ``"joist"`` (live L/360), ``"rafter"`` (L/180; L/240 with ``ceiling``; spans are horizontal
        projections) or ``"ceiling_joist"`` (L/240).
    width, depth
        Sides of the member across and along the load, m. Sections within 3 mm of a dressed size
        count as that size. With ``plies`` > 1, ``width`` is that of all plies together.
    spacing
        On centre, m. Up to 610 mm the repetitive factor 1.15 holds.
    species, grade
        Keys or aliases of :mod:`.lumber`.
    live, dead
        Area loads, Pa. For rafters ``live`` is the roof live load (duration 1.25).
    snow
        Ground snow load, Pa, rafters only: it takes the place of the roof live load with duration
        1.15, unless it is the smaller of the two and that allows more.

    Raises
    ------
    SpanError
        If a load is negative or none is given, or a size or spacing is not positive and finite.
    LumberError
        If species or grade are unknown.
    """
    if role_kind not in ("joist", "rafter", "ceiling_joist"):
        raise SpanError(
            f"unknown kind of member {role_kind!r}; known: joist, rafter, ceiling_joist"
        )
    if snow and role_kind != "rafter":
        raise SpanError(f"snow does not load a {role_kind}; give it to rafters only")
    spacing = np.asarray(spacing, dtype=np.float64)
    repetitive = np.where(spacing <= lumber.REPETITIVE_SPACING, lumber.REPETITIVE, 1.0)
    number = DEFLECTION["rafter_with_ceiling" if role_kind == "rafter" and ceiling else role_kind]
    return _limit(
        _section(width, depth),
        spacing,
        repetitive,
        _cases(live, dead, snow, "roof" if role_kind == "rafter" else "floor"),
        number,
        CLAUSES[role_kind],
        (species, grade, plies),
        shear,
    )


def allowable_beam_span(
    width: ArrayLike,
    depth: ArrayLike,
    tributary: ArrayLike,
    *,
    species: str,
    grade: str,
    live: float,
    dead: float,
    snow: float = 0.0,
    plies: int = 1,
    roof: bool = False,
) -> SpanLimit:
    """Longest clear spans of beams and headers that carry a strip ``tributary`` m wide.

    As :func:`allowable_span`, with shear, L/360, and the repetitive factor only from three plies
    on. ``roof`` says that ``live`` is a roof live load (duration 1.25, L/240); ``snow`` needs it.
    Add the loads of several storeys before the call.
    """
    if snow and not roof:
        raise SpanError("snow loads a beam only together with a roof; pass roof=True")
    repetitive = np.asarray(lumber.REPETITIVE if plies >= REPETITIVE_PLIES else 1.0)
    return _limit(
        _section(width, depth),
        np.asarray(tributary, dtype=np.float64),
        repetitive,
        _cases(live, dead, snow, "roof" if roof else "floor"),
        DEFLECTION["rafter_with_ceiling" if roof else "beam"],
        CLAUSES["beam"],
        (species, grade, plies),
        True,
    )


def _section(width: ArrayLike, depth: ArrayLike) -> tuple[Floats, Floats]:
    """Dressed sides of the sections, m, checked."""
    if not all(np.all(np.isfinite(side) & (np.asarray(side) > 0)) for side in (width, depth)):
        raise SpanError("width and depth must be positive lengths in metres")
    return lumber.dressed(width, depth)


def _cases(
    live: float, dead: float, snow: float, kind: Literal["floor", "roof"]
) -> tuple[tuple[float, float, float], ...]:
    """Load cases as (total load, load that counts for deflection, duration factor)."""
    loads = {"live": live, "dead": dead, "snow": snow}
    for name, load in loads.items():
        if not (np.isfinite(load) and load >= 0):
            raise SpanError(
                f"the {name} load must be a load in Pa that is not negative, not {load}"
            )
    if live + dead + snow <= 0:
        raise SpanError("no load is given; a span under no load has no limit")
    cases = [
        (dead, 0.0, lumber.DURATION["permanent"]),
        (dead + live, live, lumber.DURATION[kind]),
    ]
    if snow:
        cases.append((dead + snow, snow, lumber.DURATION["snow"]))
    return tuple(cases)


def _limit(
    section: tuple[Floats, Floats],
    strip: Floats,
    repetitive: Floats,
    cases: tuple[tuple[float, float, float], ...],
    number: float,
    clause: str,
    wood: tuple[str, str, int],
    shear: bool,
) -> SpanLimit:
    """The least over all cases of the spans that bending, deflection and shear allow."""
    if not np.all(np.isfinite(strip) & (strip > 0)):
        raise SpanError("spacing and tributary width must be positive lengths in metres")
    width, depth = section
    species, grade, plies = wood
    fb = lumber.bending_value(width, depth, species, grade, plies) * repetitive
    fv = lumber.shear_value(width, species, grade, plies)
    stiffness = lumber.modulus(width, species, grade, plies) * width * depth**3 / 12.0
    shape = np.broadcast_shapes(width.shape, strip.shape)
    by_bending, by_deflection, by_shear = (np.full(shape, np.inf) for _ in range(3))
    for total, bends, duration in cases:
        if total > 0:
            line = total * strip
            moment = fb * duration * width * depth**2 / 6.0
            by_bending = np.minimum(by_bending, np.sqrt(8.0 * moment / line))
            if shear:
                force = fv * duration * width * depth / 1.5
                by_shear = np.minimum(by_shear, 2.0 * force / line)
        if bends > 0:
            span = np.cbrt(384.0 * stiffness / (5.0 * bends * strip * number))
            by_deflection = np.minimum(by_deflection, span)
    every = np.stack([by_bending, by_deflection, by_shear])
    governs = np.array(["bending", "deflection", "shear"])[np.argmin(every, axis=0)]
    return SpanLimit(every.min(axis=0), governs, clause, by_bending, by_deflection, by_shear)
