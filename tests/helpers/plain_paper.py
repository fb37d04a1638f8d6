# SPDX-License-Identifier: GPL-3.0-or-later
"""The paper's ten tests once more, in plain Python loops over all pairs.

Written from the table of the specification without a look at the arrays of the product: it says
which members (or rows) fail, and benchmarks run it beside the product on the same houses.
"""

from __future__ import annotations

import math
from collections import defaultdict

from plumbline.checks.timber import spans
from plumbline.checks.timber.brief import TimberBrief
from plumbline.checks.timber.roles import role_by_prefix

EPS, SLACK = 0.05, 1e-5
RAFTERS = ("Rafter", "JackRafter")
LINES = (*RAFTERS, "HipRafter", "ValleyRafter")
STUDS = ("Stud", "KingStud", "TrimmerStud", "Cripple")
FOUNDATION = ("Sill", "Foundation", "Footing", "Pier")


class Member:
    """One member as plain numbers."""

    def __init__(self, name, center, axes, half):
        self.name, self.center, self.axes, self.half = name, center, axes, half
        self.role = role_by_prefix(name)
        reach = [sum(abs(axes[k][a]) * half[k] for k in range(3)) for a in range(3)]
        self.lo = [center[a] - reach[a] for a in range(3)]
        self.hi = [center[a] + reach[a] for a in range(3)]
        self.length, self.depth, self.width = (2 * h for h in half)


def members_of(structure):
    """Members of a structure, as plain numbers."""
    rows = zip(
        structure.names,
        structure.center.tolist(),
        structure.axes.tolist(),
        structure.half.tolist(),
        strict=True,
    )
    return [Member(*row) for row in rows]


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def adjacent(a, b):
    return all(
        a.lo[k] - b.hi[k] <= EPS + SLACK and b.lo[k] - a.hi[k] <= EPS + SLACK for k in range(3)
    )


def judge(structure, brief=None):
    """``{test: None if vacuous else set of names that fail}``; share tests give ``{share}``."""
    brief = brief or TimberBrief()
    members = members_of(structure)
    near = defaultdict(list)
    for i, a in enumerate(members):
        for j in range(i + 1, len(members)):
            if adjacent(a, members[j]):
                near[i].append(j)
                near[j].append(i)
    held = connected(members, near, brief)
    floats = {m.name for k, m in enumerate(members) if k not in held}
    share = covered(members)
    return {
        "load_path": floats if members else None,
        "span_limits": over_spans(members, near, brief),
        "oc_spacing": spacing_faults(members),
        "lumber_dimensions": odd_sections(members),
        "deflection": saggers(members),
        "roof_coverage": None if share is None else ({share} if share < 0.7 else set()),
        "gap_detection": None if share is None else ({share} if 1 - share > 0.2 + 1e-9 else set()),
        "cantilever": weak_sills(members, brief),
        "stability_index": ({"the frame"} if floats else set()) if members else None,
        "dual_end": loose_ends(members, near),
    }


def connected(members, near, brief):
    """sigma: members reached from those on the ground."""
    todo = [k for k, m in enumerate(members) if m.lo[2] < brief.ground + 0.1]
    held = set(todo)
    while todo:
        for j in near[todo.pop()]:
            if j not in held:
                held.add(j)
                todo.append(j)
    return held


def next_beside(members):
    """For each of parallel members: (next one's number, distance), or ``None``."""
    result = []
    for a in members:
        u = a.axes[0]
        size = math.hypot(u[0], u[1])
        h = (-u[1] / size, u[0] / size, 0.0) if size > 1e-6 else a.axes[2]
        if max(h, key=abs) < 0:
            h = tuple(-c for c in h)
        n = (u[1] * h[2] - u[2] * h[1], u[2] * h[0] - u[0] * h[2], u[0] * h[1] - u[1] * h[0])
        best = None
        for j, b in enumerate(members):
            if b is a or abs(dot(u, b.axes[0])) < 1 - 0.03**2 / 2:
                continue
            d = [b.center[k] - a.center[k] for k in range(3)]
            if abs(dot(n, d)) > 0.1:
                continue
            gap, along = dot(h, d), abs(dot(u, d))
            common = min(a.half[0], along + b.half[0]) - max(-a.half[0], along - b.half[0])
            if gap > 0.06 and common >= 0.5 * min(a.length, b.length):
                best = min(best, (gap, j)) if best else (gap, j)
        result.append((best[1], best[0]) if best else None)
    return result


