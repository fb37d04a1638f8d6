# SPDX-License-Identifier: GPL-3.0-or-later
"""Members cut to the wrong length: notches, bearings, studs, tails, cantilevers, ridge ends."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...checks.timber.structure import Floats
from .defect import (
    CLEAR,
    LOOSE,
    MEASURED,
    SLACK,
    Defect,
    Flawed,
    Place,
    Severity,
    at_member,
    mm,
    told,
)
from .editing import boxed, moved, stretched
from .gaps import headers
from .placement import lone_rafters, notch
from .reading import FASTENED, TOUCH, Reading

#: Least bearing of joists, beams and headers on wood, m (R502.6).
_BEARING = 0.038
#: Ends this far apart are still fastened, m (specification 1.5).
_GAP = 0.020
#: Longest overhang of joists and rafter tails, m, and the share of the back span (R502.3.3).
_OVERHANG, _BACK = 0.610, 4.0
#: What must be left above a notch where the tail is short, m (R802.7.1.1), else three quarters.
_LEFT, _NOTCH = 0.089, 0.25
#: A stud shorter by more than this leaves a gap that could be one of its row, m.
_SHORT_STUD = 0.090


# Rafters -----------------------------------------------------------------------------------------


def _tail(reading: Reading, rafter: int, plate: int) -> float:
    """Plan distance from the outer edge of a plate to the lower end of a rafter's axis, m."""
    start, end = reading.ends(rafter)
    axis = int(np.abs(reading.along[rafter, :2]).argmax())
    if end[axis] > start[axis]:
        return float(reading.low[plate, axis] - start[axis])
    return float(start[axis] - reading.high[plate, axis])


def _seated(reading: Reading) -> list[Place]:
    """Lone rafters: (how deep they are notched now, the deepest allowed, tail)."""
    found = []
    for rafter, plate in lone_rafters(reading):
        depth, tail = float(2.0 * reading.structure.half[rafter, 1]), _tail(reading, rafter, plate)
        limit = max(_NOTCH * depth, depth - _LEFT if tail <= _OVERHANG else 0.0)
        found.append(Place(rafter, (plate,), (notch(reading, rafter, plate), limit, tail)))
    return found


def _notched(reading: Reading, place: Place, severity: Severity) -> Flawed | None:
    """Let down square to its slope until the plate is too deep in it."""
    now, limit, _ = place.figures
    by = severity.above(limit) - now
    # Farther out of its plane it would be missed there, which is harm of another kind.
    if not CLEAR < by <= 0.055:
        return None
    rafter = place.member
    normal = np.array([0.0, 0.0, 1.0]) - reading.along[rafter] * reading.along[rafter, 2]
    normal /= np.linalg.norm(normal)
    name = reading.names[rafter]
    structure = moved(reading.structure, rafter, -by * normal)
    return told(
        structure, f"{name} is notched {mm(now + by)} deep.", severity, at_member("notching", name)
    )


def _long_tail(reading: Reading, place: Place, severity: Severity) -> Flawed | None:
    rafter, tail = place.member, place.figures[2]
    by = (severity.above(_OVERHANG) - tail) / float(np.sqrt(1.0 - reading.rise[rafter] ** 2))
    start, end = reading.ends(rafter)
    down = (start - end) / reading.length[rafter]
    if by < CLEAR:
        return None
    depth = reading.structure.half[rafter, 1:].max()
    corners = np.stack([start, start + by * down])
    low, high = corners.min(axis=0) - depth, corners.max(axis=0) + depth
    # A plate deep in a rafter with a long tail is notched too deep as well: another fault.
    now, depth_of = place.figures[0], float(2.0 * reading.structure.half[rafter, 1])
    if now > _NOTCH * depth_of or not _nobody_ahead(reading, rafter, low, high):
        return None
    name = reading.names[rafter]
    structure = stretched(reading.structure, rafter, down, by)
    return told(
        structure, f"{name} sticks out {mm(severity.above(_OVERHANG))} beyond the wall.", severity,
        at_member("cantilever", name),
    )  # fmt: skip


