# SPDX-License-Identifier: GPL-3.0-or-later
"""Spans and overhangs as dimension lines: how long it is, and how much of that is allowed."""

from __future__ import annotations

import numpy as np

from ..drawing import Floats, Picture, Shown
from ..marks import DOWN, allowed_and_excess, dimension
from .parts import anchor, company, ends, lengths, points, still, versus, words

#: Two lengths are the same within this, m: places are rounded to 0.1 mm.
_SAME = 0.002
#: The back span stands a little closer to the member than the overhang, m.
_BACK_OFFSET = 0.16


def span(shown: Shown) -> Picture | None:
    """The clear span, green as far as is allowed and red beyond."""
    found, figures = ends(shown), lengths(shown)
    if found is None or figures is None or not still(shown):
        return None
    measured, limit = figures
    start, end = as_measured(*found, measured)
    line = dimension(start, end, DOWN, parts=allowed_and_excess(measured, limit), tone="fault")
    text = versus(shown, measured, limit)
    return Picture(company(shown), line.lines, words=words(text, line.middle), anchor=anchor(shown))


def overhang(shown: Shown) -> Picture | None:
    """What sticks out, and the span behind it that holds it down."""
    found, figures = ends(shown), lengths(shown)
    if found is None or figures is None or not still(shown):
        return None
    measured, limit = figures
    start, end = as_measured(*found, measured)
    line = dimension(start, end, DOWN, parts=allowed_and_excess(measured, limit), tone="fault")
    lines, texts = list(line.lines), list(words(versus(shown, measured, limit), line.middle))
    back = points(shown, "back", 2, 2)
    if back is not None:
        inner, outer = (back[0], back[1])
        if abs(outer[2] - inner[2]) > _SAME:
            outer = np.array([outer[0], outer[1], inner[2]])
        behind = dimension(inner, outer, DOWN, offset=_BACK_OFFSET)
        lines += behind.lines
        length = float(np.linalg.norm(outer - inner))
        texts += words(f"{shown.length(length)} behind the support", behind.middle)
    return Picture(company(shown), tuple(lines), words=tuple(texts), anchor=anchor(shown))


def as_measured(start: Floats, end: Floats, measured: float) -> tuple[Floats, Floats]:
    """The ends of a length; of a sloped member level, where its length in plan was measured."""
    slope, plan = end - start, (end - start) * (1.0, 1.0, 0.0)
    off = abs(float(np.linalg.norm(slope)) - measured)
    if abs(float(np.linalg.norm(plan)) - measured) + _SAME < off:
        low = min(float(start[2]), float(end[2]))
        return np.array([*start[:2], low]), np.array([*end[:2], low])
    return start, end
