# SPDX-License-Identifier: GPL-3.0-or-later
"""Liquid: what was let in is there, in its container and not in the container's walls."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...result import CheckResult, Finding
from ..bodies import Floats
from ..brief import ReconstructionBrief
from ..limits import Limits
from ..surroundings import Liquid
from ..trajectory import Trajectory
from .common import fault, result

ID = "liquid"


def liquid(trajectory: Trajectory, brief: ReconstructionBrief, limits: Limits) -> CheckResult:
    """Volume, leaks, liquid within walls, and whether the level rises while liquid comes in.

    What is judged is what the recorder measured on the solver's own liquid. Where it isn't known
    how much came in, the rest is judged and the result is degraded.
    """
    wet = [body.name for body in trajectory.bodies if body.medium == "liquid"]
    if not wet and not trajectory.liquids:
        return result(ID, brief, vacuous="there is no liquid")
    findings: list[Finding] = []
    figures: dict[str, Any] = {}
    for one in trajectory.liquids:
        findings += _judged(trajectory, one, limits, figures.setdefault(one.body, {}))
    known = {one.body for one in trajectory.liquids}
    unread = [name for name in wet if name not in known]
    blind = f"nothing was measured on {', '.join(unread[:5])}"
    unjudged = [name for name, told in figures.items() if not told]
    return result(
        ID,
        brief,
        findings,
        figures,
        not_run=blind if unread else None,
        inconclusive=f"how much of {', '.join(unjudged[:5])} came in isn't known, nor where it is"
        if unjudged
        else None,
        degraded=any("volume" not in told for told in figures.values()),
    )


def _judged(
    trajectory: Trajectory, one: Liquid, limits: Limits, figures: dict[str, Any]
) -> list[Finding]:
    k = trajectory.index(one.body)
    findings: list[Finding] = []
    most = float(np.nanmax(one.added, initial=0.0))
    if most > 0:
        off = np.abs(one.volume - one.added) / most
        findings += _over(trajectory, k, off, limits.liquid_volume, "volume", figures)
    for label, share, limit in (
        ("leaked", one.leaked, limits.liquid_leaked),
        ("inside", one.inside, limits.liquid_inside),
    ):
        if share is not None:
            findings += _over(trajectory, k, share, limit, label, figures)
    if one.level is not None and most > 0:
        findings += _level(trajectory, k, one, limits, most)
    return findings


_WORDS = {
    "volume": "{0:.0%} of the volume of {1} that was let in is missing or too much at frame {2}",
    "leaked": "{0:.1%} of {1} is outside of its container at frame {2}",
    "inside": "{0:.1%} of {1} is inside the material of its container at frame {2}",
}


def _over(
    trajectory: Trajectory,
    k: int,
    share: Floats,
    limit: float,
    label: str,
    figures: dict[str, Any],
) -> list[Finding]:
    """The fault of a share that is too large in any frame; unmeasured ones are left out."""
    share = np.nan_to_num(share)
    row = int(share.argmax())
    figures[label] = float(share[row])
    if share[row] <= limit:
        return []
    words = _WORDS[label].format(share[row], trajectory.names[k], trajectory.frames[row])
    return [
        fault(
            *(trajectory, ID, k, row),
            f"{words}; {limit:.0%} is allowed",
            measured=float(share[row]),
            limit=limit,
            unit="1",
        )
    ]


def _level(
    trajectory: Trajectory, k: int, one: Liquid, limits: Limits, most: float
) -> list[Finding]:
    """Whether the level rises over the time in which liquid comes in."""
    assert one.level is not None
    inflow = np.flatnonzero(np.diff(one.added) > 0)
    level = one.level[np.isfinite(one.level)]
    if not len(inflow) or len(level) < 2:
        return []
    first, last = int(inflow[0]), int(inflow[-1]) + 1
    came = float(one.added[last] - one.added[first])
    rise = float(one.level[last] - one.level[first])
    # A level that a splash hides, or less liquid than may be missing, tells nothing.
    if not np.isfinite(rise) or came <= limits.liquid_volume * most or rise > 0:
        return []
    return [
        fault(
            *(trajectory, ID, k, last),
            f"{trajectory.names[k]} gets {came * 1000:.3g} l more by frame "
            f"{trajectory.frames[last]}, yet its level doesn't rise",
            measured=rise,
            limit=0.0,
            unit="m",
            at_least=True,
        )
    ]
