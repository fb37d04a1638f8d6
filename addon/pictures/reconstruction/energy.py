# SPDX-License-Identifier: GPL-3.0-or-later
"""Energy that comes from nowhere: the body that gains it, its way, and how much that is."""

from __future__ import annotations

import numpy as np

from ..drawing import Picture, Shown
from ..marks import unit
from .parts import (
    about,
    anchor,
    at_hand,
    away,
    company,
    middle,
    number,
    own_row,
    pointing,
    row_of,
    size_of,
    track,
    trajectory_of,
    words,
)


def energy(shown: Shown) -> Picture | None:
    """The body that gains most, its way, its velocity, and the share of the rise.

    The strip in the corner of the view tells the rest.
    """
    run = trajectory_of(shown)
    if run is None:
        return None
    fault, _ = about(shown, run)
    if not fault:
        return None
    body, own = fault[0], own_row(shown, run)
    lines = track(run, body, own, "fault")
    row = max(row_of(shown, run), 1)
    step = run.position[row, body] - run.position[row - 1, body]
    at = middle(run, body, row)
    rise = number(shown.finding.measured)
    text = away(shown, run, "most energy")
    if at_hand(shown, run):
        if np.linalg.norm(np.nan_to_num(step)) > 1e-9:
            lines += pointing(at, unit(step), 1.2 * size_of(run, body), "fault")
        if rise is not None:
            text = words(f"+{rise:.0%} from nowhere", at, "fault")
    return Picture(company(shown, run), lines, words=text, anchor=anchor(shown, run))
