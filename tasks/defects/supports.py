# SPDX-License-Identifier: GPL-3.0-or-later
"""Missing members under others: sills, girders, posts, footings, plates, ridges, hips, valleys."""

from __future__ import annotations

import numpy as np

from .defect import Defect, Flawed, Place, Severity, at_line, told
from .editing import without
from .reading import FASTENED, Ints, Reading

#: How far a plate or rim board passes on a load beyond its last support, m (specification 1.4:
#: one bay at 24 in). Two of them lie on each other, on both sides of a gap.
_PASSED_ON = 4 * 0.610
_SILLS = ("Sill",)
_LEVEL_CARRIERS = ("Beam", "Sill", "TopPlate", "Plate", "BottomPlate", "Ledger", "Header")


def _gone(reading: Reading, place: Place, sentence: str, severity: Severity) -> Flawed:
    """The members of a place removed; what is missing lies on the axis of the first."""
    start, end = reading.ends(place.member)
    gone = [place.member, *place.others]
    # Plies lie side by side: the middle of them all is where something is missing.
    middle = reading.structure.center[gone].mean(axis=0) - reading.structure.center[place.member]
    axis = reading.way(place.member)
    middle = np.where(np.arange(3) == axis, 0.0, middle) if len(gone) > 1 else 0.0 * middle
    root = at_line("load_path", start + middle, end + middle)
    return told(without(reading.structure, gone), sentence, severity, root)


def _plies(reading: Reading, member: int) -> tuple[int, ...]:
    """Other members of its role side by side with a level one, over more than half of it."""
    same = [k for k in reading.of(str(reading.roles.role[member])) if k != member]
    if not same:
        return ()
    pool = np.array(same)
    low = np.maximum(reading.low[pool], reading.low[member])
    high = np.minimum(reading.high[pool], reading.high[member])
    axis, across = reading.way(member), 1 - reading.way(member)
    apart = np.abs(
        reading.structure.center[pool, across] - reading.structure.center[member, across]
    )
    near = (high - low)[:, axis] > 0.5 * reading.length[member]
    near &= ((high - low)[:, 2] > 0.0) & (apart <= 0.100)
    return tuple(map(int, pool[near]))


def _leans_on(reading: Reading, carried: int, gone: tuple[int, ...]) -> bool:
    """Whether a level member falls if ``gone`` are taken away.

    It does if nothing else is under it on their side of its middle.
    """
    axis = reading.way(carried)
    middle = float(reading.structure.center[carried, axis])
    rest = [k for k in reading.below(carried) if k not in gone]
    sides = [(reading.low[k, axis] - middle, reading.high[k, axis] - middle) for k in rest]
    # An end that butts against a wall or beam may hang there; not so on a rim or the next piece.
    hung = [
        sign for sign in (-1, 1) for k in reading.at_end(carried, sign, FASTENED)
        if reading.roles.role[k] != "RimJoist" and reading.way(int(k)) != axis
    ]  # fmt: skip
    left = any(a < 0 for a, _ in sides) or -1 in hung
    return not (left and (any(b > 0 for _, b in sides) or 1 in hung))


def _joists_over(reading: Reading, gone: tuple[int, ...]) -> list[int]:
    """Joists, ceiling joists and rafters across the first of ``gone`` that fall without them."""
    above = {int(k) for member in gone for k in reading.above(member)}
    joists = set(reading.of("Joist", "CeilingJoist").tolist())
    axis = reading.way(gone[0])
    return [
        k for k in sorted(above & joists)
        if reading.way(k) != axis and _leans_on(reading, k, gone)
    ]  # fmt: skip


def _sills(reading: Reading) -> list[Place]:
    found = []
    for sill in reading.of(*_SILLS):
        if not reading.level[sill] or reading.way(sill) == 2:
            continue
        joists = _joists_over(reading, (int(sill),))
        rims = [k for k in reading.above(sill) if reading.roles.role[k] == "RimJoist"]
        along = [k for k in rims if reading.way(k) == reading.way(sill)]
        walled = along and reading.length[sill] >= _PASSED_ON + 0.5
        if len(joists) >= 3 or walled:
            found.append(Place(int(sill)))
    return found


def _missing_sill(reading: Reading, place: Place, severity: Severity) -> Flawed:
    name = reading.names[place.member]
    return _gone(reading, place, f"The sill {name} is missing.", severity)


def _girders(reading: Reading) -> list[Place]:
    found: list[Place] = []
    seen: set[int] = set()
    for beam in reading.of("Beam"):
        if not reading.level[beam] or int(beam) in seen:
            continue
        plies = _plies(reading, int(beam))
        seen.update(plies)
        if len(_joists_over(reading, (int(beam), *plies))) >= 3:
            found.append(Place(int(beam), plies))
    return found


