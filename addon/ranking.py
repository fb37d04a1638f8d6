# SPDX-License-Identifier: GPL-3.0-or-later
"""Order of findings for people: worst root first, its consequences under it.

Works on findings and on the plain findings of a stored record alike, so that the terminal, the
report and the panel list the same thing in the same order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..checks.result import Finding


@dataclass(frozen=True, slots=True)
class Group:
    """A root finding and all findings that follow from it, directly or through others."""

    root: Mapping[str, Any]
    followers: tuple[Mapping[str, Any], ...] = field(default=())


def plain_finding(finding: Finding) -> dict[str, Any]:
    """The finding as a mapping, as it stands in a record, with its check's id added."""
    return {
        "check": finding.check,
        "subject": finding.subject,
        "subject_kind": finding.subject_kind,
        "related": list(finding.related),
        "measured": finding.measured,
        "limit": finding.limit,
        "unit": finding.unit,
        "margin": finding.margin,
        "location": None if finding.location is None else list(finding.location),
        "frame": finding.frame,
        "clause": finding.clause,
        "follows": finding.follows,
        "detail": dict(finding.detail),
        "message": finding.message,
    }


def findings_of(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """All findings of a stored record in its own order, each with its ``check``."""
    return [
        {**finding, "check": check["id"]}
        for check in record["checks"]
        for finding in check["findings"]
    ]


def grouped(findings: Iterable[Mapping[str, Any]]) -> list[Group]:
    """Findings as groups, worst first; every finding is in exactly one group.

    A group is worse the more findings follow from its root, then the further its figure is beyond
    its limit (faults that are no quantity, something missing for instance, count as the furthest);
    equals keep their order, which is that of the checks along the load path. A finding whose root
    is not in the list (or that follows from itself in a circle) is shown as a root of its own.
    """
    listed = list(findings)
    by_key: dict[str, int] = {}
    for index, finding in enumerate(listed):
        by_key.setdefault(_key(finding), index)
    members: dict[int, list[Mapping[str, Any]]] = {}
    for index, finding in enumerate(listed):
        root = _root(index, listed, by_key)
        members.setdefault(root, [])
        if root != index:
            members[root].append(finding)
    groups = [Group(listed[root], tuple(members[root])) for root in sorted(members)]
    return sorted(groups, key=_severity)


def worst_first(findings: Sequence[Finding]) -> list[Finding]:
    """The findings in the order in which they are listed: each root, then what follows from it."""
    plain = [{**plain_finding(finding), "index": i} for i, finding in enumerate(findings)]
    listed = [f for group in grouped(plain) for f in (group.root, *group.followers)]
    return [findings[f["index"]] for f in listed]


def count_roots(findings: Iterable[Mapping[str, Any]]) -> int:
    """Number of faults of their own: what lists and scorecards count."""
    return len(grouped(findings))


def _key(finding: Mapping[str, Any]) -> str:
    return f"{finding['check']}:{finding['subject']}"


def _root(index: int, listed: list[Mapping[str, Any]], by_key: Mapping[str, int]) -> int:
    seen = {index}
    current = index
    while (parent := listed[current].get("follows")) is not None:
        following = by_key.get(parent)
        if following is None:
            return current
        if following in seen:
            return min(seen)  # a circle: its first finding stands for it
        seen.add(following)
        current = following
    return current


def _severity(group: Group) -> tuple[int, float]:
    return (-len(group.followers), relative_margin(group.root))


def relative_margin(finding: Mapping[str, Any]) -> float:
    """Margin as a share of the limit: negative is a fault, ``-inf`` where it is no quantity."""
    margin, limit = finding.get("margin"), finding.get("limit")
    if margin is None:
        return float("-inf")
    return margin / abs(limit) if limit else float(margin)
