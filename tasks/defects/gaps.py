# SPDX-License-Identifier: GPL-3.0-or-later
"""Missing members of rows and walls: studs, joists, rafters, headers and what is beside them."""

from __future__ import annotations

import numpy as np

from .defect import SLACK, Defect, Flawed, Place, Severity, at_line, at_member, told
from .editing import without
from .reading import PLY, Ints, Reading

#: Widest bay where the task names none, and the tolerance on it, m (specification 1.4).
_SPACING, _TOLERANCE = 0.610, 0.020
#: Stud bays with more clear width need a header, m (specification 1.4).
_OPENING = 0.640
#: Plies of a header lie within this of each other, centre to centre, m (two 2x in a 2x8 wall).
_HEADER_PLIES = 0.150
#: Uprights that stand beside each other in walls.
UPRIGHTS = ("Stud", "KingStud", "TrimmerStud", "Cripple", "CornerPost", "Post", "BeamPost")
#: What hangs on a joist or rafter and makes its removal more than one fault.
_HANGING = ("Header", "Lookout", "Brace", "Strut", "HipRafter", "ValleyRafter", "JackRafter")


def widest(reading: Reading) -> float:
    """Widest bay allowed on centre, m."""
    return (reading.brief.spacing or _SPACING) + _TOLERANCE


def in_row(
    reading: Reading, role: str, pool: tuple[str, ...], share: float = 0.9
) -> list[tuple[int, float, float]]:
    """Members of a row with a neighbour on both sides, and the distances to them, m."""
    others = reading.of(*pool)
    found = []
    for member in reading.of(role):
        sides = reading.beside(int(member), others, share)
        if sides is None:
            continue
        # In a sound row neighbours are near; what is farther off belongs to another wing.
        widths = [side.width for side in sides]
        if min(widths) > PLY and max(widths) <= widest(reading) + SLACK:
            found.append((int(member), sides[0].width, sides[1].width))
    return found


def _carries_hangers(reading: Reading, member: int) -> bool:
    touching = reading.touching(member)
    return any(reading.roles.role[k] in _HANGING for k in touching)


def _lone(reading: Reading, role: str, pool: tuple[str, ...], share: float = 0.9) -> list[Place]:
    """Members of a row whose removal leaves a bay that is clearly too wide."""
    limit = widest(reading) + 2 * SLACK
    return [
        Place(member) for member, left, right in in_row(reading, role, pool, share)
        if left + right > limit and not _carries_hangers(reading, member)
    ]  # fmt: skip


def _studs(reading: Reading) -> list[Place]:
    return [
        place for place in _lone(reading, "Stud", UPRIGHTS)
        if reading.upright[place.member] and _plates_only(reading, place.member)
        and not reading.carries_post(place.member)
    ]  # fmt: skip


def _plates_only(reading: Reading, stud: int) -> bool:
    """Whether a stud stands between plates and carries no beam, header or post of its own."""
    around = (*reading.below(stud), *reading.above(stud))
    plates = ("BottomPlate", "TopPlate", "Plate", "Sill")
    return len(around) >= 2 and all(reading.roles.role[k] in plates for k in around)


def _missing_in_row(reading: Reading, place: Place, severity: Severity) -> Flawed:
    name = reading.names[place.member]
    root = at_line("spacing", *reading.ends(place.member))
    structure = without(reading.structure, [place.member])
    return told(structure, f"{name} is missing from its row.", severity, root)


def _jacks(reading: Reading) -> list[Place]:
    """Jacks between two others of one plane; those shorter than a bay may be left out anyway."""
    others = reading.of("JackRafter")
    found = []
    for member in others[reading.length[others] >= _SPACING]:
        sides = reading.beside(int(member), others, 0.5)
        if sides is None or min(side.width for side in sides) <= PLY:
            continue
        if sum(side.width for side in sides) > max(widest(reading), _SPACING) + _TOLERANCE:
            found.append(Place(int(member)))
    return found


def _gables(reading: Reading) -> list[Place]:
    """The last pair of rafters at a gable, where plates and ridge go on to the end."""
    rafters = reading.of("Rafter")
    found = []
    for ridge in reading.of("Ridge"):
        axis = reading.way(int(ridge))
        touching = set(reading.touching(int(ridge)).tolist())
        here = [int(k) for k in rafters if int(k) in touching and reading.sloped[k]]
        if len(here) < 6:
            continue
        for sign in (-1, 1):
            end = (reading.high if sign > 0 else reading.low)[ridge, axis]
            if len(reading.at_end(int(ridge), sign)):
                continue
            last = [
                k for k in here
                if abs((reading.high if sign > 0 else reading.low)[k, axis] - end) <= 2 * SLACK
            ]  # fmt: skip
            if len(last) == 2 and not any(_carries_gable(reading, k) for k in last):
                found.append(Place(last[0], (last[1],), (_to_next(reading, last[0], here),)))
    return found


