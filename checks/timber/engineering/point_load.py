# SPDX-License-Identifier: GPL-3.0-or-later
"""Do posts stand on posts, down to the foundation?"""

from __future__ import annotations

from collections import deque
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...result import Finding
from ..structure import Floats
from . import table
from .fixed_point import on_ground
from .joints import Joints
from .near_misses import top_below
from .outcome import Outcome, metres, point, points

Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]

_CHECK = "point_load"
_POSTS = ("Post", "BeamPost", "RidgePost", "KingPost", "CornerPost")


def point_load(joints: Joints) -> Outcome:
    """Posts are continuous in plan within 25 mm, upright under upright, to the foundation.

    Below each post the way is followed down through whatever touches: level members (plates, rims,
    joists, beams, blocking) pass the load on straight down where they lie under the post's centre
    line; an upright does if its own centre line is within 25 mm of it, or if the post stands on it
    with its whole section; foundation members on the ground end the way. A beam that spans past the
    place with nothing below breaks it, also where posts carry the beam on both sides: that beam
    bends under the post. King posts on a tie beam are parts of a truss and are left out.
    """
    frame = joints.frame
    below = _Below(joints)
    posts = np.flatnonzero(frame.mask(*_POSTS) & frame.upright)
    king = frame.mask("KingPost")
    judged = [int(p) for p in posts if not (king[p] and below.on_level(int(p)))]
    findings: dict[int, Finding] = {}
    # From the ground up, so that what stands on a post that fails follows from that.
    for post in sorted(judged, key=lambda p: float(frame.structure.aabb[0][p, 2])):
        found = below.follow(post)
        if found is not None:
            last, nearest, offset, through = found
            root = next((findings[p] for p in through if p in findings), None)
            finding = _finding(joints, post, last, nearest, offset)
            if root is not None:
                finding = replace(finding, follows=root.follows or root.key)
            findings[post] = finding
    return Outcome(len(judged), tuple(findings.values()), {"posts": len(judged)}, "no posts")


