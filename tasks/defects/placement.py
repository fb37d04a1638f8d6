# SPDX-License-Identifier: GPL-3.0-or-later
"""Members in the wrong place: moved, floating, doubled, running into others, left on the lawn."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ...checks.timber.structure import Floats
from .defect import (
    LOOSE,
    MEASURED,
    SLACK,
    WHOLE,
    Defect,
    Flawed,
    Place,
    Severity,
    at_line,
    at_member,
    mm,
    told,
)
from .editing import moved, stretched, with_box
from .gaps import UPRIGHTS, in_row, stacked, widest
from .reading import Reading

#: Members this far apart are still fastened, m (specification 1.5).
_FASTENED = 0.020
#: Overlap deeper than this is a clash, m (specification 1.5).
_CLASH = 0.003
#: Posts may be this far out of line, m (specification 1.4).
_OUT_OF_LINE = 0.025
#: The least clear bay that a moved member may leave, m: it stays a member of its own, no ply.
_LEAST_BAY = 0.080


def _corridor(reading: Reading, member: int, by: Floats) -> bool:
    """Whether a member may be moved ``by`` without meeting what it didn't meet before."""
    low, high = reading.low[member].copy(), reading.high[member].copy()
    low, high = np.minimum(low, low + by), np.maximum(high, high + by)
    before = [member, *reading.touching(member).tolist()]
    # What it stands between (plates, beams) goes on; what it touches at its sides would be hit.
    axis = int(np.abs(by).argmax())
    shared = np.minimum(reading.high, high) - np.maximum(reading.low, low)
    hit = [k for k in before if k != member and _in_the_way(shared[k], axis)]
    return not hit and reading.free(low, high, before)


def _in_the_way(shared: Floats, axis: int) -> bool:
    """Whether a touching member lies on the way, from the extents that it shares with that, m."""
    rest = [a for a in range(3) if a != axis]
    return bool((shared[rest] > 0.002).all() and shared[axis] > 0.002)


def _movable(reading: Reading, role: str, pool: tuple[str, ...]) -> list[Place]:
    """Members of a row with room on one side, and the bay on the other: (bay, room, sign)."""
    found = []
    for member, left, right in in_row(reading, role, pool):
        across = reading.across(member)
        thick = 2.0 * reading.structure.half[member, 2]
        for sign, bay, room in ((1.0, left, right), (-1.0, right, left)):
            reach = room - thick - _LEAST_BAY
            if reach > 0.05 and _corridor(reading, member, sign * reach * across):
                found.append(Place(member, (), (bay, reach, sign)))
                break
    return found


def _studs(reading: Reading) -> list[Place]:
    return [
        place for place in _movable(reading, "Stud", UPRIGHTS)
        if reading.upright[place.member] and len(reading.above(place.member)) == 1
        and not reading.carries_post(place.member)
    ]  # fmt: skip


def _joists(reading: Reading) -> list[Place]:
    return [
        place for place in _movable(reading, "Joist", ("Joist", "RimJoist"))
        if not any(reading.upright[k] for k in reading.above(place.member))
    ]  # fmt: skip


def _moved_in_row(reading: Reading, place: Place, severity: Severity) -> Flawed | None:
    """One member moved along its row until the bay behind it is too wide."""
    bay, reach, sign = place.figures
    by = severity.above(widest(reading)) - bay
    if by <= SLACK or by > reach:
        return None
    across = sign * reading.across(place.member)
    start, end = reading.ends(place.member)
    # The middle of the bay that is too wide now.
    shift = (by - 0.5 * (bay + by)) * across
    root = at_line("spacing", start + shift, end + shift)
    name = reading.names[place.member]
    structure = moved(reading.structure, place.member, by * across)
    return told(structure, f"{name} stands {mm(by)} out of its place.", severity, root)


# Posts -------------------------------------------------------------------------------------------


def _posts(reading: Reading) -> list[Place]:
    """Upper posts that may move sideways by a post's width on what they stand on and carry."""
    found = []
    stacks = stacked(reading)
    middle = {lower for _, lower in stacks}
    for upper, lower in stacks:
        if upper in middle:  # it would be out of line with the one above as well
            continue
        for axis, sign in ((0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0)):
            by = np.zeros(3)
            by[axis] = sign * 2.0 * _OUT_OF_LINE
            if _keeps_hold(reading, upper, by) and _corridor(reading, upper, by):
                found.append(Place(upper, (lower,), (float(axis), sign)))
                break
    return found