def _to_next(reading: Reading, rafter: int, others: list[int]) -> float:
    """Distance to the nearest parallel one, m."""
    apart = (reading.structure.center[others] - reading.structure.center[rafter]) @ reading.across(
        rafter
    )
    return float(np.abs(apart[np.abs(apart) > PLY]).min())


def _carries_gable(reading: Reading, rafter: int) -> bool:
    """Whether studs end at a rafter, or lookouts lie on it: without it they would hang as well."""
    return any(
        reading.roles.role[k] in (*_HANGING, "Fascia", "CollarTie", "Stud")
        for k in reading.touching(rafter)
    )


def _missing_gable(reading: Reading, place: Place, severity: Severity) -> Flawed:
    pair = (place.member, place.others[0])
    # What is told is the middle of the open strip.
    reach = 0.5 * place.figures[0] + PLY
    roots = [at_line("roof_coverage", *reading.ends(k), reach=reach) for k in pair]
    names = " and ".join(reading.names[k] for k in pair)
    structure = without(reading.structure, pair)
    return told(
        structure, f"The last rafters of the gable, {names}, are missing.", severity, *roots
    )


# Openings ----------------------------------------------------------------------------------------


def headers(reading: Reading) -> list[Place]:
    """Headers of wall openings with all their plies: two trimmers under them, wide enough."""
    found: list[Place] = []
    seen: set[int] = set()
    every: Ints = reading.of("Header")
    for header in every.tolist():
        if header in seen or not reading.level[header]:
            continue
        axis, across = reading.way(header), 1 - reading.way(header)
        center = reading.structure.center
        near = np.abs(center[every] - center[header])
        plies = every[(near[:, across] <= _HEADER_PLIES) & (near[:, [axis, 2]] < 0.05).all(axis=1)]
        seen.update(plies.tolist())
        trimmers = [k for k in reading.below(header) if reading.roles.role[k] == "TrimmerStud"]
        if len(trimmers) != 2 or len(reading.below(header)) != 2:
            continue
        left, right = sorted(trimmers, key=lambda k: float(reading.low[k, axis]))
        clear = float(reading.low[right, axis] - reading.high[left, axis])
        if clear > _OPENING + 2 * SLACK:
            found.append(Place(header, tuple(map(int, plies)), (clear, left, right)))
    return found


def _missing_header(reading: Reading, place: Place, severity: Severity) -> Flawed:
    plies = list(place.others)
    middle = reading.structure.center[plies].mean(axis=0)
    low, high = middle.copy(), middle.copy()
    low[2], high[2] = reading.low[plies, 2].min(), reading.high[plies, 2].max()
    structure = without(reading.structure, plies)
    name = reading.names[place.member]
    return told(
        structure, f"The header {name} is missing.", severity, at_line("opening_header", low, high)
    )


def _trimmers(reading: Reading) -> list[Place]:
    """Trimmers that alone hold one end of a header, with the header and its plies."""
    found = []
    for place in headers(reading):
        found += [
            Place(trimmer, place.others) for trimmer in map(int, place.figures[1:])
            if set(reading.above(trimmer).tolist()) <= set(place.others)
        ]  # fmt: skip
    return found


def _missing_trimmer(reading: Reading, place: Place, severity: Severity) -> Flawed:
    names = tuple(reading.names[k] for k in place.others)
    structure = without(reading.structure, [place.member])
    name = reading.names[place.member]
    return told(
        structure, f"The trimmer {name} under the end of {names[0]} is missing.", severity,
        at_member("opening_header", *names),
    )  # fmt: skip


def _kings(reading: Reading) -> list[Place]:
    """King studs that alone stand at the end of a header."""
    found = []
    for place in headers(reading):
        for sign in (-1, 1):
            ends = {int(k) for ply in place.others for k in reading.at_end(ply, sign)}
            kings = [k for k in ends if reading.roles.role[k] == "KingStud"]
            if len(kings) == 1 and ends == set(kings):
                found.append(Place(kings[0], place.others, (float(sign),)))
    return found


def _missing_king(reading: Reading, place: Place, severity: Severity) -> Flawed:
    plies, sign = list(place.others), place.figures[0]
    axis = reading.way(plies[0])
    spot = reading.structure.center[plies].mean(axis=0)
    spot[axis] = (reading.high if sign > 0 else reading.low)[plies[0], axis]
    low, high = spot.copy(), spot.copy()
    low[2], high[2] = reading.low[place.member, 2], reading.high[place.member, 2]
    structure = without(reading.structure, [place.member])
    name = reading.names[place.member]
    return told(
        structure, f"The king stud {name} beside a header is missing.", severity,
        at_line("opening_header", low, high),
    )  # fmt: skip


# Posts in walls, and whole parts -----------------------------------------------------------------

POSTS = ("Post", "BeamPost", "RidgePost")