def rows(members):
    """Lists of member numbers that stand in one row, with the row's median spacing."""
    after = next_beside(members)
    row = list(range(len(members)))

    def find(k):
        while row[k] != k:
            row[k] = row[row[k]]
            k = row[k]
        return k

    for k, found in enumerate(after):
        if found:
            a, b = find(k), find(found[0])
            row[max(a, b)] = min(a, b)
    groups = defaultdict(list)
    for k in range(len(members)):
        groups[find(k)].append(k)
    for group in groups.values():
        gaps = sorted(after[k][1] for k in group if after[k])
        middle = len(gaps) // 2
        median = None
        if gaps:
            median = gaps[middle] if len(gaps) % 2 else (gaps[middle - 1] + gaps[middle]) / 2
        yield group, median


def over_spans(members, near, brief):
    bad, some = set(), False
    for kind, roles in (("joist", ("Joist",)), ("rafter", RAFTERS)):
        number = [k for k, m in enumerate(members) if m.role in roles]
        chosen = [members[k] for k in number]
        some = some or bool(chosen)
        limits = {}
        for group, median in rows(chosen):
            for k in group:
                m = chosen[k]
                length = m.length
                if kind == "rafter" and any(
                    members[j].role == "Purlin" and crosses_under(members[j], m)
                    for j in near[number[k]]
                ):
                    length /= 2
                key = (m.width, m.depth, median)
                if key not in limits:
                    limits[key] = allowed(kind, m, median or 0.406, brief)
                if length > 1.03 * limits[key] + SLACK:
                    bad.add(m.name)
    return bad if some else None


def allowed(kind, m, spacing, brief):
    live, dead = (
        (brief.floor_live, brief.floor_dead)
        if kind == "joist"
        else (brief.roof_live, brief.roof_dead)
    )
    return float(
        spans.allowable_span(
            kind,
            m.width,
            m.depth,
            spacing,
            species=brief.species,
            grade=brief.grade,
            live=live,
            dead=dead,
        ).length
    )


def half_height(m):
    return min(m.half[k] / max(abs(m.axes[k][2]), 1e-12) for k in range(3))


def crosses_under(purlin, rafter):
    u, v = rafter.axes[0], purlin.axes[0]
    cross = u[0] * v[1] - u[1] * v[0]
    if abs(cross) <= 0.5 * math.hypot(u[0], u[1]) * math.hypot(v[0], v[1]):
        return False
    dx, dy = (purlin.center[k] - rafter.center[k] for k in (0, 1))
    t, r = (dx * v[1] - dy * v[0]) / cross, (dx * u[1] - dy * u[0]) / cross
    if abs(t) > rafter.half[0] + EPS + SLACK or abs(r) > purlin.half[0] + EPS + SLACK:
        return False
    z, at = rafter.center[2] + t * u[2], purlin.center[2] + r * v[2]
    return at < z and z - half_height(rafter) - (at + half_height(purlin)) <= EPS + SLACK


def spacing_faults(members):
    joists = [m for m in members if m.role == "Joist"]
    bad, some = set(), False
    for group, median in rows(joists):
        if len(group) >= 3:
            some = True
            if min(abs(median - 0.406), abs(median - 0.610)) > 0.05 + SLACK:
                bad.add(joists[group[0]].name)
    return bad if some else None


def odd_sections(members):
    lumber = [m for m in members if m.role not in ("Foundation", "Footing", "Pier")]
    bad = {
        m.name
        for m in lumber
        if min(abs(m.width - w) for w in (0.038, 0.089, 0.14)) > 0.01 + SLACK
        or min(abs(m.depth - d) for d in (0.089, 0.14, 0.184, 0.235, 0.286)) > 0.02 + SLACK
    }
    return bad if lumber else None


def saggers(members):
    joists = [m for m in members if m.role == "Joist"]
    bad = set()
    for m in joists:
        inertia = m.width * m.depth**3 / 12
        longest = (1.08 * 384 * 12e9 * inertia / (5 * 1900 * 360)) ** (1 / 3)
        if m.length > longest + SLACK:
            bad.add(m.name)
    return bad if joists else None