def _keeps_hold(reading: Reading, post: int, by: Floats) -> bool:
    """Whether a post still carries and is carried when it is moved ``by``.

    Under it there must be as much as before; what it carries, and braces at its sides, need the
    least bearing.
    """
    under, over = reading.below(post), reading.above(post)
    low, high = reading.low[post] + by, reading.high[post] + by
    if len(under) == 0 or len(over) == 0:
        return False
    inside = (reading.low[under].min(axis=0) <= low)[:2] & (
        reading.high[under].max(axis=0) >= high
    )[:2]
    shared = np.minimum(reading.high, high) - np.maximum(reading.low, low)
    braces = [k for k in reading.touching(post).tolist() if reading.sloped[k]]
    axis = int(np.abs(by).argmax())
    return bool(
        inside[:2].all()
        and (shared[over, :2] >= 0.038 - SLACK).all()
        and all(shared[k, axis] >= 0.038 - SLACK for k in braces)
    )


def _post_off_line(reading: Reading, place: Place, severity: Severity) -> Flawed:
    axis, sign = int(place.figures[0]), place.figures[1]
    by = np.zeros(3)
    by[axis] = sign * severity.above(_OUT_OF_LINE)
    name, lower = reading.names[place.member], reading.names[place.others[0]]
    structure = moved(reading.structure, place.member, by)
    return told(
        structure, f"{name} stands {mm(abs(by[axis]))} beside {lower} below it.", severity,
        at_member("point_load", name),
    )  # fmt: skip


# Ties --------------------------------------------------------------------------------------------


def _collars(reading: Reading) -> list[Place]:
    """Collar ties nailed to the side of their rafters, with room beside them."""
    found = []
    for tie in reading.of("CollarTie"):
        across = 1 - reading.way(int(tie))
        rafters = [k for k in reading.touching(int(tie)).tolist() if reading.sloped[k]]
        apart = reading.structure.center[rafters, across] - reading.structure.center[tie, across]
        if len(rafters) < 2 or len(set(np.sign(apart).tolist())) != 1:
            continue
        by = np.zeros(3)
        by[across] = -np.sign(apart[0]) * 0.060
        if _corridor(reading, int(tie), by):
            found.append(Place(int(tie), (), (float(across), float(-np.sign(apart[0])))))
    return found


def _floating_collar(reading: Reading, place: Place, severity: Severity) -> Flawed:
    axis, sign = int(place.figures[0]), place.figures[1]
    by = np.zeros(3)
    by[axis] = sign * severity.above(_FASTENED)
    name = reading.names[place.member]
    structure = moved(reading.structure, place.member, by)
    return told(
        structure, f"{name} hangs {mm(abs(by[axis]))} beside its rafters.", severity,
        at_member("load_path", name),
    )  # fmt: skip


# Overlaps ----------------------------------------------------------------------------------------


def _butts(reading: Reading) -> list[Place]:
    """Plates whose end butts against the next plate, and against nothing else."""
    found = []
    plates = set(reading.of("BottomPlate", "TopPlate", "Plate").tolist())
    for plate in sorted(plates):
        if not reading.level[plate]:
            continue
        for sign in (-1, 1):
            ends = reading.at_end(plate, sign).tolist()
            if len(ends) == 1 and ends[0] in plates:
                found.append(Place(plate, (ends[0],), (float(sign),)))
    return found


def _overlapping_plates(reading: Reading, place: Place, severity: Severity) -> Flawed:
    by, axis = severity.above(_CLASH), reading.way(place.member)
    towards = np.zeros(3)
    towards[axis] = place.figures[0]
    name, other = reading.names[place.member], reading.names[place.others[0]]
    structure = stretched(reading.structure, place.member, towards, by)
    return told(
        structure, f"{name} runs {mm(by)} into {other}.", severity, at_member("clash", name, other)
    )


def _any_member(reading: Reading) -> list[Place]:
    judged = [c is not None and c != "accessory" for c in reading.roles.category]
    return [Place(int(k)) for k in np.flatnonzero(judged)]


def _doubled(reading: Reading, place: Place, severity: Severity) -> Flawed:
    structure, k = reading.structure, place.member
    name = f"{reading.names[k]}.001"
    more = with_box(structure, name, structure.center[k], structure.axes[k], 2 * structure.half[k])
    sentence = f"{reading.names[k]} was made twice at the same place."
    return told(more, sentence, severity, at_member("clash", name, reading.names[k]))


def _spares(reading: Reading) -> list[Place]:
    """Studs that could be left over; the lawn is in front of the house."""
    return [Place(int(k)) for k in reading.of("Stud") if reading.length[k] > 1.0]


def _on_the_lawn(reading: Reading, place: Place, severity: Severity) -> Flawed:
    structure, k = reading.structure, place.member
    size = 2.0 * structure.half[k]
    spot = np.array(
        [
            reading.structure.center[:, 0].mean(),
            float(reading.low[:, 1].min()) - 1.5,
            reading.brief.ground + 0.5 * size[2],
        ]
    )
    name = "Stud_Spare_01"
    more = with_box(structure, name, spot, np.eye(3), size)
    sentence = "A spare stud lies on the lawn."
    return told(more, sentence, severity, at_member("load_path", name))