def _nobody_ahead(reading: Reading, member: int, low: Floats, high: Floats) -> bool:
    """Whether a box is free of all but what a member touches already, boards at its end too."""
    near = reading.touching(member)
    if any(reading.roles.role[k] in ("Fascia", "Lookout", "Blocking") for k in near):
        return False
    return reading.free(low, high, [member, *near.tolist()])


def _short_rafter(reading: Reading, place: Place, severity: Severity) -> Flawed | None:
    """Cut short at its upper end by more than an end may be from what it is nailed to."""
    rafter = place.member
    start, end = reading.ends(rafter)
    ridges = [k for k in reading.touching(rafter) if reading.roles.role[k] == "Ridge"]
    ridge = int(ridges[0])
    axis = int(np.abs(reading.along[rafter, :2]).argmax())
    up = (end - start) / reading.length[rafter]
    # Where the first edge of the square end would meet the face of the ridge.
    tangent = reading.rise[rafter] / np.sqrt(1.0 - reading.rise[rafter] ** 2)
    face = reading.low[ridge, axis] if up[axis] > 0 else reading.high[ridge, axis]
    to_face = (face - end[axis]) / up[axis] - reading.structure.half[rafter, 1] * tangent
    by = severity.above(_GAP) - to_face
    # An end that comes down below the ridge could be meant to be cut level under it.
    sine = float(reading.rise[rafter])
    corner = end[2] - by * sine - reading.structure.half[rafter, 1] * np.sqrt(1.0 - sine**2)
    if corner < reading.low[ridge, 2] + CLEAR:
        return None
    name = reading.names[rafter]
    structure = stretched(reading.structure, rafter, up, -by)
    return told(
        structure, f"{name} ends {mm(severity.above(_GAP))} short of its ridge.", severity,
        at_member("load_path", name),
    )  # fmt: skip


# Joists ------------------------------------------------------------------------------------------


def _bearing_ends(reading: Reading) -> list[Place]:
    """Ends of joists on one level member: (bearing, sign), where they aren't hung as well."""
    found = []
    for joist in reading.of("Joist", "CeilingJoist").tolist():
        if not reading.level[joist]:
            continue
        axis = reading.way(joist)
        middle = _mid(reading, joist, axis)
        under = reading.below(joist)
        if len(under) != 2 or any(reading.way(int(k)) == axis for k in under):
            continue
        for sign in (-1, 1):
            here = [k for k in under if sign * (_mid(reading, k, axis) - middle) > 0]
            if len(here) != 1 or reading.upright[here[0]]:
                continue
            hung = [
                k for k in reading.at_end(joist, sign, FASTENED)
                if reading.way(int(k)) != axis and reading.roles.role[k] != "RimJoist"
            ]  # fmt: skip
            inner = (reading.low if sign > 0 else reading.high)[here[0], axis]
            end = (reading.high if sign > 0 else reading.low)[joist, axis]
            bearing = sign * float(end - inner)
            if not hung and bearing >= _BEARING + SLACK:
                found.append(Place(joist, (int(here[0]),), (bearing, float(sign))))
    return found


def _mid(reading: Reading, member: int, axis: int) -> float:
    return float(reading.structure.center[member, axis])


def _short_bearing(reading: Reading, place: Place, severity: Severity) -> Flawed | None:
    bearing, sign = place.figures
    left = severity.below(_BEARING)
    towards = np.zeros(3)
    towards[reading.way(place.member)] = sign
    name, on = reading.names[place.member], reading.names[place.others[0]]
    structure = stretched(reading.structure, place.member, towards, left - bearing)
    return told(
        structure, f"{name} bears {mm(left)} on {on}.", severity, at_member("bearing", name)
    )


