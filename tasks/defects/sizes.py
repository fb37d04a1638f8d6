# SPDX-License-Identifier: GPL-3.0-or-later
"""Members of the wrong size or the wrong way up, and members without a name."""

from __future__ import annotations

import numpy as np

from ...checks.timber.spans import allowable_beam_span, allowable_span
from ...checks.timber.structure import Floats
from .defect import (
    CLEAR,
    HARMLESS,
    SLACK,
    WHOLE,
    Defect,
    Flawed,
    Place,
    Severity,
    at_member,
    mm,
    told,
)
from .editing import boxed, rebuilt, renamed
from .gaps import headers, in_row
from .placement import lone_rafters
from .reading import EDGE, FASTENED, Reading

#: Cross dimensions match a lumber size within this, m (specification 1.4).
_SIZE = 0.003
#: Depths of lumber, m (PS 20).
_DEPTHS = (0.089, 0.140, 0.184, 0.235, 0.286)
#: Rafters and joists whose centres lie farther apart in height are no neighbours, m.
_SAME_ROW = 0.055
#: Spans this much beyond or within a limit are beyond doubt, 1: the tables round to 1/2 in.
_SURE = 0.02

#: How wrong a section is, in times of the tolerance; thinner, so that nothing new touches.
_WRONG = (HARMLESS, Severity("1.5 x", 1.5), Severity("2 x", 2.0), Severity("3 x", 3.0))


def _thin(reading: Reading) -> list[Place]:
    """Studs, joists and rafters of one ply."""
    every = reading.of("Stud", "Joist", "Rafter", "CeilingJoist", "KingStud")
    thick = 2.0 * reading.structure.half[every, 2]
    return [Place(int(k)) for k in every[np.abs(thick - 0.038) < SLACK]]


def _wrong_section(reading: Reading, place: Place, severity: Severity) -> Flawed:
    """Thinner about its middle by so much that it is no size any more."""
    off = severity.above(_SIZE)
    half = reading.structure.half.copy()
    half[place.member, 2] -= 0.5 * off
    name = reading.names[place.member]
    return told(
        rebuilt(reading.structure, half=half), f"{name} is {mm(off)} thinner than any lumber.",
        severity, at_member("section", name),
    )  # fmt: skip


# Spans -------------------------------------------------------------------------------------------


def _clear(reading: Reading, joist: int) -> float | None:
    """Clear span of a joist between what is under its ends, m; None if it isn't just two.

    Ends that hang on something count from its face.
    """
    axis = reading.way(joist)
    middle = reading.structure.center[joist, axis]
    under = reading.below(joist)
    if any(reading.low[k, axis] < middle < reading.high[k, axis] for k in under):
        return None
    left = {round(float(reading.high[k, axis]), 4) for k in under if reading.high[k, axis] < middle}
    right = {round(float(reading.low[k, axis]), 4) for k in under if reading.low[k, axis] > middle}
    if len(left) != 1 or len(right) != 1:
        return None
    return right.pop() - left.pop()


def _spans(reading: Reading) -> list[Place]:
    """Joists of one ply between two bearings: (clear span, spacing)."""
    found = []
    for member, left, right in in_row(reading, "Joist", ("Joist", "RimJoist")):
        if any(reading.upright[k] for k in reading.above(member)):
            continue
        span = _clear(reading, member)
        one = abs(2.0 * reading.structure.half[member, 2] - 0.038) < SLACK
        if span is not None and one and abs(left - right) < SLACK:
            found.append(Place(member, (), (span, left)))
    return found


def _joist_limit(reading: Reading, depth: float, spacing: float) -> float:
    """Longest clear span of a 38 mm joist, m (the span tables of the code)."""
    brief = reading.brief
    limit = allowable_span(
        "joist", np.array([0.038]), np.array([depth]), np.array([spacing]), species=brief.species,
        grade=brief.grade, live=brief.floor_live, dead=brief.floor_dead,
    )  # fmt: skip
    return float(limit.length[0])


