# SPDX-License-Identifier: GPL-3.0-or-later
"""What lies on what, as the released server asks: posts and beams in line, overhanging joists."""

from __future__ import annotations

import itertools

import numpy as np

from ...result import CheckResult, Finding
from ..broadphase import CrowdedError, Floats, Ints, aabb_pairs_between
from .scene import Scene, metre, mm, not_run, outcome
from .table import JOISTS

#: Posts whose feet must line up with something.
POSTS = ("Post", "BeamPost", "CornerPost", "RidgePost", "KingPost")


def point_load(scene: Scene) -> CheckResult:
    """Feet of posts and ends of beams are within 150 mm, in plan, of a support below them."""
    check, constants = "point_load", scene.constants
    s = scene.structure
    high = ~scene.grounded
    post = np.flatnonzero(scene.roles.mask(*POSTS) & high)
    beam = np.flatnonzero(scene.roles.mask("Beam") & high)
    reach = s.axes[beam, 0] * s.half[beam, :1]
    member = np.concatenate([post, beam, beam])
    point = np.concatenate([s.center[post], s.center[beam] - reach, s.center[beam] + reach])
    point[:, 2] = scene.lo[member, 2]
    try:
        offset, support = _offsets(scene, member, point)
    except CrowdedError as error:
        return not_run(scene, check, str(error))
    findings = []
    for k in np.flatnonzero(offset > constants.in_line + constants.slack):
        part = "foot" if k < len(post) else "end"
        findings.append(_astray(scene, int(member[k]), point[k], part, offset[k], int(support[k])))
    return outcome(
        scene,
        check,
        findings,
        subjects=len(member),
        nothing="no post and no beam is off the ground",
        required=False,
        score=1.0 - len(findings) / len(member) if len(member) else None,
        figures={"posts": len(post), "beams": len(beam)},
    )


def _offsets(scene: Scene, member: Ints, point: Floats) -> tuple[Floats, Ints]:
    """Plan distance from each point to the nearest member that reaches it from below, and which.

    Infinite and -1 where there is none within the lateral reach of supports.
    """
    constants = scene.constants
    vertical = constants.reach + constants.slack
    wide = np.array([constants.support_reach, constants.support_reach, vertical])
    k, other = aabb_pairs_between(point - wide, point + wide, scene.lo, scene.hi)
    level = point[k, 2]
    below = scene.lo[other, 2] < level - constants.slack
    keep = below & (scene.hi[other, 2] >= level - vertical) & (other != member[k])
    k, other = k[keep], other[keep]
    apart = np.maximum(scene.lo[other, :2] - point[k, :2], point[k, :2] - scene.hi[other, :2])
    distance = np.hypot(*np.maximum(apart, 0.0).T)
    order = np.lexsort((other, distance, k))
    k, other, distance = k[order], other[order], distance[order]
    first = np.flatnonzero(np.diff(k, prepend=-1))
    offset = np.full(len(member), np.inf)
    support = np.full(len(member), -1, dtype=np.intp)
    offset[k[first]], support[k[first]] = distance[first], other[first]
    return offset, support


def _astray(
    scene: Scene, member: int, point: Floats, part: str, offset: float, support: int
) -> Finding:
    """A post or beam whose load comes down beside its support, or on none."""
    name, limit = scene.structure.names[member], scene.constants.in_line
    x, y, z = (float(v) for v in point)
    known = support >= 0
    if known:
        below = scene.structure.names[support]
        said = (
            f"The {part} of {name} is {mm(offset)} beside {below}, {mm(limit)} are allowed: move "
            "it over its support"
        )
    else:
        said = f"Nothing is under the {part} of {name}: put a post or a wall there"
    return Finding(
        "point_load",
        name,
        said + ".",
        related=(scene.structure.names[support],) if known else (),
        measured=float(offset) if known else None,
        limit=limit,
        unit="m",
        margin=limit - float(offset) if known else None,
        location=(x, y, z),
        clause=scene.clause("point_load"),
    )


def cantilever(scene: Scene) -> CheckResult:
    """Joists overhang their last support by at most a quarter of the backspan and 24 in."""
    check, constants = "cantilever", scene.constants
    if scene.crowded:
        return not_run(scene, check, scene.crowded)
    joist, low, high = _bearings(scene)
    findings: list[Finding] = []
    subjects = 0
    heads = np.flatnonzero(np.diff(joist, prepend=-1))
    for start, stop in itertools.pairwise(np.append(heads, len(joist))):
        k = int(joist[start])
        places = _merged(low[start:stop], high[start:stop])
        if len(places) < 2:
            continue
        subjects += 1
        half = scene.structure.half[k, 0]
        tails = (
            (-1.0, places[0][0] + half, places[1][0] - places[0][1]),
            (1.0, half - places[-1][1], places[-1][0] - places[-2][1]),
        )
        for side, over, back in tails:
            limit = min(constants.backspan_share * back, constants.overhang)
            if over > limit + constants.slack:
                findings.append(_overhang(scene, k, side, float(over), float(back), float(limit)))
    return outcome(
        scene,
        check,
        findings,
        subjects=subjects,
        nothing="no joist lies on two supports",
        required=False,
        score=1.0 - len(findings) / subjects if subjects else None,
        figures={"joists": subjects},
    )


def _bearings(scene: Scene) -> tuple[Ints, Floats, Floats]:
    """Members that joists lie on, as extents along the joist from its centre, sorted by joist."""
    constants, s = scene.constants, scene.structure
    i, j = scene.both_ways
    reach = constants.reach + constants.slack
    under = scene.lo[i, 2]
    lies = scene.roles.mask(*JOISTS)[i] & (scene.lo[j, 2] < under - constants.slack)
    lies &= np.abs(scene.hi[j, 2] - under) <= reach
    i, j = i[lies], j[lies]
    axis = s.axes[i, 0]
    middle = np.einsum("ij,ij->i", s.center[j] - s.center[i], axis)
    spread = (np.abs(np.einsum("ikj,ij->ik", s.axes[j], axis)) * s.half[j]).sum(axis=1)
    low = np.maximum(middle - spread, -s.half[i, 0])
    high = np.minimum(middle + spread, s.half[i, 0])
    order = np.lexsort((low, i))
    return i[order], low[order], high[order]


def _merged(low: Floats, high: Floats) -> list[tuple[float, float]]:
    """Intervals, sorted by their start, with those that overlap made one."""
    places: list[tuple[float, float]] = []
    for start, end in zip(low, high, strict=True):
        if places and start <= places[-1][1]:
            places[-1] = (places[-1][0], max(places[-1][1], end))
        else:
            places.append((start, end))
    return places


def _overhang(scene: Scene, k: int, side: float, over: float, back: float, limit: float) -> Finding:
    s = scene.structure
    x, y, z = s.center[k] + side * s.half[k, 0] * s.axes[k, 0]
    return Finding(
        "cantilever",
        s.names[k],
        f"{s.names[k]} overhangs by {metre(over)} with {metre(back)} behind it, {metre(limit)} are "
        "allowed: shorten it or support its end.",
        measured=over,
        limit=limit,
        unit="m",
        margin=limit - over,
        location=(float(x), float(y), float(z)),
        clause=scene.clause("cantilever"),
    )
