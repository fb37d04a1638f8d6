# SPDX-License-Identifier: GPL-3.0-or-later
"""What came of a fall: who moved and when, what broke, and a sentence for the class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ....checks.result import Finding
from .model import Floats, Ints, Model
from .motion import Motion, displaced

#: A member has moved once a corner of it is this far from where it was, m: by so much it has left
#: the least bearing that wood is given (IRC R502.6).
MOVED = 0.038
#: A joint is broken once its two sides are this far apart, m: beyond it the checks take nothing for
#: fastened (timber specification, 1.5).
BROKEN = 0.020
#: ... or, where it doesn't turn freely, turned by this against each other, rad (5 degrees: what the
#: checks take for parallel).
BENT = np.radians(5.0)
#: Findings that are made: the first to move, which the others may hang on.
MOST_FINDINGS = 200
CHECK = "fall"


@dataclass(frozen=True, eq=False)
class Damage:
    """Figures of one fall.

    Attributes
    ----------
    kind, members, joints
        Of the structure, and how many there were.
    moved, moments
        Names in the order in which they moved, and when each did, s.
    rows
        The same members as rows of the model.
    farthest
        How far each of them went at most, m.
    broken, breaks
        Pairs of names whose joint broke, in order, and when, s.
    drop
        Name and height, m, of what came down farthest; ``("", 0.0)`` for nothing.
    seconds, settled
        How long it was watched, s, and whether everything lay still at the end.
    findings
        One a member that moved, in order, with its frame (the first of a motion is 1).
    """

    kind: str
    members: int
    joints: int
    moved: tuple[str, ...]
    moments: tuple[float, ...]
    rows: Ints
    farthest: tuple[float, ...]
    broken: tuple[tuple[str, str], ...]
    breaks: tuple[float, ...]
    drop: tuple[str, float]
    seconds: float
    settled: bool
    findings: tuple[Finding, ...]

    @property
    def share(self) -> float:
        """Share of the members that moved."""
        return len(self.moved) / self.members if self.members else 0.0

    @property
    def first(self) -> str | None:
        """Who moved first, ``None`` if nobody did."""
        return self.moved[0] if self.moved else None

    @property
    def says(self) -> str:
        """It in a sentence."""
        what = "block" if self.kind == "voxel" else "member"
        if not self.moved:
            return (
                f"It stands: none of {self.members} {what}s moved by more than "
                f"{MOVED * 1000:.0f} mm in {self.seconds:.1f} s."
            )
        some = f"{len(self.moved)} of {self.members} {what}s moved"
        told = f"{self.moved[0]} went first, after {self.moments[0]:.1f} s; {some}"
        if self.broken:
            told += f", {len(self.broken)} of {self.joints} joints broke"
        if self.drop[1] > MOVED:
            told += f"; {self.drop[0]} came down {self.drop[1]:.1f} m"
        return told + "."

    def to_plain(self) -> dict[str, Any]:
        """All figures as plain data, for reports."""
        return {
            "kind": self.kind,
            "members": self.members,
            "joints": self.joints,
            "share": round(self.share, 4),
            "first": self.first,
            "moved": [
                {"name": name, "seconds": round(at, 3), "metres": round(far, 3)}
                for name, at, far in zip(self.moved, self.moments, self.farthest, strict=True)
            ],
            "broken": [
                {"members": list(pair), "seconds": round(at, 3)}
                for pair, at in zip(self.broken, self.breaks, strict=True)
            ],
            "drop": {"name": self.drop[0], "metres": round(self.drop[1], 3)},
            "seconds": round(self.seconds, 3),
            "settled": self.settled,
            "says": self.says,
        }


def damage_of(model: Model, motion: Motion) -> Damage:
    """What came of the fall of a model."""
    away = displaced(model, motion)
    when = _crossing(away, MOVED) / motion.fps
    rows = np.flatnonzero(np.isfinite(when))
    rows = rows[np.lexsort((rows, when[rows]))]
    joints = model.joints
    joints = joints[model.breaking_force()[joints] > 0]
    parted = _crossing(_opened(model, motion, joints), BROKEN) / motion.fps
    broke = np.flatnonzero(np.isfinite(parted))
    broke = broke[np.lexsort((broke, parted[broke]))]
    c, names = model.contacts, model.names
    drop = motion.drop
    deepest = int(drop.argmax()) if len(drop) else -1
    fell = deepest >= 0 and drop[deepest] > MOVED
    return Damage(
        model.kind,
        len(model),
        len(joints),
        tuple(names[i] for i in rows),
        tuple(float(t) for t in when[rows]),
        rows,
        tuple(float(d) for d in away.max(axis=0)[rows]),
        tuple((names[c.first[k]], names[c.second[k]]) for k in joints[broke]),
        tuple(float(t) for t in parted[broke]),
        (names[deepest], float(drop[deepest])) if fell else ("", 0.0),
        motion.seconds,
        motion.settled,
        _findings(model, motion, rows, when, away),
    )


def _opened(model: Model, motion: Motion, joints: Ints) -> Floats:
    """How far the two sides of each joint are apart that were together, (f, j), m.

    A joint that is bent counts as open by its angle, at the same share of what it may be.
    """
    c = model.contacts
    one = motion.points(c.first[joints], c.spot[joints], model)
    other = motion.points(c.second[joints], c.spot[joints], model)
    apart = np.linalg.norm(one - other, axis=2)
    stiff = joints[~c.hinge[joints].any(axis=1) & (model.held.moment[joints] > 0)]
    first, second = motion.turn[:, c.first[stiff]], motion.turn[:, c.second[stiff]]
    # The trace of a turn by an angle is 1 + 2 cos.
    cosine = 0.5 * (np.einsum("fkij,fkij->fk", first, second) - 1.0)
    bent = np.arccos(np.clip(cosine, -1.0, 1.0)) * (BROKEN / BENT)
    place = np.isin(joints, stiff)
    apart[:, place] = np.maximum(apart[:, place], bent)
    return apart


def _crossing(values: Floats, limit: float) -> Floats:
    """When each column first goes beyond a limit, in frames, between two of them; inf for never."""
    beyond = values > limit
    row = beyond.argmax(axis=0)
    column = np.arange(values.shape[1])
    before = np.maximum(row - 1, 0)
    low, high = values[before, column], values[row, column]
    part = np.where(high > low, (limit - low) / np.where(high > low, high - low, 1.0), 1.0)
    return np.where(beyond.any(axis=0), before + np.clip(part, 0.0, 1.0), np.inf)


def _ordinal(number: int) -> str:
    """``1st``, ``2nd``, ``3rd``, ``11th``."""
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if number % 100 in (11, 12, 13) else ending}"


def _findings(
    model: Model, motion: Motion, rows: Ints, when: Floats, away: Floats
) -> tuple[Finding, ...]:
    found = []
    for order, m in enumerate(rows[:MOST_FINDINGS].tolist()):
        name, far = model.names[m], float(away[:, m].max())
        moved = "moved first" if order == 0 else f"was the {_ordinal(order + 1)} to move"
        x, y, z = (round(float(v), 4) for v in model.center[m])
        found.append(
            Finding(
                CHECK,
                name,
                f"{name} {moved}, after {when[m]:.2f} s, and went {far:.2f} m.",
                measured=round(far, 4),
                limit=MOVED,
                unit="m",
                margin=round(MOVED - far, 4),
                location=(x, y, z),
                frame=int(np.ceil(when[m] * motion.fps)) + 1,
            )
        )
    return tuple(found)