def _cantilevers(reading: Reading) -> list[Place]:
    """Joists that could run out over their last support: (limit, overhang now, sign)."""
    found = []
    for joist in reading.of("Joist", "CeilingJoist").tolist():
        axis = reading.way(joist)
        under = reading.below(joist)
        if not reading.level[joist] or len(under) < 2:
            continue
        # A joist lapped on a rafter is held there as well.
        lapped = any(reading.sloped[k] for k in reading.touching(joist))
        if lapped or any(reading.way(int(k)) == axis for k in under):
            continue
        order = sorted(under.tolist(), key=lambda k: _mid(reading, k, axis))
        for sign, last, before in ((-1, order[0], order[1]), (1, order[-1], order[-2])):
            edge = (reading.high if sign > 0 else reading.low)[last, axis]
            end = (reading.high if sign > 0 else reading.low)[joist, axis]
            if sign > 0:
                back = reading.low[last, axis] - reading.high[before, axis]
            else:
                back = reading.low[before, axis] - reading.high[last, axis]
            limit = min(float(back) / _BACK, _OVERHANG)
            depth = float(reading.size[joist, 2])
            low, high = reading.low[joist].copy(), reading.high[joist].copy()
            (high if sign > 0 else low)[axis] = edge + sign * 2.0 * limit
            (low if sign > 0 else high)[axis] = end + sign * TOUCH
            # An end that passes its support by no more than its depth is no cantilever.
            if limit > depth + CLEAR and reading.free(low, high, [joist, last]):
                now = sign * float(end - edge)
                found.append(Place(joist, (int(last),), (limit, now, float(sign))))
                break
    return found


def _joist_cantilever(reading: Reading, place: Place, severity: Severity) -> Flawed | None:
    limit, now, sign = place.figures
    out = severity.above(limit)
    towards = np.zeros(3)
    towards[reading.way(place.member)] = sign
    name = reading.names[place.member]
    structure = stretched(reading.structure, place.member, towards, out - now)
    return told(
        structure, f"{name} sticks out {mm(out)} beyond its last support.", severity,
        at_member("cantilever", name),
    )  # fmt: skip


# Walls -------------------------------------------------------------------------------------------


def _short_studs(reading: Reading) -> list[Place]:
    """Studs under plates, with others of the wall on both sides that hold the plates up."""
    found = []
    for stud in reading.of("Stud").tolist():
        above = reading.above(stud)
        plates = [k for k in above if reading.roles.role[k] in ("TopPlate", "Plate")]
        if not reading.upright[stud] or len(above) != 1 or len(plates) != 1:
            continue
        if reading.carries_post(stud) or _nailed_at_its_top(reading, stud, plates):
            continue
        uprights = [k for k in reading.below(int(plates[0])) if k != stud]
        axis = reading.way(int(plates[0]))
        apart = [_mid(reading, k, axis) - _mid(reading, stud, axis) for k in uprights]
        near = [a for a in apart if abs(a) <= 0.650]
        if any(a > 0 for a in near) and any(a < 0 for a in near):
            found.append(Place(stud))
    return found


def _nailed_at_its_top(reading: Reading, stud: int, plates: Sequence[int]) -> bool:
    """Whether something crosses the upper fifth of a stud, which holds its top as a plate does."""
    low, high = reading.low[stud].copy(), reading.high[stud]
    low[2] = high[2] - 0.2 * reading.length[stud]
    alike = np.flatnonzero(reading.upright)
    return not reading.free(low, high, [stud, *plates, *alike.tolist()])


def _short_stud(reading: Reading, place: Place, severity: Severity) -> Flawed | None:
    gap = severity.above(_GAP)
    if gap > _SHORT_STUD:
        return None
    name = reading.names[place.member]
    structure = stretched(reading.structure, place.member, (0.0, 0.0, 1.0), -gap)
    return told(
        structure, f"{name} ends {mm(gap)} below its plate.", severity,
        at_member("dual_end_connection", name),
    )  # fmt: skip