class _Below:
    """What touches the underside of what, and what of it lies under a point."""

    def __init__(self, joints: Joints) -> None:
        frame, pairs = joints.frame, joints.pairs
        self.frame = frame
        self.ground = on_ground(joints)
        self.low = frame.structure.aabb[0][:, 2]
        rise = pairs.normal[:, 2]
        on_top = pairs.patch & (np.abs(rise) >= table.TOP_FACE)
        upper = np.where(rise > 0, pairs.j, pairs.i)[on_top]
        lower = np.where(rise > 0, pairs.i, pairs.j)[on_top]
        order = np.argsort(upper, kind="stable")
        self.upper, self.lower = upper[order], lower[order]
        self.broad = frame.mask("Footing", "Foundation", "Pier", "Sill")
        self.accessory = ~frame.judged

    def under(self, member: int) -> list[int]:
        """Members that ``member`` stands on."""
        start, stop = np.searchsorted(self.upper, [member, member + 1])
        return [m for m in self.lower[start:stop].tolist() if not self.accessory[m]]

    def on_level(self, member: int) -> bool:
        """Whether a member stands on level members only."""
        under = self.under(member)
        return bool(under) and all(self.frame.level[m] for m in under)

    def follow(self, post: int) -> tuple[int, int, float, list[int]] | None:
        """None if the way reaches the ground; else where it broke.

        That is the last member that was under the post, the upright nearest below it (-1 if there
        is none), the distance of its centre line in plan, m, and the uprights on the way.
        """
        if self.ground[post]:
            return None
        queue: deque[tuple[int, int]] = deque([(post, post)])
        seen = {(post, post)}
        missed: dict[int, tuple[float, int]] = {}
        while queue:
            member, upright = queue.popleft()
            for lower in self.under(member):
                if not self._passes(upright, lower):
                    if self.frame.upright[lower] and not self.broad[lower]:
                        offset = (self._offset(upright, lower), lower)
                        missed[member] = min(missed.get(member, offset), offset)
                    continue
                if self.ground[lower]:
                    return None
                step = (lower, lower if self.frame.upright[lower] else upright)
                if step not in seen:
                    seen.add(step)
                    queue.append(step)
        last = min((m for m, _ in seen), key=lambda m: float(self.low[m]))
        least, nearest = missed.get(last, (float("inf"), -1))
        through = [m for m, _ in seen if m != post and self.frame.upright[m]]
        return last, nearest, least, through

    def _passes(self, upright: int, lower: int) -> bool:
        """Whether a member below takes on the load of the upright that is being followed."""
        if self.frame.upright[lower] and not self.broad[lower]:
            near = self._offset(upright, lower) <= table.POINT_LOAD_OFFSET + table.SLACK
            return near or self._contained(upright, lower)
        return self._contains(upright, lower)

    def _offset(self, upright: int, other: int) -> float:
        apart = self.frame.center[other, :2] - self.frame.center[upright, :2]
        return float(np.hypot(apart[0], apart[1]))

    def _contains(self, upright: int, other: int) -> bool:
        """Whether the centre line of an upright meets the plan of another member, or nearly."""
        return self._outside(self.frame.center[[upright], :2], other) <= table.POINT_LOAD_OFFSET

    def _contained(self, upright: int, other: int) -> bool:
        """Whether an upright stands on another with its whole section."""
        corners = self.frame.structure.corners[upright, :, :2]
        return self._outside(corners, other) <= table.SLACK

    def _outside(self, points: Floats, other: int) -> float:
        """How far the farthest of ``points`` (k, 2) lies outside the plan of a member, m."""
        frame = self.frame
        offset = points - frame.center[other, :2]
        worst = 0.0
        for axis in range(3):
            plan = frame.axes[other, axis, :2]
            if np.hypot(plan[0], plan[1]) > table.TOP_FACE:
                along = np.abs(offset @ plan) - frame.half[other, axis]
                worst = max(worst, float(along.max()))
        return worst


def _finding(joints: Joints, post: int, last: int, nearest: int, offset: float) -> Finding:
    """The post that is out of line, or the place where there should be one."""
    frame = joints.frame
    name, under = frame.names[post], frame.names[last]
    spot = frame.end(np.array([post]), np.array([-1.0]))[0]
    # Only another post can be out of line; a stud of the wall beside is not meant to be under it.
    post_near = nearest >= 0 and bool(frame.mask(*_POSTS)[nearest])
    aside = post_near and offset <= table.BLOCK_LENGTH
    known = nearest >= 0
    missing = last != post and not aside
    if aside:
        text = (
            f"{name} stands {metres(offset)} off {frame.names[nearest]} below it; "
            f"move one of them so that their centre lines are within 25 mm."
        )
    elif missing:
        spot = np.array([spot[0], spot[1], frame.structure.aabb[0][last, 2]])
        text = f"No post or foundation under {under} carries {name} on; put one below it there."
    else:
        text = f"{name} stands on nothing; put an upright or a footing under it."
    gap = [spot, spot]
    if aside:
        line = frame.center[nearest]
        gap = [spot, np.array([line[0], line[1], spot[2]])]
    elif missing:
        gap = [spot, np.array([spot[0], spot[1], top_below(joints, spot)])]
    members = (post, last, nearest) if missing else (last, nearest)
    related = dict.fromkeys(frame.names[m] for m in members if m >= 0 and (missing or m != post))
    return Finding(
        _CHECK,
        f"place below {name}" if missing else name,
        text,
        subject_kind="place" if missing else "member",
        related=tuple(related),
        measured=offset if known else None,
        limit=table.POINT_LOAD_OFFSET,
        unit="m",
        margin=table.POINT_LOAD_OFFSET - offset if known else None,
        location=point(spot),
        clause="IRC R301.1",
        detail={} if gap[0] is gap[1] else {"from": points(gap)[0], "to": points(gap)[1]},
    )