def _missing_girder(reading: Reading, place: Place, severity: Severity) -> Flawed:
    name = reading.names[place.member]
    return _gone(reading, place, f"The girder {name} is missing.", severity)


def _joint_posts(reading: Reading) -> list[Place]:
    """Posts under the joint of two beams that both fall without it."""
    found = []
    for post in reading.of("Post", "BeamPost"):
        braced = any(reading.sloped[k] for k in reading.touching(int(post)))
        if not reading.upright[post] or braced:  # its braces would lack it as well
            continue
        above = reading.above(post)
        beams = [int(k) for k in above if reading.roles.role[k] == "Beam"]
        falls = [k for k in beams if _leans_on(reading, k, (int(post),))]
        if beams and len(beams) == len(above) and falls == beams:
            found.append(Place(int(post)))
    return found


def _missing_post(reading: Reading, place: Place, severity: Severity) -> Flawed:
    start, end = reading.ends(place.member)
    name = reading.names[place.member]
    structure = without(reading.structure, [place.member])
    return told(
        structure, f"The post {name} under the ends of its beams is missing.", severity,
        at_line("load_path", start, end),
    )  # fmt: skip


def _footings(reading: Reading) -> list[Place]:
    found = []
    for footing in reading.of("Footing", "Pier"):
        above = reading.above(footing)
        high = reading.size[footing, 2] > 0.050
        posted = high and len(above) == 1 and reading.upright[above[0]]
        if posted and len(reading.below(int(above[0]))) == 1:
            found.append(Place(int(footing), (int(above[0]),)))
    return found


def _missing_footing(reading: Reading, place: Place, severity: Severity) -> Flawed:
    foot = reading.structure.center[place.member].copy()
    top = foot.copy()
    foot[2], top[2] = reading.low[place.member, 2], reading.high[place.member, 2]
    post = reading.names[place.others[0]]
    root = at_line("load_path", foot, top, names=(post,))
    structure = without(reading.structure, [place.member])
    return told(structure, f"The footing under {post} is missing.", severity, root)


def _plates(reading: Reading) -> list[Place]:
    found = []
    for plate in reading.of("BottomPlate"):
        studs = [k for k in reading.above(plate) if reading.upright[k]]
        alone = [k for k in studs if len(reading.below(int(k))) == 1]
        if reading.level[plate] and len(alone) >= 3 and reading.length[plate] >= 1.2:
            found.append(Place(int(plate)))
    return found


def _missing_plate(reading: Reading, place: Place, severity: Severity) -> Flawed:
    name = reading.names[place.member]
    return _gone(reading, place, f"The bottom plate {name} is missing.", severity)


def _rafters_at(reading: Reading, member: int) -> list[int]:
    """Rafters whose upper end meets a ridge, hip or valley, by boxes."""
    rafters = set(reading.of("Rafter", "JackRafter", "HipRafter", "ValleyRafter").tolist())
    return [k for k in reading.touching(member).tolist() if k in rafters and reading.sloped[k]]


def _propped(reading: Reading, rafter: int) -> bool:
    """Whether something under the upper half of a rafter holds it as well."""
    middle = reading.structure.center[rafter]
    axis = int(np.abs(reading.along[rafter, :2]).argmax())
    uphill = np.sign(reading.along[rafter, axis] * reading.along[rafter, 2])
    ridges = set(reading.of("Ridge").tolist())
    seats = [k for k in reading.seats(rafter).tolist() if k not in ridges]
    return any(uphill * (reading.structure.center[k, axis] - middle[axis]) > 0 for k in seats)


def _ridges(reading: Reading) -> list[Place]:
    found = []
    for ridge in reading.of("Ridge"):
        rafters = _rafters_at(reading, int(ridge))
        commons = [k for k in rafters if reading.roles.role[k] == "Rafter"]
        if len(commons) < 4 or not reading.level[ridge]:
            continue
        if not any(_propped(reading, k) for k in rafters):
            found.append(Place(int(ridge)))
    return found


def _missing_ridge(reading: Reading, place: Place, severity: Severity) -> Flawed:
    name = reading.names[place.member]
    return _gone(reading, place, f"The ridge {name} is missing.", severity)


