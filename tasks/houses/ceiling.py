# SPDX-License-Identifier: GPL-3.0-or-later
"""Ceiling joists: beside the rafters, whose feet they tie together."""

from __future__ import annotations

import numpy as np

from ...checks.timber.structure import Floats
from .frame import Frame
from .levels import T
from .volume import Lumber, Volume

#: Ceiling joists end this far inside the outer faces of the plates, m: clear of the roof.
SHORT = 0.040


def rafter_lefts(volume: Volume) -> Floats:
    """Left faces of the rafters between and over the end walls, m: one at every stud."""
    lefts = np.arange(volume.bays_x + 1) * volume.grid
    if volume.open_ends:
        lefts = np.arange(volume.bays_x) * volume.grid
        ends = [0.0, volume.length - T]
        lefts = np.unique(np.round(np.concatenate([lefts, ends]), 6))
    return lefts


def ceiling(frame: Frame, volume: Volume, lumber: Lumber) -> None:
    """A ceiling joist beside every rafter, in two that butt over the bearing wall if there is one.

    Each lies to the east of its rafter, the last one to the west.
    """
    lefts = rafter_lefts(volume)
    beside = lefts + T
    beside[-1] = lefts[-1] - T
    low, middle, high = SHORT, volume.middle, volume.depth - SHORT
    runs = [("S", low, middle), ("N", middle, high)] if volume.lines else [("", low, high)]
    z = (volume.levels.eaves, volume.levels.eaves + lumber.ceiling)
    for tag, start, end in runs:
        frame.box("CeilingJoist", tag, (beside, beside + T), (start, end), z)
