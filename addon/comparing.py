# SPDX-License-Identifier: GPL-3.0-or-later
"""What differs between two attempts: verdicts, checks, findings, members, figures.

Works on records of schema ``plumbline.result/1`` and, where the scenes are at hand, on the boxes of
their members. No ``bpy``: the window, the command line and the tests compare alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .ranking import findings_of, grouped

#: A member whose box lies within this of the other's stands where it stood, m.
MOVED = 1e-3
#: Pairs of corners that are measured at once: 64 distances each.
_CHUNK = 4096


@dataclass(frozen=True)
class Side:
    """One of the two: its record, and the boxes of its members (n, 8, 3), m, where known."""

    record: Mapping[str, Any]
    names: tuple[str, ...] | None = None
    corners: NDArray[np.float64] | None = None


@dataclass(frozen=True, slots=True)
class CheckPair:
    """How one check came out in A and in B; ``None`` where the profile hasn't got it."""

    check: str
    a: str | None
    b: str | None
    faults_a: int
    faults_b: int

    @property
    def same(self) -> bool:
        """Whether it came out alike, with as many faults."""
        return (self.a, self.faults_a) == (self.b, self.faults_b)


@dataclass(frozen=True, slots=True)
class Members:
    """Members by name: those of only one side, and how far each of the others has moved, m."""

    only_a: tuple[str, ...]
    only_b: tuple[str, ...]
    moved: tuple[tuple[str, float], ...]
    alike: int


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of both; ``None`` where a side hasn't got it."""

    name: str
    a: float | None
    b: float | None


@dataclass(frozen=True)
class Comparison:
    """All that differs between A and B. Findings are plain, each with its ``check``.

    ``members`` is ``None`` where the scene of a side is not at hand.
    """

    verdicts: tuple[str, str]
    checks: tuple[CheckPair, ...]
    only_a: tuple[Mapping[str, Any], ...]
    only_b: tuple[Mapping[str, Any], ...]
    both: tuple[Mapping[str, Any], ...]
    members: Members | None
    figures: tuple[Figure, ...]

    @property
    def same_verdict(self) -> bool:
        """Whether both came out alike."""
        return self.verdicts[0] == self.verdicts[1]

    @property
    def same_findings(self) -> bool:
        """Whether each finds what the other finds."""
        return not self.only_a and not self.only_b


def compare(a: Side, b: Side) -> Comparison:
    """Compare two attempts, of the same task or not."""
    found_a, found_b = _by_key(a.record), _by_key(b.record)
    members = None
    if a.names is not None and b.names is not None:
        assert a.corners is not None and b.corners is not None
        members = _members(a.names, a.corners, b.names, b.corners)
    return Comparison(
        (a.record["verdict"], b.record["verdict"]),
        _checks(a.record, b.record),
        tuple(finding for key, finding in found_a.items() if key not in found_b),
        tuple(finding for key, finding in found_b.items() if key not in found_a),
        tuple(finding for key, finding in found_b.items() if key in found_a),
        members,
        _figures(a.record, b.record),
    )


def _by_key(record: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Findings by ``check:subject``, the worst root first, each followed by what follows."""
    groups = grouped(findings_of(record))
    listed = [finding for group in groups for finding in (group.root, *group.followers)]
    found: dict[str, Mapping[str, Any]] = {}
    for finding in listed:
        found.setdefault(f"{finding['check']}:{finding['subject']}", finding)
    return found


def _checks(a: Mapping[str, Any], b: Mapping[str, Any]) -> tuple[CheckPair, ...]:
    first = {check["id"]: check for check in a["checks"]}
    second = {check["id"]: check for check in b["checks"]}
    return tuple(
        CheckPair(
            name,
            first[name]["status"] if name in first else None,
            second[name]["status"] if name in second else None,
            len(first[name]["findings"]) if name in first else 0,
            len(second[name]["findings"]) if name in second else 0,
        )
        for name in dict.fromkeys((*first, *second))
    )


def _members(
    names_a: Sequence[str],
    corners_a: NDArray[np.float64],
    names_b: Sequence[str],
    corners_b: NDArray[np.float64],
) -> Members:
    rows_a = {name: row for row, name in enumerate(names_a)}
    rows_b = {name: row for row, name in enumerate(names_b)}
    common = [name for name in names_a if name in rows_b]
    distance = apart(
        corners_a[[rows_a[name] for name in common]], corners_b[[rows_b[name] for name in common]]
    )
    moved = [(name, float(far)) for name, far in zip(common, distance, strict=True) if far > MOVED]
    return Members(
        tuple(name for name in names_a if name not in rows_b),
        tuple(name for name in names_b if name not in rows_a),
        tuple(sorted(moved, key=lambda one: -one[1])),
        len(common) - len(moved),
    )


def apart(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far boxes (n, 8, 3) lie apart, m, (n,): the largest way from a corner to the other box's.

    Corners have no order: a box that was turned upon itself has not moved. Where one is no number
    the way is infinite.
    """
    if len(a) == 0:
        return np.zeros(0)
    parts = []
    for start in range(0, len(a), _CHUNK):
        first, second = a[start : start + _CHUNK], b[start : start + _CHUNK]
        way = np.linalg.norm(first[:, :, None] - second[:, None, :], axis=3)
        nearest = np.maximum(way.min(axis=2).max(axis=1), way.min(axis=1).max(axis=1))
        parts.append(np.where(np.isnan(nearest), np.inf, nearest))
    return np.concatenate(parts)


def _figures(a: Mapping[str, Any], b: Mapping[str, Any]) -> tuple[Figure, ...]:
    """Metrics that are numbers, what it cost and how long it took, where they differ."""
    first, second = _numbers(a), _numbers(b)
    return tuple(
        Figure(name, first.get(name), second.get(name))
        for name in dict.fromkeys((*first, *second))
        if first.get(name) != second.get(name)
    )


def _numbers(record: Mapping[str, Any]) -> dict[str, float]:
    found = dict(record.get("metrics") or {})
    usage = record.get("usage") or {}
    found.update({name: usage.get(name) for name in ("tokens", "cost")})
    found["seconds"] = (record.get("timing") or {}).get("total")
    return {
        name: value
        for name, value in found.items()
        if isinstance(value, (int, float)) and not isinstance(value, bool)
    }