def stacked(reading: Reading) -> list[tuple[int, int]]:
    """Posts under posts, with nothing but level members between: (upper, lower)."""
    posts: Ints = reading.of(*POSTS)
    posts = posts[reading.upright[posts]]
    found = []
    for upper in posts.tolist():
        plan = np.abs(reading.structure.center[posts, :2] - reading.structure.center[upper, :2])
        under = posts[(plan.max(axis=1) < SLACK) & (reading.high[posts, 2] < reading.low[upper, 2])]
        apart = reading.low[upper, 2] - reading.high[under, 2]
        near = under[apart < 0.5]
        if len(near) == 1 and not set(reading.below(upper).tolist()) & set(posts.tolist()):
            found.append((upper, int(near[0])))
    return found


def _wall_posts(reading: Reading) -> list[Place]:
    """Posts in a wall under another post, with studs that hold the plates on both sides."""
    found = []
    plates = ("BottomPlate", "TopPlate", "Plate")
    for upper, lower in stacked(reading):
        around = (*reading.below(lower), *reading.above(lower))
        if around and all(reading.roles.role[k] in plates for k in around):
            along = reading.along[around[0]]
            sides = reading.beside(lower, reading.of(*UPRIGHTS), 0.8, along)
            if sides is not None and sum(s.width for s in sides) < widest(reading) + SLACK:
                found.append(Place(lower, (upper,)))
    return found


def _missing_wall_post(reading: Reading, place: Place, severity: Severity) -> Flawed:
    upper = reading.names[place.others[0]]
    root = at_line("point_load", *reading.ends(place.member))
    structure = without(reading.structure, [place.member])
    return told(structure, f"The post in the wall under {upper} is missing.", severity, root)


def _roofs(reading: Reading) -> list[Place]:
    """The roof with its gable studs, where nothing else ends at it."""
    roof = [k for k, c in enumerate(reading.roles.category) if c == "roof"]
    slopes = [k for k in roof if reading.sloped[k]]
    ridges = set(reading.of("Ridge").tolist())
    gone = set(roof)
    for member in reading.of("Stud", "KingStud", "TrimmerStud", "Brace", *POSTS).tolist():
        near = set(reading.touching(member).tolist())
        if any(reading.high[member, 2] > reading.high[k, 2] for k in near & ridges):
            return []  # a wall that goes on above this roof
        ends = any(reading.ends_at(member, k) for k in near.intersection(slopes))
        if ends or not near.isdisjoint(ridges):
            if reading.roles.role[member] != "Stud":
                return []
            gone.add(member)
    return [Place(min(gone), tuple(sorted(gone)))] if roof else []


def _missing_roof(reading: Reading, place: Place, severity: Severity) -> Flawed:
    structure = without(reading.structure, place.others)
    low, high = structure.aabb
    middle = 0.5 * (low.min(axis=0) + high.max(axis=0))
    root = at_line("completeness", middle, middle)
    return told(structure, "The whole roof with its gables is missing.", severity, root)


DEFECTS = (
    Defect(
        "missing_stud", "Stud missing", "spacing",
        "R602.3: what is wrong is the bay, in the middle of which a stud belongs.",
        _studs, _missing_in_row,
    ),
    Defect(
        "missing_joist", "Joist missing", "spacing",
        "R502.3: what is wrong is the bay, in the middle of which a joist belongs.",
        lambda reading: _lone(reading, "Joist", ("Joist", "RimJoist")), _missing_in_row,
    ),
    Defect(
        "missing_rafter", "Rafter missing", "spacing",
        "R802.4: the bay is too wide; that the roof is open there and that the rafter opposite "
        "leans on nothing follows from it.",
        lambda reading: _lone(reading, "Rafter", ("Rafter",)), _missing_in_row,
    ),
    Defect(
        "missing_jack", "Jack rafter missing", "spacing",
        "R802.4: a jack is spaced like the commons.",
        _jacks, _missing_in_row,
    ),
    Defect(
        "missing_gable_rafters", "Last rafters of a gable missing", "roof_coverage",
        "R802.4: plates and ridge go on beyond the last rafters, on both sides of the roof.",
        _gables, _missing_gable,
    ),
    Defect(
        "missing_header", "Header missing", "opening_header",
        "R602.7: what stood on it follows from the opening without a header.",
        headers, _missing_header,
    ),
    Defect(
        "missing_trimmer", "Trimmer stud missing", "opening_header",
        "R602.7: the header lacks its bearing at one end; which of its plies is told is the same.",
        _trimmers, _missing_trimmer,
    ),
    Defect(
        "missing_king", "King stud missing", "opening_header",
        "R602.7.5: a full-height stud stands at each end of a header; its place is at that end.",
        _kings, _missing_king,
    ),
    Defect(
        "missing_wall_post", "Post missing in a wall under a post", "point_load",
        "R301.1: the load of the post above comes down between two studs.",
        _wall_posts, _missing_wall_post,
    ),
    Defect(
        "missing_roof", "Whole roof missing", "completeness",
        "Specification 1.4: a category that the task requires is missing as a whole.",
        _roofs, _missing_roof,
    ),
)  # fmt: skip
