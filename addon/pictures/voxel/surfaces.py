# SPDX-License-Identifier: GPL-3.0-or-later
"""The slice of a surface that comes nearest to concave, and where it bends the other way."""

from __future__ import annotations

import numpy as np

from ....checks.voxel.cells import to_blender
from ..drawing import Floats, Lines, Picture, Shown, Words
from ..marks import FINE, STRONG, polyline
from .parts import anchor, company, still, words
from .told import cells, function_of

#: The line runs this far off the blocks, m.
_OFF = 0.08


def concave(shown: Shown) -> Picture | None:
    """The surface as a line, and under each bad column the chord that it lies on the wrong side of.

    A chord runs between the two neighbours of a column.
    """
    line = cells(shown.finding, "slice")
    if len(line) < 2 or not still(shown):
        return None
    side = 1.0 if "top" in function_of(shown.finding.check) else -1.0
    at: Floats = to_blender(line + np.array([0.0, side * (0.5 + _OFF), 0.0]))
    bad = set(map(tuple, cells(shown.finding, "blocks").tolist()))
    wrong = [i for i in range(1, len(line) - 1) if tuple(line[i].tolist()) in bad]
    lines = [Lines(polyline(at), "plain", STRONG)]
    if len(wrong) == len(line) - 2 and np.ptp(line[:, 1]) == 0:
        text = words("flat: it should bulge", at[len(at) // 2])
        return Picture(company(shown), tuple(lines), words=text, anchor=anchor(shown))
    texts: tuple[Words, ...] = ()
    for i in wrong:
        chord = at[[i - 1, i + 1]]
        lines.append(Lines(chord, "allowed", STRONG, dashed=True))
        lines.append(Lines(np.array([at[i], chord.mean(axis=0)]), "fault", STRONG))
        lines.append(Lines(polyline(at[i - 1 : i + 2]), "fault", STRONG))
        texts = texts or words("bends the other way here", at[i])
    lines.append(Lines(at[[0, -1]], "allowed", FINE, dashed=True))
    return Picture(company(shown), tuple(lines), words=texts, anchor=anchor(shown))