def _shallow_joist(reading: Reading, place: Place, severity: Severity) -> Flawed | None:
    """The deepest (slight) or the second deepest size that can't span so far."""
    span, spacing = place.figures
    depth = float(reading.size[place.member, 2])
    sizes = [
        d for d in _DEPTHS[::-1]
        if d < depth - CLEAR and 0.5 * (depth - d) <= _SAME_ROW
    ]  # fmt: skip
    share = {d: span / _joist_limit(reading, d, spacing) for d in sizes}
    if severity.harmless:
        fitting = [d for d in sizes if share[d] < 1.0 - _SURE]
    else:
        fitting = [d for d in sizes if share[d] > severity.factor]
    if not fitting or any(abs(share[d] - 1.0) < _SURE for d in fitting[:1]):
        return None
    new = fitting[-1] if severity.harmless else fitting[0]
    low, high = reading.low[place.member], reading.high[place.member].copy()
    high[2] = low[2] + new
    name = reading.names[place.member]
    return told(
        boxed(reading.structure, place.member, low, high),
        f"{name} is {mm(new)} deep instead of {mm(depth)}.", severity,
        at_member("clear_span", name),
    )  # fmt: skip


_OVER = (
    Severity("a smaller size that will do", 0.0, harmless=True),
    Severity("over its limit", 1.0 + _SURE),
    Severity("1.2 x", 1.2),
)


def _loaded_headers(reading: Reading) -> list[Place]:
    """Headers under rafters, with the least load that these bring down: (clear span, N/m).

    Half of a rafter's weight comes down at its foot at least.
    """
    found = []
    for place in headers(reading):
        plies = list(place.others)
        axis = reading.way(plies[0])
        low, high = reading.low[plies].min(axis=0), reading.high[plies].max(axis=0)
        over = []
        for rafter in reading.of("Rafter").tolist():
            spot = reading.structure.center[rafter, axis]
            seats = [
                k for k in reading.seats(rafter).tolist()
                if reading.way(k) == axis and reading.low[k, 2] >= high[2] - EDGE
                and reading.low[k, 1 - axis] <= high[1 - axis]
                and reading.high[k, 1 - axis] >= low[1 - axis]
            ]  # fmt: skip
            if seats and low[axis] < spot < high[axis]:
                over.append(rafter)
        sides = [reading.beside(k, reading.of("Rafter")) for k in over]
        if len(over) < 2 or None in sides:
            continue
        cripples = {int(k) for ply in plies for k in reading.above(ply)}
        roles = {reading.roles.role[k] for k in cripples}
        if roles - {"Cripple", "TopPlate"}:
            continue
        brief = reading.brief
        run = float(np.mean(reading.size[over, 1 - axis]))
        load = 0.5 * run * (brief.roof_dead + brief.roof_live)
        found.append(
            Place(place.member, place.others, (place.figures[0], load, *map(float, cripples)))
        )
    return found


def _shallow_header(reading: Reading, place: Place, severity: Severity) -> Flawed | None:
    """All plies made of 2x4, the cripples above lengthened down to them."""
    clear, load = place.figures[:2]
    plies, structure = list(place.others), reading.structure
    depth = float(reading.size[place.member, 2])
    new = _DEPTHS[0]
    width = float(np.min(reading.size[plies], axis=1).sum())
    brief = reading.brief
    share = brief.roof_live / (brief.roof_live + brief.roof_dead)
    limit = allowable_beam_span(
        width, new, 1.0, species=brief.species, grade=brief.grade, live=share * load,
        dead=(1.0 - share) * load, plies=len(plies), roof=True,
    )  # fmt: skip
    if depth < new + CLEAR or clear < severity.factor * float(limit.length):
        return None
    for ply in plies:
        low, high = structure.aabb[0][ply].copy(), structure.aabb[1][ply].copy()
        high[2] = low[2] + new
        structure = boxed(structure, ply, low, high)
    for cripple in map(int, place.figures[2:]):
        low, high = structure.aabb[0][cripple].copy(), structure.aabb[1][cripple].copy()
        if reading.roles.role[cripple] != "Cripple":
            return None
        low[2] = reading.low[place.member, 2] + new
        structure = boxed(structure, cripple, low, high)
    names = tuple(reading.names[k] for k in plies)
    return told(
        structure, f"The header {names[0]} is {mm(new)} deep over {mm(clear)}.", severity,
        at_member("clear_span", *names),
    )  # fmt: skip


# Laid flat ---------------------------------------------------------------------------------------