# Rafters that don't sit --------------------------------------------------------------------------


@lru_cache(maxsize=2)
def lone_rafters(reading: Reading) -> tuple[tuple[int, int], ...]:
    """Common rafters with one seat, on a level plate, and a ridge: (rafter, plate).

    Nothing but ceiling joists and collar ties is nailed to their sides.
    """
    found = []
    ridges = set(reading.of("Ridge").tolist())
    harmless = ("CeilingJoist", "CollarTie", "Rafter", "TopPlate", "Plate", "Beam", "Ridge")
    for rafter in reading.of("Rafter").tolist():
        if not reading.sloped[rafter]:
            continue
        touching = reading.touching(rafter).tolist()
        seats = [k for k in reading.seats(rafter).tolist() if k not in ridges]
        odd = any(reading.roles.role[k] not in harmless for k in touching)
        if odd or len(ridges.intersection(touching)) != 1:
            continue
        if seats and len({round(float(reading.high[k, 2]), 3) for k in seats}) == 1:
            found.append((rafter, int(seats[0])))
    return tuple(found)


def notch(reading: Reading, rafter: int, plate: int) -> float:
    """How deep a plate's outer top corner is inside a rafter, square to its underside, m."""
    start, end = reading.ends(rafter)
    axis = int(np.abs(reading.along[rafter, :2]).argmax())
    slope = (end[2] - start[2]) / (end[axis] - start[axis])
    # The corner on the downhill side is the deepest.
    edge = reading.low[plate, axis] if slope > 0 else reading.high[plate, axis]
    height = start[2] + (edge - start[axis]) * slope
    cosine = float(np.sqrt(1.0 - reading.rise[rafter] ** 2))
    rise = float(reading.high[plate, 2] - height) * cosine
    return rise + float(reading.structure.half[rafter, 1])


def _raisable(reading: Reading) -> list[Place]:
    return [
        Place(rafter, (plate,), (notch(reading, rafter, plate),))
        for rafter, plate in lone_rafters(reading)
    ]


def _rafter_raised(reading: Reading, place: Place, severity: Severity) -> Flawed | None:
    """Lifted square to its slope until the gap over the plate is no fastening any more."""
    rafter = place.member
    gap = severity.above(_FASTENED)
    by = gap + place.figures[0]
    # Members more than 60 mm out of a plane are none of its rafters: that is harm of its own.
    if by > (0.055 if severity.harmless else 0.110):
        return None
    normal = np.array([0.0, 0.0, 1.0]) - reading.along[rafter] * reading.along[rafter, 2]
    normal /= np.linalg.norm(normal)
    name = reading.names[rafter]
    structure = moved(reading.structure, rafter, by * normal)
    return told(
        structure, f"{name} floats {mm(gap)} over its plate.", severity,
        at_member("load_path", name),
    )  # fmt: skip


DEFECTS = (
    Defect(
        "stud_moved", "Stud out of its place", "spacing",
        "R602.3: only the bay that has become too wide is wrong, not the narrow one.",
        _studs, _moved_in_row, MEASURED,
    ),
    Defect(
        "joist_moved", "Joist out of its place", "spacing",
        "R502.3: only the bay that has become too wide is wrong, not the narrow one.",
        _joists, _moved_in_row, MEASURED,
    ),
    Defect(
        "post_off_line", "Post beside the post below", "point_load",
        "R301.1: its load no longer comes down through the post below; the upper one is moved.",
        _posts, _post_off_line, MEASURED,
    ),
    Defect(
        "floating_collar", "Collar tie beside its rafters", "load_path",
        "R802.4.6: a tie that is nailed to neither rafter is held by nothing.",
        _collars, _floating_collar, LOOSE,
    ),
    Defect(
        "overlapping_plates", "Plates that run into each other", "clash",
        "LoD 350 (ii): two pieces fill one space; either of them may be the one to cut.",
        _butts, _overlapping_plates, MEASURED,
    ),
    Defect(
        "doubled_member", "Member made twice", "clash",
        "LoD 350 (ii): one of two members at one place is too many; which one is the same.",
        _any_member, _doubled, WHOLE,
    ),
    Defect(
        "stud_on_the_lawn", "Stud on the lawn", "load_path",
        "R301.1: lumber on the ground is no foundation and belongs to nothing.",
        _spares, _on_the_lawn, WHOLE,
    ),
    Defect(
        "rafter_raised", "Rafter over its plate", "load_path",
        "R802.6: a rafter that doesn't sit on the plate is carried by nothing at its foot.",
        _raisable, _rafter_raised, LOOSE,
    ),
)  # fmt: skip