def _header_ends(reading: Reading) -> list[Place]:
    """Ends of headers on one trimmer: (bearing, sign)."""
    found = []
    for place in headers(reading):
        axis = reading.way(place.member)
        left, right = (int(k) for k in place.figures[1:])
        for sign, trimmer in ((-1, left), (1, right)):
            end = (reading.high if sign > 0 else reading.low)[place.member, axis]
            inner = (reading.low if sign > 0 else reading.high)[trimmer, axis]
            bearing = sign * float(end - inner)
            if abs(bearing - _BEARING) < SLACK:
                found.append(Place(place.member, (trimmer,), (bearing, float(sign))))
    return found


def _short_header(reading: Reading, place: Place, severity: Severity) -> Flawed:
    bearing, sign = place.figures
    left = severity.below(_BEARING)
    towards = np.zeros(3)
    towards[reading.way(place.member)] = sign
    name = reading.names[place.member]
    structure = stretched(reading.structure, place.member, towards, left - bearing)
    return told(
        structure, f"{name} bears {mm(left)} on its trimmer.", severity,
        at_member("opening_header", name),
    )  # fmt: skip


# Foundations -------------------------------------------------------------------------------------


def _walls_under_sills(reading: Reading) -> list[Place]:
    """Foundation walls that alone carry one sill, which alone lies on them."""
    found = []
    for wall in reading.of("Foundation").tolist():
        above = reading.above(wall)
        sills = [k for k in above if reading.roles.role[k] == "Sill"]
        if len(above) != 1 or len(sills) != 1 or reading.size[wall, 2] < 0.2:
            continue
        if len(reading.below(int(sills[0]))) == 1 and not _bridged(reading, int(sills[0])):
            found.append(Place(wall, (int(sills[0]),)))
    return found


def _bridged(reading: Reading, sill: int) -> bool:
    """Whether a sill is so short that what lies on it doesn't need it."""
    return bool(reading.length[sill] < 3.0)


def _low_foundation(reading: Reading, place: Place, severity: Severity) -> Flawed:
    gap = severity.above(_GAP)
    low, high = reading.low[place.member], reading.high[place.member].copy()
    high[2] -= gap
    name, sill = reading.names[place.member], reading.names[place.others[0]]
    structure = boxed(reading.structure, place.member, low, high)
    return told(
        structure, f"{name} ends {mm(gap)} below {sill}.", severity, at_member("load_path", sill)
    )


DEFECTS = (
    Defect(
        "notch_too_deep", "Notch too deep", "notching",
        "R802.7.1: the seat takes more out of the rafter than it can spare.",
        _seated, _notched, MEASURED,
    ),
    Defect(
        "tail_too_long", "Rafter tail too long", "cantilever",
        "R802.7.1.1: a tail is held by nothing beyond the wall.",
        _seated, _long_tail, MEASURED,
    ),
    Defect(
        "rafter_short", "Rafter short of the ridge", "load_path",
        "R802.3: a rafter that doesn't reach the ridge leans on nothing.",
        _seated, _short_rafter, LOOSE,
    ),
    Defect(
        "short_bearing", "Joist with too little bearing", "bearing",
        "R502.6: 38 mm on wood.",
        _bearing_ends, _short_bearing, MEASURED,
    ),
    Defect(
        "joist_cantilever", "Joist sticks out too far", "cantilever",
        "R502.3.3: a quarter of the span behind it, and 610 mm at most.",
        _cantilevers, _joist_cantilever, MEASURED,
    ),
    Defect(
        "short_stud", "Stud short of the plate", "dual_end_connection",
        "R602.3: a stud that ends below its plate carries nothing; the others hold the plate.",
        _short_studs, _short_stud, LOOSE,
    ),
    Defect(
        "header_bears_short", "Header with too little bearing", "opening_header",
        "R602.7: 38 mm on a trimmer at each end.",
        _header_ends, _short_header, MEASURED,
    ),
    Defect(
        "low_foundation", "Foundation wall below its sill", "load_path",
        "R403.1.6: the sill floats; the wall under it is where it was built.",
        _walls_under_sills, _low_foundation, LOOSE,
    ),
)  # fmt: skip
