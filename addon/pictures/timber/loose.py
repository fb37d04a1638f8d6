# SPDX-License-Identifier: GPL-3.0-or-later
"""Ends that nothing holds."""

from __future__ import annotations

import numpy as np

from ....checks.timber.structure import CORNER_SIGNS
from ..drawing import Floats, Lines, Picture, Shown
from ..marks import STRONG, ball, joined
from .parts import anchor, boxes_of, company, location, points, still, subject_names, told, words

#: Radius of the ring round an open end, m.
_RADIUS = 0.09
_MOST_RINGS = 64


def open_ends(shown: Shown) -> Picture | None:
    """A ring round every end that is connected to nothing."""
    if not still(shown):
        return None
    places = _places(shown)[:_MOST_RINGS]
    if not len(places):
        return None
    rings = Lines(joined(ball(place, _RADIUS) for place in places), "fault", STRONG)
    text = "open end" if len(places) == 1 else f"{len(places)} open ends"
    top = places[places[:, 2].argmax()]
    return Picture(company(shown), (rings,), words=words(text, top), anchor=anchor(shown))


def _places(shown: Shown) -> Floats:
    found = points(shown, "places")
    if found is not None:
        return found
    loose = told(shown, "loose")
    wanted, corners = boxes_of(shown.subjects, subject_names(shown))
    if isinstance(loose, (list, tuple)) and wanted:
        names = [name for name in loose if isinstance(name, str)]
        center = corners[0].mean(axis=0)
        reach = CORNER_SIGNS[:, 0] @ (corners[0] - center) / 8.0
        low, high = sorted([center - reach, center + reach], key=lambda end: float(end[2]))
        ends = [end for name, end in (("low", low), ("high", high)) if name in names]
        if ends:
            return np.array(ends)
    at = location(shown)
    return np.zeros((0, 3)) if at is None else np.array([at])