def covered(members):
    """Share of the footprint's cells that rafters meet, or ``None`` without rafters."""
    rafters = [m for m in members if m.role in LINES]
    if not rafters:
        return None
    base = [m for m in members if m.role in FOUNDATION or on_ground_post(m)] or members
    low = [min(m.lo[k] for m in base) for k in (0, 1)]
    high = [max(m.hi[k] for m in base) for k in (0, 1)]
    nx, ny = (max(1, math.ceil(high[k] - low[k] - SLACK)) for k in (0, 1))
    met = set()
    for m in rafters:
        plan = widened(m, 0.3)
        xs, ys = [p[0] - low[0] for p in plan], [p[1] - low[1] for p in plan]
        for i in range(max(0, math.floor(min(xs))), min(nx, math.ceil(max(xs)))):
            for j in range(max(0, math.floor(min(ys))), min(ny, math.ceil(max(ys)))):
                if (i, j) not in met and meets(list(zip(xs, ys, strict=True)), i, j):
                    met.add((i, j))
    return len(met) / (nx * ny)


def on_ground_post(m):
    return m.role in ("Post", "BeamPost") and m.lo[2] < 0.1


def widened(m, by):
    u = m.axes[0]
    size = math.hypot(u[0], u[1])
    d = (u[0] / size, u[1] / size) if size > 1e-9 else (1.0, 0.0)
    h = (-d[1], d[0])
    reach = [
        sum(abs(m.axes[k][0] * e[0] + m.axes[k][1] * e[1]) * m.half[k] for k in range(3)) + by
        for e in (d, h)
    ]
    return [
        tuple(m.center[k] + a * reach[0] * d[k] + b * reach[1] * h[k] for k in (0, 1))
        for a, b in ((1, 1), (1, -1), (-1, -1), (-1, 1))
    ]


def meets(plan, i, j):
    """Whether a convex polygon and the unit cell (i, j) overlap: no separating direction."""
    cell = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)]
    normals = [(1, 0), (0, 1)]
    for k in range(4):
        (x0, y0), (x1, y1) = plan[k], plan[(k + 1) % 4]
        normals.append((y1 - y0, x0 - x1))
    for nx, ny in normals:
        size = math.hypot(nx, ny)
        if size < 1e-12:
            continue
        mine = [(x * nx + y * ny) / size for x, y in plan]
        its = [(x * nx + y * ny) / size for x, y in cell]
        if max(mine) <= min(its) + 1e-9 or max(its) <= min(mine) + 1e-9:
            return False
    return True


def weak_sills(members, brief):
    sills = [m for m in members if m.role == "Sill" and m.lo[2] > brief.ground + 1.0 + SLACK]
    bad = set()
    for m in sills:
        extents = []
        for b in members:
            apart = [max(b.lo[k] - m.hi[k], m.lo[k] - b.hi[k], 0.0) for k in (0, 1)]
            if (
                b is not m
                and b.lo[2] < m.lo[2] - EPS - SLACK
                and b.hi[2] >= m.lo[2] - EPS - SLACK
                and math.hypot(*apart) <= 1.5 + SLACK
            ):
                middle = dot(m.axes[0], [b.center[k] - m.center[k] for k in range(3)])
                reach = sum(abs(dot(b.axes[k], m.axes[0])) * b.half[k] for k in range(3))
                extents.append((middle - reach, middle + reach))
        extents.sort()
        widest, end = 0.0, None
        for start, stop in extents:
            if end is not None:
                widest = max(widest, start - end)
            end = stop if end is None else max(end, stop)
        if len(extents) < 2 or widest > 3.0 + SLACK:
            bad.add(m.name)
    return bad if sills else None


def loose_ends(members, near):
    bad, some = set(), False
    for k, m in enumerate(members):
        if m.role not in (*STUDS, *LINES):
            continue
        some = True
        zone = 0.2 * (m.hi[2] - m.lo[2]) + EPS + SLACK
        low = any(members[j].lo[2] <= m.lo[2] + zone for j in near[k])
        high = any(members[j].hi[2] >= m.hi[2] - zone for j in near[k])
        if not (low and high):
            bad.add(m.name)
    return bad if some else None
