# SPDX-License-Identifier: GPL-3.0-or-later
"""Stairs that end too low."""

from __future__ import annotations

import numpy as np

from ..drawing import Picture, Shown
from .extents import levels
from .parts import AIR, anchor, blocks_of, company, figures, filled, still
from .told import cells


def stairs(shown: Shown) -> Picture | None:
    """The steps that are reached last, the height asked for, and what is too low to step on."""
    structure, known = blocks_of(shown), figures(shown)
    if structure is None or known is None or not still(shown):
        return None
    hindered = cells(shown.finding, "hindered")
    above = hindered[:, None] + np.array([[0, 1, 0], [0, 2, 0]])
    faces = (*company(shown), *filled(above.reshape(-1, 3), "related", AIR))
    lines, text = levels(structure, *known)
    return Picture(faces, lines, words=text, anchor=anchor(shown))
