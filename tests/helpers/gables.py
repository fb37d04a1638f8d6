# SPDX-License-Identifier: GPL-3.0-or-later
"""A small gable house at any pitch, with rafters ended at the ridge as people model them."""

from __future__ import annotations

import numpy as np
from plumbline.checks.timber.structure import TimberStructure

WIDTH, BAYS, SPACING = 4.0, 8, 0.406
PLATE, T, DEPTH = 0.089, 0.038, 0.184
STUD, JOIST = 2.4, 0.235

#: How far each way of ending a rafter at the ridge goes, as a share of the cut's half extent.
RIDGE_ENDS = {"short": -1.0, "touch": -1.0, "middle": 0.0, "long": 1.0}


class Frame:
    """Collects boxes; ``structure()`` makes members of them."""

    def __init__(self):
        self.names, self.center, self.axes, self.size = [], [], [], []

    def box(self, name, low, high):
        """An axis-aligned box from corner to corner."""
        low, high = np.asarray(low, float), np.asarray(high, float)
        self.oriented(name, (low + high) / 2, np.eye(3), high - low)

    def oriented(self, name, center, axes, size):
        """A box with unit axes as rows."""
        self.names.append(name)
        self.center.append(center)
        self.axes.append(axes)
        self.size.append(size)

    def structure(self):
        """All boxes as a structure."""
        return TimberStructure.from_boxes(self.names, self.center, self.axes, self.size)


def gable(pitch: float, ridge_end: str = "middle", centre_lines: bool = False) -> TimberStructure:
    """A one-room gable house; ``pitch`` is rise over run.

    ``ridge_end``: ``short`` (20 mm before the first edge meets the ridge board), ``touch`` (the
    first edge meets it), ``middle`` (the centre line does), ``long`` (the last edge does).
    ``centre_lines``: rafters run over the middle of the plate to the middle of the ridge board with
    their centre lines, as a beginner draws them.
    """
    frame = Frame()
    length = BAYS * SPACING + T
    x = T / 2 + SPACING * np.arange(BAYS + 1)
    top = _walls(frame, x, length)
    angle = np.arctan(pitch)
    sine, cosine = np.sin(angle), np.cos(angle)
    for k, at in enumerate(x):
        # Ties stand beside the rafters, a ply away; at the ends inwards.
        shift = T if k < BAYS / 2 else -T
        low = (at + shift - T / 2, 0, top)
        frame.box(f"CeilingJoist_{k:02d}", low, (at + shift + T / 2, WIDTH, top + 0.14))
    seat = 0.040  # notch normal to the underside at the outer edge of the plate, m
    underside = top if centre_lines else top - seat / cosine
    axis = underside + (0 if centre_lines else DEPTH / 2 / cosine)  # height over the outer edge
    axis -= PLATE / 2 * pitch if centre_lines else 0.0
    run = WIDTH / 2 - (0 if centre_lines else T / 2)
    reach = run / cosine
    if not centre_lines:
        reach += RIDGE_ENDS[ridge_end] * DEPTH / 2 * sine / cosine
        reach -= 0.020 if ridge_end == "short" else 0.0
    tail = 0.30 / cosine
    for k, at in enumerate(x):
        for side in (1, -1):
            along = np.array([0.0, side * cosine, sine])
            foot = np.array([at, 0.0 if side > 0 else WIDTH, axis])
            middle = foot + along * (reach - tail) / 2
            axes = np.array([along, np.cross([1.0, 0, 0], along), [1.0, 0, 0]])
            frame.oriented(
                f"Rafter_{'S' if side > 0 else 'N'}_{k:02d}", middle, axes, (reach + tail, DEPTH, T)
            )
    ridge = axis + WIDTH / 2 * pitch
    low = (0, WIDTH / 2 - T / 2, ridge - 0.1175)
    frame.box("Ridge_01", low, (length, WIDTH / 2 + T / 2, ridge + 0.1175))
    return frame.structure()


def _walls(frame, x, length):
    """Sills, joists, rims, studs and plates; returns the top of the plates."""
    for name, low, high in (("S", 0.0, 0.14), ("N", WIDTH - 0.14, WIDTH)):
        frame.box(f"Sill_{name}", (0, low, 0), (length, high, T))
    floor = T + JOIST
    for name, low, high in (("S", 0.0, T), ("N", WIDTH - T, WIDTH)):
        frame.box(f"RimJoist_{name}", (0, low, T), (length, high, floor))
    for k, at in enumerate(x):
        frame.box(f"Joist_{k:02d}", (at - T / 2, T, T), (at + T / 2, WIDTH - T, floor))
    top = floor + T + STUD
    for name, low, high in (("S", 0.0, PLATE), ("N", WIDTH - PLATE, WIDTH)):
        frame.box(f"BottomPlate_{name}", (0, low, floor), (length, high, floor + T))
        for level in (0, 1):
            low_z = top + level * T
            frame.box(f"TopPlate_{name}_{level}", (0, low, low_z), (length, high, low_z + T))
        for k, at in enumerate(x):
            low_x = (at - T / 2, low, floor + T)
            frame.box(f"Stud_{name}_{k:02d}", low_x, (at + T / 2, high, top))
    return top + 2 * T
