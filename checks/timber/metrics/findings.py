# SPDX-License-Identifier: GPL-3.0-or-later
"""What is missing, extra, displaced or of another size than in the target, member by member.

These findings stand beside the verdict and are no part of it: a structure may differ from its
target and be sound. There is one a member, named after what matters most about it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ...result import Finding
from ..structure import Floats
from .matching import CAP, Pairs, assign, near_pairs
from .members import UNNAMED, Counted, Ints, role_codes
from .topology import Topology

#: The kinds of findings, the gravest first.
DIFFERENCES = ("missing", "extra", "displaced", "wrong_section", "wrong_length", "turned")
#: A member whose centre is further off than this is displaced, m: what the engineering profile
#: still takes as fastened (specification, section 1.5).
OFF = 0.02
#: Sections that differ by more than this are different sections, m (LoD 350, requirement i).
SECTION_OFF = 0.003
#: A member that has no pair is looked for as far as this, m, if role, section and length agree: it
#: is displaced, not missing here and extra there. Ours.
ASTRAY = 1.0
# Axes that differ by more than this are turned: sine of 5 degrees. Sides of nearly equal length
# have no axis of their own.
_TURNED, _ALIKE = 0.0872, 1.05


def differences(found: Topology) -> tuple[Finding, ...] | None:
    """One finding a member that differs, the gravest kind first, then by role and name.

    ``None`` where members can't be matched (the reason is in ``found.reasons``). Raises
    :class:`.matching.MatchingUnknown` if what has no pair lies in a heap.
    """
    if found.pairs is None:
        return None
    target, candidate = found.target, found.candidate
    astray = _astray(found)
    both = Pairs(*(np.concatenate([getattr(p, k) for p in (found.pairs, astray)]) for k in _FIELDS))
    absent = np.setdiff1d(np.arange(len(target)), both.target)
    beyond = np.setdiff1d(np.arange(len(candidate)), both.candidate)
    every = [
        *_missing(target, candidate, absent, beyond),
        *_extra(target, candidate, beyond),
        *_differing(target, candidate, both),
    ]
    return tuple(sorted(every, key=lambda f: DIFFERENCES.index(f.check)))


_FIELDS = ("target", "candidate", "distance")


def summary(findings: Sequence[Finding]) -> dict[str, dict[str, int]]:
    """How many members of each role differ in each way; what there is none of is left out."""
    told: dict[str, Counter[str]] = {}
    for finding in findings:
        told.setdefault(finding.check, Counter())[finding.detail["role"]] += 1
    return {kind: dict(sorted(told[kind].items())) for kind in DIFFERENCES if kind in told}


def _astray(found: Topology) -> Pairs:
    """Members beyond the cap that are so alike that one stands for the other."""
    target, candidate = found.target, found.candidate
    assert found.pairs is not None
    near = near_pairs(target, candidate, ASTRAY)
    alone = ~np.isin(near.target, found.pairs.target)
    alone &= ~np.isin(near.candidate, found.pairs.candidate)
    near = near.only(alone)
    off = 2.0 * np.abs(target.half[near.target] - candidate.half[near.candidate])
    alike = (off[:, 1:] <= SECTION_OFF).all(axis=1) & (off[:, 0] <= OFF)
    return assign(near.only(alike), ASTRAY)


def _missing(target: Counted, candidate: Counted, absent: Ints, beyond: Ints) -> Iterator[Finding]:
    nearest, away = _nearest(target, candidate, absent, beyond)
    corners = target.structure.corners
    for row, other, distance in zip(absent.tolist(), nearest.tolist(), away.tolist(), strict=True):
        name, role = target.structure.names[row], _said(target.roles[row])
        told = f"{name} is missing: {role} of {_size(target.half[row])}, centre at "
        told += _place(target.center[row])
        neighbour = candidate.structure.names[other] if other >= 0 else None
        if neighbour is not None:
            told += f"; {neighbour} is the nearest that is left over, {distance:.2f} m away"
        yield Finding(
            "missing",
            name,
            told,
            subject_kind="place",
            related=(neighbour,) if neighbour else (),
            location=_point(target.center[row]),
            detail={"missing": corners[row].tolist(), "role": target.roles[row]},
            **_apart(distance),
        )


def _extra(target: Counted, candidate: Counted, beyond: Ints) -> Iterator[Finding]:
    everybody = np.arange(len(target))
    _, away = _nearest(candidate, target, beyond, everybody)
    wanted, there = Counter(target.roles), Counter(candidate.roles)
    for row, distance in zip(beyond.tolist(), away.tolist(), strict=True):
        name, role = candidate.structure.names[row], candidate.roles[row]
        if role == UNNAMED:
            told = f"{name} has no role by its name, so that it stands for no member of the target"
        else:
            told = f"{name} is not in the target, which has {wanted[role]:,} {_said(role)} members"
            told += f" where there are {there[role]:,} here: take it away"
        yield Finding(
            "extra",
            name,
            told,
            location=_point(candidate.center[row]),
            detail={"role": role},
            **_apart(distance),
        )


def _apart(distance: float) -> dict[str, Any]:
    """Figures of a finding: how far the nearest is, and how far a pair may be."""
    if not np.isfinite(distance):
        return {}
    return {"measured": distance, "limit": CAP, "unit": "m", "margin": CAP - distance}


def _differing(target: Counted, candidate: Counted, pairs: Pairs) -> Iterator[Finding]:
    """Pairs that differ in place, size or direction."""
    a, b = pairs.target, pairs.candidate
    off = 2.0 * np.abs(target.half[a] - candidate.half[b])
    thick, long = (off[:, 1:] > SECTION_OFF).any(axis=1), off[:, 0] > OFF
    turned = ~thick & ~long & _turned(target, candidate, pairs)
    moved = pairs.distance > OFF
    corners = target.structure.corners
    for k in np.flatnonzero(moved | thick | long | turned).tolist():
        i, j = int(a[k]), int(b[k])
        name, wanted = candidate.structure.names[j], target.structure.names[i]
        sizes = f"{_size(candidate.half[j])} where the target's {wanted} has "
        sizes += _size(target.half[i])
        # What is wrong of it: the kind, what to say, the figure (m) and its limit.
        wrong: list[tuple[str, str, float | None, float | None]] = []
        if moved[k]:
            shift = _shift(target.center[i] - candidate.center[j])
            told = f"move it by {shift} mm, to where the target has {wanted}"
            wrong.append(("displaced", told, float(pairs.distance[k]), OFF))
        if thick[k]:
            wrong.append(("wrong_section", f"its section is wrong: {sizes}", *_worst(off[k, 1:])))
        elif long[k]:
            wrong.append(("wrong_length", f"its length is wrong: {sizes}", float(off[k, 0]), OFF))
        if turned[k]:
            told = f"turn it: the length or the depth of {wanted} points another way in the target"
            wrong.append(("turned", told, None, None))
        kind, _, measured, limit = wrong[0]
        yield Finding(
            kind,
            name,
            f"{name}: {'; '.join(told for _, told, _, _ in wrong)}",
            measured=measured,
            limit=limit,
            unit=None if measured is None else "m",
            margin=None if measured is None or limit is None else limit - measured,
            location=_point(candidate.center[j]),
            detail={
                "from": candidate.center[j].tolist(),
                "to": target.center[i].tolist(),
                "missing": corners[i].tolist(),
                "role": target.roles[i],
                "target": wanted,
            },
        )


def _worst(off: Floats) -> tuple[float, float]:
    return float(off.max()), SECTION_OFF


def _turned(target: Counted, candidate: Counted, pairs: Pairs) -> np.ndarray:
    """Whether the length or the thickness of the two points another way, bool (k,).

    A pad as long as it is deep has no length, a square post no thickness: of those the other one
    tells, if any does.
    """
    one, other = target.structure.axes[pairs.target], candidate.structure.axes[pairs.candidate]
    half = target.half[pairs.target]
    away = np.linalg.norm(np.cross(one, other), axis=2)
    long = half[:, 0] > _ALIKE * half[:, 1]
    flat = half[:, 1] > _ALIKE * half[:, 2]
    turned: np.ndarray = (long & (away[:, 0] > _TURNED)) | (flat & (away[:, 2] > _TURNED))
    return turned


def _nearest(ours: Counted, theirs: Counted, rows: Ints, among: Ints) -> tuple[Ints, Floats]:
    """For each of ``rows`` the nearest of the same role ``among`` theirs, and how far it is, m.

    -1 and infinity where there is none.
    """
    mine, yours, _ = role_codes(ours, theirs)
    index = np.full(len(rows), -1, np.intp)
    distance = np.full(len(rows), np.inf)
    for code in np.unique(mine[rows]):
        here, there = np.flatnonzero(mine[rows] == code), among[yours[among] == code]
        if not len(there):
            continue
        for part in np.array_split(here, 1 + len(here) * len(there) // _MOST_DISTANCES):
            gap = ours.center[rows[part], None] - theirs.center[there][None]
            away = np.einsum("ijk,ijk->ij", gap, gap)
            best = away.argmin(axis=1)
            index[part] = there[best]
            distance[part] = np.sqrt(away[np.arange(len(part)), best])
    return index, distance


# Distances that are worked out at once: bounds the memory.
_MOST_DISTANCES = 1_000_000


def _said(role: str) -> str:
    """A role in words: ``king stud``."""
    if role == UNNAMED:
        return "unnamed"
    return "".join(f" {c.lower()}" if c.isupper() else c for c in role).strip()


def _size(half: Floats) -> str:
    """Section and length: ``38 × 140 × 2400 mm``."""
    long, deep, thin = np.round(2000.0 * half).astype(int)
    return f"{thin} × {deep} × {long} mm"


def _shift(way: Floats) -> str:
    return f"({', '.join(f'{value:+.0f}' if round(value) else '0' for value in 1000.0 * way)})"


def _place(point: Floats) -> str:
    return f"({', '.join(f'{value:.2f}' for value in point + 0.0)})"


def _point(point: Floats) -> tuple[float, float, float]:
    x, y, z = map(float, point)
    return (x, y, z)
