# SPDX-License-Identifier: GPL-3.0-or-later
"""The topological score T = 0.3 C + 0.4 M + 0.3 V, with what it is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..structure import TimberStructure
from .census import census
from .matching import MatchingUnknown, Pairs, match, match_rate
from .members import Counted, counted
from .occupancy import OccupancyUnknown, occupancy

#: Weights of C, M and V (specification, section 6; the published method, equation 2).
WEIGHTS: Mapping[str, float] = {"C": 0.3, "M": 0.4, "V": 0.3}


@dataclass(frozen=True)
class Topology:
    """How near a candidate comes to its target.

    Attributes
    ----------
    target, candidate
        The members that were compared; indices of ``pairs`` refer to them.
    values
        C, M, V and T, 0 to 1; one that can't be told is absent.
    reasons
        Of each absent one, why, in a sentence.
    pairs
        Which member stands for which, ``None`` if they can't be matched.
    """

    target: Counted
    candidate: Counted
    values: Mapping[str, float]
    reasons: Mapping[str, str] = field(default_factory=dict)
    pairs: Pairs | None = None

    @property
    def note(self) -> str | None:
        """Why figures are absent, in one sentence; ``None`` where all are there."""
        if not self.reasons:
            return None
        said = dict.fromkeys(self.reasons.values())
        names = " and ".join(self.reasons)
        return f"{names} {'are' if len(self.reasons) > 1 else 'is'} unknown: {'; '.join(said)}"


def topology(target: TimberStructure, candidate: TimberStructure) -> Topology:
    """C, M, V and T of a candidate against its target.

    Nothing built scores 0; a target without members gives no figures at all.
    """
    ours, theirs = counted(target), counted(candidate)
    if not len(ours):
        return Topology(ours, theirs, {}, dict.fromkeys("CMVT", "the target has no members"))
    values: dict[str, float | None] = {"C": census(ours, theirs), "M": None, "V": None}
    reasons: dict[str, str] = {}
    pairs = None
    try:
        pairs = match(ours, theirs)
        values["M"] = match_rate(pairs, ours, theirs)
    except MatchingUnknown as error:
        reasons["M"] = str(error)
    try:
        values["V"] = occupancy(ours, theirs)
    except OccupancyUnknown as error:
        reasons["V"] = str(error)
    known = {name: value for name, value in values.items() if value is not None}
    if reasons:
        reasons["T"] = "; ".join(reasons.values())
    else:
        known["T"] = sum(WEIGHTS[name] * known[name] for name in WEIGHTS)
    return Topology(ours, theirs, known, reasons, pairs)
