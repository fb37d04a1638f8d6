# SPDX-License-Identifier: GPL-3.0-or-later
"""The census C: whether each role has as many members as it should."""

from __future__ import annotations

import numpy as np

from .members import Counted, role_codes


def census(target: Counted, candidate: Counted) -> float | None:
    """C, 0 to 1: the mean over roles of the smaller count divided by the larger one.

    The roles are all that occur on either side, so that one that only one side has counts 0.
    ``None`` for a target without members. Source: specification, section 6.
    """
    if not len(target):
        return None
    ours, theirs, known = role_codes(target, candidate)
    wanted, there = (np.bincount(codes, minlength=len(known)) for codes in (ours, theirs))
    return float(np.mean(np.minimum(wanted, there) / np.maximum(wanted, there)))
