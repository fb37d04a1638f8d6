# SPDX-License-Identifier: GPL-3.0-or-later
"""The block that a person points at: its outline, and what it is."""

from __future__ import annotations

import numpy as np

from ..drawing import Faces, Lines, Picture
from ..marks import STRONG
from .parts import center, words
from .shell import shell


def pointed_picture(cell: tuple[int, int, int], caption: str) -> Picture:
    """A strong outline round one cell with its caption above."""
    solid = shell(np.array([cell]))
    edges = solid.points[solid.edges.reshape(-1)]
    text = words(caption, center(np.array(cell) + [0.0, 0.6, 0.0]))
    faces = Faces(solid, "plain", 0.0, 0.25)
    return Picture((faces,), (Lines(edges, "plain", STRONG),), words=text)
