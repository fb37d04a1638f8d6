# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows with a gap, and roofs with a hole."""

from __future__ import annotations

import numpy as np

from ..drawing import Faces, Lines, Picture, Shown
from ..marks import DOWN, FINE, STRONG, allowed_and_excess, dimension, polyline, square_to, ticks
from ..solids import quads
from .parts import (
    anchor,
    company,
    ends,
    lengths,
    location,
    mark,
    number,
    points,
    quads_of,
    still,
    versus,
    words,
)

#: The dimension of a gap stands close to the row, m, and ticks are this long to both sides.
_OFFSET, _HALF_TICK = 0.14, 0.09
#: Opacity of cells that nothing covers.
_OPEN = (0.30, 0.45)


def spacing(shown: Shown) -> Picture | None:
    """The members of the row as ticks, the gap that is too wide, and where one is missing."""
    found, figures = ends(shown), lengths(shown)
    if found is None or figures is None or not still(shown):
        return None
    measured, limit = figures
    start, end = found
    line = dimension(
        start, end, DOWN, offset=_OFFSET, parts=allowed_and_excess(measured, limit), tone="fault"
    )
    lines = [*line.lines, *_missing(shown)]
    row = points(shown, "ticks", 2)
    if row is not None:
        lines.append(Lines(polyline(row), "plain", FINE))
        lines.append(Lines(ticks(row, square_to(end - start, DOWN), _HALF_TICK), "plain", STRONG))
    lines += mark(shown)
    text = versus(shown, measured, limit)
    return Picture(
        company(shown), tuple(lines), words=words(text, line.middle), anchor=anchor(shown)
    )


def coverage(shown: Shown) -> Picture | None:
    """The cells of the roof that no rafter covers."""
    cells = quads_of(shown, "cells")
    if cells is None or not still(shown):
        return None
    hole = Faces(quads(cells), "fault", *_OPEN, outline="fault")
    share, limit = number(shown.finding.measured), number(shown.finding.limit)
    text = ""
    if share is not None and limit is not None:
        text = f"{share:.1%} covered, {limit:.0%} needed"
    at = location(shown) or cells.mean(axis=(0, 1))
    return Picture(
        (*company(shown), hole), _missing(shown), words=words(text, at), anchor=anchor(shown)
    )


def _missing(shown: Shown) -> tuple[Lines, ...]:
    """Where a member ought to lie, dashed."""
    line = points(shown, "line", 2, 2)
    if line is None or np.linalg.norm(line[1] - line[0]) < 1e-6:
        return ()
    return (Lines(line, "allowed", STRONG * 1.6, dashed=True),)