def _edges(reading: Reading, role: str) -> list[Place]:
    """Hips or valleys with at least three jacks that nothing else holds up."""
    found = []
    for edge in reading.of(role):
        jacks = [
            k for k in _rafters_at(reading, int(edge)) if reading.roles.role[k] == "JackRafter"
        ]
        if sum(not _propped(reading, k) for k in jacks) >= 3:
            found.append(Place(int(edge)))
    return found


def _missing_edge(reading: Reading, place: Place, severity: Severity) -> Flawed:
    start, end = reading.ends(place.member)
    name = reading.names[place.member]
    structure = without(reading.structure, [place.member])
    # Its jacks end at its faces and at different heights: the middle of their ends lies beside it.
    root = at_line("load_path", start, end, reach=0.3)
    return told(structure, f"The rafter {name} is missing.", severity, root)


def _ties(reading: Reading) -> list[Place]:
    """All ceiling joists of a house with one ridge line that no post carries."""
    ridges, ties = reading.of("Ridge"), reading.of("CeilingJoist", "RafterTie")
    if len(ridges) == 0 or len(ties) < 2 or len(reading.of("HipRafter", "ValleyRafter")):
        return []
    axis = reading.way(int(ridges[0]))
    line = reading.structure.center[ridges][:, [1 - axis, 2]]
    in_line = bool((np.ptp(line, axis=0) < 0.010).all())
    across = all(reading.way(int(k)) == 1 - axis for k in ties)
    held = any(not _leans_on(reading, int(k), ()) for k in ridges)
    seats = reading.low[reading.of("Rafter")][:, 2].min(initial=np.inf)
    floors = reading.high[reading.of("Joist")][:, 2].max(initial=-np.inf)
    if not in_line or not across or held or floors > seats or _any_propped(reading):
        return []
    return [Place(int(ridges[0]), tuple(map(int, ties)))]


def _any_propped(reading: Reading) -> bool:
    rafters: Ints = reading.of("Rafter", "JackRafter")
    return any(_propped(reading, int(k)) for k in rafters if reading.sloped[k])


def _missing_ties(reading: Reading, place: Place, severity: Severity) -> Flawed:
    ridge, ties = place.member, list(place.others)
    start, end = (
        reading.low[reading.of("Ridge")].min(axis=0),
        reading.high[reading.of("Ridge")].max(axis=0),
    )
    middle = 0.5 * (start + end)
    axis = reading.way(ridge)
    low, high = middle.copy(), middle.copy()
    low[axis], high[axis] = start[axis], end[axis]
    low[2] = high[2] = reading.structure.center[ties][:, 2].mean()
    root = at_line("load_path", low, high, reach=0.5)
    return told(
        without(reading.structure, ties),
        "All ceiling joists are missing: nothing ties the feet of the rafters together.",
        severity, root,
    )  # fmt: skip


DEFECTS = (
    Defect(
        "missing_sill", "Sill missing", "load_path",
        "R403.1.6, R502.6: joists and walls bear on a sill; the first broken link is its place.",
        _sills, _missing_sill,
    ),
    Defect(
        "missing_girder", "Girder missing", "load_path",
        "R502.5: joists that end over it have nothing under that end; the fault is its place.",
        _girders, _missing_girder,
    ),
    Defect(
        "missing_post", "Post missing under the joint of a girder", "load_path",
        "R407.3: two beams that end in the air lack the one post that both ends need.",
        _joint_posts, _missing_post,
    ),
    Defect(
        "missing_footing", "Footing missing under a post", "load_path",
        "R403.1: a post in the air lacks a footing; naming the post or the place is the same.",
        _footings, _missing_footing,
    ),
    Defect(
        "missing_bottom_plate", "Bottom plate missing", "load_path",
        "R602.3.4: studs bear on a plate; a row of feet in the air is one missing plate.",
        _plates, _missing_plate,
    ),
    Defect(
        "missing_ridge", "Ridge missing", "load_path",
        "R802.3: rafters that end in the air on both sides lack the ridge between them.",
        _ridges, _missing_ridge,
    ),
    Defect(
        "missing_hip", "Hip rafter missing", "load_path",
        "R802.3: the jacks of both planes lean on it; the fault is its place.",
        lambda reading: _edges(reading, "HipRafter"), _missing_edge,
    ),
    Defect(
        "missing_valley", "Valley rafter missing", "load_path",
        "R802.3: the jacks of both planes lean on it; the fault is its place.",
        lambda reading: _edges(reading, "ValleyRafter"), _missing_edge,
    ),
    Defect(
        "missing_ties", "No rafter ties", "load_path",
        "R802.5.2: couples that nothing ties push their walls out; all missing ties are one fault.",
        _ties, _missing_ties,
    ),
)  # fmt: skip