def _flat_box(reading: Reading, member: int) -> tuple[Floats, Floats]:
    """The box of a level member turned on its side, its underside where it was."""
    axis = reading.way(member)
    across = 1 - axis
    low, high = reading.low[member].copy(), reading.high[member].copy()
    depth, width = high[2] - low[2], high[across] - low[across]
    middle = 0.5 * (low[across] + high[across])
    low[across], high[across] = middle - 0.5 * depth, middle + 0.5 * depth
    high[2] = low[2] + width
    return low, high


def _flat_joists(reading: Reading) -> list[Place]:
    """Joists with room at their sides and no wall on them."""
    found = []
    for member, _, _ in in_row(reading, "Joist", ("Joist", "RimJoist")):
        low, high = _flat_box(reading, member)
        axis = reading.way(member)
        carried = [k for k in reading.above(member) if reading.way(int(k)) != 1 - axis]
        ends = [k for sign in (-1, 1) for k in reading.at_end(member, sign, FASTENED)]
        around = [member, *reading.below(member).tolist(), *map(int, ends)]
        # The ends butt against rims; anything else at its sides would be run into.
        if not carried and reading.free(low, high, around):
            found.append(Place(member))
    return found


def _laid_flat(reading: Reading, place: Place, severity: Severity) -> Flawed:
    name = reading.names[place.member]
    structure = boxed(reading.structure, place.member, *_flat_box(reading, place.member))
    return told(structure, f"{name} lies flat.", severity, at_member("orientation", name))


def _flat_rafters(reading: Reading) -> list[Place]:
    return [
        Place(rafter) for rafter, _ in lone_rafters(reading)
        if all(
            reading.roles.role[k] in ("Ridge", "TopPlate", "Plate", "Beam", "Rafter")
            for k in reading.touching(rafter)
        )
    ]  # fmt: skip


def _rafter_laid_flat(reading: Reading, place: Place, severity: Severity) -> Flawed:
    """Turned about its axis and let down, so that its underside stays where it was."""
    structure, rafter = reading.structure, place.member
    axes, center = structure.axes.copy(), structure.center.copy()
    half = structure.half[rafter]
    up = axes[rafter, 1] * np.sign(axes[rafter, 1, 2])
    axes[rafter] = axes[rafter][[0, 2, 1]] * np.array([[1.0], [1.0], [-1.0]])
    center[rafter] -= (half[1] - half[2]) * up
    name = reading.names[rafter]
    return told(
        rebuilt(structure, axes=axes, center=center), f"{name} lies flat.", severity,
        at_member("orientation", name),
    )  # fmt: skip


# Names -------------------------------------------------------------------------------------------


def _named(reading: Reading) -> list[Place]:
    return [Place(int(k)) for k in reading.of("Stud", "Joist", "Rafter", "TopPlate", "Blocking")]


def _unnamed(reading: Reading, place: Place, severity: Severity) -> Flawed:
    old, new = reading.names[place.member], f"Member_{place.member:04d}"
    structure = renamed(reading.structure, {place.member: new})
    return told(
        structure, f"{old} is called {new}, which says nothing of its role.", severity,
        at_member("completeness", new),
    )  # fmt: skip


DEFECTS = (
    Defect(
        "wrong_section", "Section that is no lumber", "section",
        "PS 20: sizes are given; what else the thin member fails follows from its size.",
        _thin, _wrong_section, _WRONG,
    ),
    Defect(
        "joist_over_spanned", "Joist too shallow for its span", "clear_span",
        "R502.3.1: the size, species, spacing and load give the longest span.",
        _spans, _shallow_joist, _OVER,
    ),
    Defect(
        "header_too_shallow", "Header too shallow", "clear_span",
        "R602.7: a header of 2x4 can't carry the rafters over a wide opening; either ply may be "
        "named, since they share the load.",
        _loaded_headers, _shallow_header, (Severity("over its limit", 1.0 + _SURE),),
    ),
    Defect(
        "joist_laid_flat", "Joist laid flat", "orientation",
        "R502.3: a flat joist has a sixth of its strength; all else at it follows from that.",
        _flat_joists, _laid_flat, WHOLE,
    ),
    Defect(
        "rafter_laid_flat", "Rafter laid flat", "orientation",
        "R802.4: a flat rafter has a fraction of its strength; all else at it follows.",
        _flat_rafters, _rafter_laid_flat, WHOLE,
    ),
    Defect(
        "unnamed_member", "Member without a role", "completeness",
        "Specification 2: what nobody can tell the role of is never dropped silently.",
        _named, _unnamed, WHOLE,
    ),
)  # fmt: skip
