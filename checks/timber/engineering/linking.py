# SPDX-License-Identifier: GPL-3.0-or-later
"""Which finding is the fault, and which ones only follow from it.

One removed stud can leave a post without a path, a bay too wide and a plate unheld: that is one
fault. Findings are taken in causal order, what a member *is* before what happens to it; a later one
that names a member of an earlier root, near it, hangs under that root. Nothing hangs under a
consequence, so faults far apart never merge.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ...result import Finding
from ..structure import Floats
from . import table

#: Checks in causal order: wrong members, missing members, then what they lead to.
CAUSAL_ORDER = (
    "reading",
    "completeness",
    "section",
    "orientation",
    "opening_header",
    "spacing",
    "load_path",
    "point_load",
    "bearing",
    "notching",
    "clash",
    "dual_end_connection",
    "cantilever",
    "clear_span",
    "roof_coverage",
)


#: Clause of the root that misses a ridge at the tops of rafters.
NO_RIDGE = "IRC R802.3"

#: Checks whose subject is wrong as a whole, not at one place.
WRONG_MEMBERS = ("reading", "completeness", "section", "orientation", "load_path")

Lines = Mapping[str, Floats]

# No root is looked at that is farther from a finding than this, m.
_FARTHEST = max(table.SAME_FAULT, table.SAME_PLACE, table.AT_MEMBER)


def link(
    found: Mapping[str, Sequence[Finding]], lines: Lines | None = None
) -> dict[str, tuple[Finding, ...]]:
    """Findings by check with ``follows`` and the roots' ``related`` filled in.

    ``lines`` maps member names to their centre lines, (2, 3), m: a place that is missing something
    where a faulty member lies follows from that member.

    Consequences that a check named itself (``follows`` already set) are kept; if their root turns
    out to follow from another, they follow that one.
    """
    # By name within a check: the order of the members must not decide what follows from what.
    order = sorted(
        (f for findings in found.values() for f in findings if f.is_root),
        key=lambda f: (_rank(f), f.subject, f.related),
    )
    roots = _Roots(len(order), lines or {})
    moved: dict[int, str] = {}  # by identity: a member may clash with many, under one key
    hangers: dict[str, list[str]] = {}
    for finding in order:
        root = _cause(finding, roots)
        if root is None:
            roots.append(finding)
        else:
            moved[id(finding)] = root.key
            hangers.setdefault(root.key, []).append(finding.subject)
    standing = {root.key for root in roots.findings}
    gone = {
        finding.key: moved[id(finding)]
        for finding in order
        if id(finding) in moved and finding.key not in standing
    }
    return {check: _apply(found[check], moved, gone, hangers) for check in found}


def _rank(finding: Finding) -> float:
    """Where a finding comes in causal order; a member out of place comes before what it leaves."""
    if finding.check == "load_path" and finding.subject_kind == "member":
        return CAUSAL_ORDER.index("orientation") + 0.5
    known = finding.check in CAUSAL_ORDER
    return CAUSAL_ORDER.index(finding.check) if known else len(CAUSAL_ORDER)


def _apply(
    findings: Sequence[Finding],
    moved: Mapping[int, str],
    gone: Mapping[str, str],
    hangers: Mapping[str, list[str]],
) -> tuple[Finding, ...]:
    """Findings of one check with their final roots, roots first.

    ``moved`` maps findings to the roots they hang under, ``gone`` keys that no root has any more.
    """
    out: list[Finding] = []
    for finding in findings:
        if id(finding) in moved:
            finding = replace(finding, follows=moved[id(finding)])
        elif finding.follows is not None and finding.follows in gone:
            finding = replace(finding, follows=gone[finding.follows])
        elif finding.is_root and finding.key in hangers:
            more = [n for n in hangers[finding.key] if n != finding.subject]
            related = dict.fromkeys((*finding.related, *more))
            finding = replace(finding, related=tuple(related))
        out.append(finding)
    return tuple([f for f in out if f.is_root] + [f for f in out if not f.is_root])


def _members(finding: Finding) -> list[str]:
    own = [finding.subject] if finding.subject_kind == "member" else []
    return own + list(finding.related)


class _Roots:
    """The roots found so far, looked up by member, by name of a place, and by where they are."""

    def __init__(self, most: int, lines: Lines) -> None:
        self.findings: list[Finding] = []
        self.segments: list[Floats] = []
        self._lines = lines
        self._by_member: dict[str, list[int]] = {}
        self._by_place: dict[str, list[int]] = {}
        self._low = np.full((most, 3), np.inf)
        self._high = np.full((most, 3), -np.inf)

    def append(self, finding: Finding) -> None:
        index = len(self.findings)
        for name in _members(finding):
            self._by_member.setdefault(name, []).append(index)
        if finding.subject_kind == "place":
            self._by_place.setdefault(finding.subject, []).append(index)
        segments = _segments(finding, self._lines)
        if len(segments):
            self._low[index] = segments.min(axis=(0, 1))
            self._high[index] = segments.max(axis=(0, 1))
        self.findings.append(finding)
        self.segments.append(segments)

    def naming(self, finding: Finding) -> set[int]:
        """Roots that name a member of ``finding``."""
        return {i for name in _members(finding) for i in self._by_member.get(name, ())}

    def at_place(self, name: str) -> set[int]:
        """Roots whose subject is the place of this name."""
        return set(self._by_place.get(name, ()))

    def near(self, segments: Floats, reach: float) -> set[int]:
        """Roots whose bounds are within ``reach`` m of those of ``segments`` on every axis."""
        if not len(segments):
            return set()
        low, high = segments.min(axis=(0, 1)) - reach, segments.max(axis=(0, 1)) + reach
        used = slice(0, len(self.findings))
        meets = (self._low[used] <= high).all(axis=1) & (self._high[used] >= low).all(axis=1)
        return set(np.flatnonzero(meets).tolist())


def _cause(finding: Finding, roots: _Roots) -> Finding | None:
    """The earliest root of another check that this finding follows from."""
    named = roots.naming(finding)
    is_place = finding.subject_kind == "place"
    places = _segments(finding)
    # An end that sticks out has lost its support where something is missing below it.
    unheld = finding.check == "cantilever"
    # So has an end that is connected to nothing where something is missing.
    loose = finding.check == "dual_end_connection"
    # Rafters are drawn through the ridge that parts them: without it they run into each other.
    meeting = finding.check == "clash"
    candidates = named | roots.at_place(finding.subject) if is_place else set(named)
    if is_place or unheld or loose or meeting:
        candidates |= roots.near(places, _FARTHEST)
    for index in sorted(candidates):
        root = roots.findings[index]
        if root.check == finding.check:
            continue
        if root.subject == finding.subject and root.subject_kind == finding.subject_kind:
            return root
        if index in named:
            reach = table.SAME_FAULT
        elif meeting:
            if root.check != "load_path" or root.clause != NO_RIDGE:
                continue
            reach = table.SAME_FAULT
        elif root.subject_kind == "place":
            reach = table.SAME_FAULT if unheld else table.SAME_PLACE
        elif root.check in WRONG_MEMBERS and not (loose and not is_place):
            reach = table.AT_MEMBER
        else:
            continue
        if _distance(places, roots.segments[index]) <= reach:
            return root
    return None


def _distance(a: Floats, b: Floats) -> float:
    """Closest distance between two sets of segments (k, 2, 3), m; infinite if one is empty.

    From nine points of each segment of one set to the segments of the other, both ways: exact
    where an end or a point is closest, and finer than any threshold of use elsewhere.
    """
    if len(a) == 0 or len(b) == 0:
        return float("inf")
    return min(_from_points(a, b), _from_points(b, a))


def _from_points(a: Floats, b: Floats) -> float:
    steps = (
        np.linspace(0.0, 1.0, 9)[:, None, None]
        if (a[:, 0] != a[:, 1]).any()
        else np.zeros((1, 1, 1))
    )
    points = (a[:, 0] + steps * (a[:, 1] - a[:, 0])).reshape(-1, 1, 3)
    along = (b[:, 1] - b[:, 0])[None]
    square = np.maximum((along**2).sum(axis=2), 1e-12)
    share = np.clip(((points - b[:, 0]) * along).sum(axis=2) / square, 0.0, 1.0)
    return float(np.linalg.norm(points - b[:, 0] - share[:, :, None] * along, axis=2).min())


def _segments(finding: Finding, lines: Lines | None = None) -> Floats:
    """Places of a finding as segments (k, 2, 3), m; points are segments without length."""
    if "lines" in finding.detail:
        return np.asarray(finding.detail["lines"], dtype=np.float64).reshape(-1, 2, 3)
    line = finding.detail.get("line")
    if lines and finding.subject_kind == "member" and finding.check in WRONG_MEMBERS:
        line = lines.get(finding.subject, line)
    if line is not None:
        return np.asarray([line], dtype=np.float64)
    places = finding.detail.get("places")
    if places is None:
        places = [] if finding.location is None else [finding.location]
    points = np.asarray(places, dtype=np.float64).reshape(-1, 1, 3)
    return np.repeat(points, 2, axis=1)
