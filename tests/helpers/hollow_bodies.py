# SPDX-License-Identifier: GPL-3.0-or-later
"""Solids that aren't convex, and open ones, as triangle meshes of known shape. Lengths in m."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from falling_bodies import box
from plumbline.checks.reconstruction import Body


def lathe(profile: Any, segments: int) -> tuple[Any, Any]:
    """The surface that a line of (radius, height) makes round z; ends on the axis are closed."""
    around = np.linspace(0, 2 * np.pi, segments, endpoint=False)
    points, rings = [], []
    for radius, height in profile:
        if radius < 1e-9:
            rings.append([len(points)] * segments)
            points.append((0.0, 0.0, height))
        else:
            rings.append(list(range(len(points), len(points) + segments)))
            points += [(radius * np.cos(a), radius * np.sin(a), height) for a in around]
    triangles = []
    for low, high in pairwise(rings):
        for k in range(segments):
            n = (k + 1) % segments
            triangles += [(low[k], low[n], high[n]), (low[k], high[n], high[k])]
    whole = np.array([t for t in triangles if len(set(t)) == 3])
    return np.array(points), whole


def bowl(
    radius: float = 1.0, thickness: float = 0.1, segments: int = 64, name: str = "bowl", **v: Any
) -> Body:
    """Half a hollow ball, open to above; without thickness a surface that isn't closed."""
    down = np.linspace(0, np.pi / 2, segments // 2)
    inner = [(radius * np.sin(a), -radius * np.cos(a)) for a in down]
    outer = [(r * (1 + thickness / radius), z * (1 + thickness / radius)) for r, z in inner]
    profile = inner if not thickness else [*outer, *inner[::-1]]
    points, triangles = lathe(profile, segments)
    given = {"part": "passive", "convex": False, "closed": thickness > 0, **v}
    return Body(name, vertices=points, triangles=triangles, **given)


def joined(name: str, *parts: tuple[Any, Any], **values: Any) -> Body:
    """Boxes of given size and centre as one mesh of so many closed shells."""
    points, triangles, count = [], [], 0
    for size, centre in parts:
        made = box("part", size)
        points.append(made.vertices + np.asarray(centre, float))
        triangles.append(made.triangles + count)
        count += len(made.vertices)
    given = {"convex": False, "closed": True, **values}
    return Body(name, vertices=np.concatenate(points), triangles=np.concatenate(triangles), **given)


def table() -> Body:
    """A top of 2 x 1 m, 50 mm thick, whose upper side is at 1.025, on legs that reach into it."""
    legs = [((0.08, 0.08, 1.0), (x, y, 0.49)) for x in (-0.9, 0.9) for y in (-0.4, 0.4)]
    return joined("table", ((2, 1, 0.05), (0, 0, 1)), *legs, part="passive")
