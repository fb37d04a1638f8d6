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
    "point_load",
    "spacing",
    "load_path",
    "bearing",
    "notching",
    "clash",
    "dual_end_connection",
    "cantilever",
    "clear_span",
    "roof_coverage",
)


def link(found: Mapping[str, Sequence[Finding]]) -> dict[str, tuple[Finding, ...]]:
    """Findings by check with ``follows`` and the roots' ``related`` filled in.

    Consequences that a check named itself (``follows`` already set) are kept; if their root turns
    out to follow from another, they follow that one.
    """
    order = sorted(found, key=lambda c: CAUSAL_ORDER.index(c) if c in CAUSAL_ORDER else 99)
    roots: list[Finding] = []
    by_member: dict[str, list[int]] = {}
    places: list[int] = []
    moved: dict[str, str] = {}
    hangers: dict[str, list[str]] = {}
    for check in order:
        for finding in found[check]:
            if not finding.is_root:
                continue
            root = _cause(finding, roots, by_member, places)
            if root is None:
                index = len(roots)
                roots.append(finding)
                for name in _members(finding):
                    by_member.setdefault(name, []).append(index)
                if finding.subject_kind == "place":
                    places.append(index)
            else:
                moved[finding.key] = root.key
                hangers.setdefault(root.key, []).append(finding.subject)
    return {check: _apply(found[check], moved, hangers) for check in found}


def _apply(
    findings: Sequence[Finding], moved: Mapping[str, str], hangers: Mapping[str, list[str]]
) -> tuple[Finding, ...]:
    """Findings of one check with their final roots, roots first."""
    out: list[Finding] = []
    for finding in findings:
        if finding.is_root and finding.key in moved:
            finding = replace(finding, follows=moved[finding.key])
        elif finding.follows in moved:
            finding = replace(finding, follows=moved[finding.follows])
        elif finding.is_root and finding.key in hangers:
            more = [n for n in hangers[finding.key] if n != finding.subject]
            related = dict.fromkeys((*finding.related, *more))
            finding = replace(finding, related=tuple(related))
        out.append(finding)
    return tuple([f for f in out if f.is_root] + [f for f in out if not f.is_root])


def _members(finding: Finding) -> list[str]:
    own = [finding.subject] if finding.subject_kind == "member" else []
    return own + list(finding.related)


def _cause(
    finding: Finding,
    roots: Sequence[Finding],
    by_member: Mapping[str, list[int]],
    places: Sequence[int],
) -> Finding | None:
    """The earliest root of another check that this finding follows from."""
    candidates = sorted({i for name in _members(finding) for i in by_member.get(name, ())})
    is_place = finding.subject_kind == "place"
    if is_place:
        candidates = sorted({*candidates, *places})
    for index in candidates:
        root = roots[index]
        if root.check == finding.check:
            continue
        same = root.subject == finding.subject and root.subject_kind == finding.subject_kind
        both_places = is_place and root.subject_kind == "place"
        shares = not both_places or bool(set(_members(root)) & set(_members(finding)))
        reach = table.SAME_FAULT if shares else table.SAME_PLACE
        if same or _distance(finding, root) <= reach:
            return root
    return None


def _distance(a: Finding, b: Finding) -> float:
    """Closest distance between the places of two findings, m; infinite if one has none."""
    segments_a, segments_b = _segments(a), _segments(b)
    if len(segments_a) == 0 or len(segments_b) == 0:
        return float("inf")
    # Places are points or the line of a missing member: sampled lines are exact enough for a
    # threshold of half a bay.
    steps = np.linspace(0.0, 1.0, 9)[:, None, None]
    points_a = (segments_a[:, 0] + steps * (segments_a[:, 1] - segments_a[:, 0])).reshape(-1, 3)
    points_b = (segments_b[:, 0] + steps * (segments_b[:, 1] - segments_b[:, 0])).reshape(-1, 3)
    points_a, points_b = np.unique(points_a, axis=0), np.unique(points_b, axis=0)
    gaps = np.linalg.norm(points_a[:, None] - points_b[None], axis=2)
    return float(gaps.min())


def _segments(finding: Finding) -> Floats:
    """Places of a finding as segments (k, 2, 3), m; points are segments without length."""
    line = finding.detail.get("line")
    if line is not None:
        return np.asarray([line], dtype=np.float64)
    places = finding.detail.get("places")
    if places is None:
        places = [] if finding.location is None else [finding.location]
    points = np.asarray(places, dtype=np.float64).reshape(-1, 1, 3)
    return np.repeat(points, 2, axis=1)
