# SPDX-License-Identifier: GPL-3.0-or-later
"""Gable houses of any number of members, as plain data: for tests and benchmarks.

Sills on the ground, joists in two runs with rim boards, stud walls with doubled top plates and an
interior bearing wall, ceiling joists beside the rafters as ties, rafters seated on the plates and
cut plumb to a ridge board. Sound by the rules of the specification; SI units, z up, ridge along x.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from plumbline.checks.timber.structure import TimberStructure

PITCH = 6.0 / 12.0
WIDTH = 7.2  # across the eaves, m
SPACING = 0.406  # on centre of everything, m
STORY = 2.4  # height of the studs, m
STOCK = 4.872  # longest plate, sill or ridge piece, m: twelve bays
OVERHANG = 0.4  # of the rafters, in plan, m
SEAT = 0.06  # plan run of the rafter over the plate, m
T = 0.038  # thickness of a 2x, m
X, Y, Z = np.eye(3)


@dataclass
class _Frame:
    names: list[str] = field(default_factory=list)
    center: list = field(default_factory=list)
    axes: list = field(default_factory=list)
    size: list = field(default_factory=list)
    count: dict[str, int] = field(default_factory=dict)

    def add(self, role, center, size, axes=None):
        """Members of one role: centres (k, 3), full size (3,) or (k, 3) along ``axes`` rows."""
        center = np.atleast_2d(np.asarray(center, float))
        first = self.count.get(role, 0)
        self.count[role] = first + len(center)
        self.names += [f"{role}_{first + k + 1:04d}" for k in range(len(center))]
        self.center.append(center)
        self.size.append(np.broadcast_to(np.asarray(size, float), center.shape))
        frame = np.eye(3) if axes is None else np.asarray(axes, float)
        self.axes.append(np.broadcast_to(frame, (len(center), 3, 3)))

    def pieces(self, role, start, end, y, z, across, high, shift=0.0):
        """A line of pieces along x, none longer than the stock, joints moved by ``shift``."""
        joints = np.arange(start + STOCK - shift, end - 0.3, STOCK)
        edges = np.concatenate([[start], joints, [end]])
        middle = (edges[:-1] + edges[1:]) / 2
        center = np.column_stack([middle, np.full_like(middle, y), np.full_like(middle, z)])
        size = np.column_stack(
            [np.diff(edges), np.full_like(middle, across), np.full_like(middle, high)]
        )
        self.add(role, center, size)

    def structure(self):
        return TimberStructure.from_boxes(
            self.names,
            np.concatenate(self.center),
            np.concatenate(self.axes),
            np.concatenate(self.size),
        )


def _grid(x, y, z):
    """Centres of all combinations, (k, 3)."""
    return np.stack(np.meshgrid(x, y, z, indexing="ij"), -1).reshape(-1, 3)


def _sills(frame, length):
    for y in (0.07, WIDTH / 2, WIDTH - 0.07):
        inset = 0.14 if y == WIDTH / 2 else 0.0
        frame.pieces("Sill", inset, length - inset, y, T / 2, 0.14, T)
    reach = WIDTH / 2 - 0.14
    for x in (0.07, length - 0.07):
        for y in (0.14 + reach / 2, WIDTH - 0.14 - reach / 2):
            frame.add("Sill", (x, y, T / 2), (0.14, reach, T))


def _floor(frame, length, x, bottom, blocks):
    """Joists of 235 mm in two runs, rim boards, and ``blocks`` pieces of blocking."""
    depth = 0.235
    run = WIDTH / 2 - T
    y = np.array([T + run / 2, WIDTH - T - run / 2])
    frame.add("Joist", _grid(x, y, [bottom + depth / 2]), (T, run, depth))
    for y_rim in (T / 2, WIDTH - T / 2):
        frame.pieces("RimJoist", 0.0, length, y_rim, bottom + depth / 2, T, depth)
    between = (x[:-1] + x[1:]) / 2
    rows = np.arange(0.6, run, 0.55)[:, None] + np.array([0.0, WIDTH / 2])
    places = _grid(between, rows.ravel(), [bottom + depth / 2])[:blocks]
    if len(places):
        frame.add("Blocking", places, (SPACING - T, T, depth))
    return bottom + depth


def _walls(frame, length, x, bottom):
    """Eaves walls, end walls and an interior bearing wall of 2x4; returns the top."""
    w = 0.089
    lines = (w / 2, WIDTH / 2, WIDTH - w / 2)
    stud_z = bottom + T + STORY / 2
    top = bottom + T + STORY
    for y in lines:
        inset = w if y == WIDTH / 2 else 0.0
        inner = x[(x > inset) & (x < length - inset)]
        frame.pieces("BottomPlate", inset, length - inset, y, bottom + T / 2, w, T)
        frame.add("Stud", _grid(inner, [y], [stud_z]), (T, w, STORY))
        frame.pieces("TopPlate", inset, length - inset, y, top + T / 2, w, T)
        frame.pieces("TopPlate", inset, length - inset, y, top + 1.5 * T, w, T, shift=STOCK / 2)
    half = WIDTH / 2 - w / 2 - w
    studs = np.append(np.arange(w + T / 2, w + half - T, SPACING), w + half - T / 2)
    for end in (w / 2, length - w / 2):
        for at in (w, WIDTH / 2 - w / 2):
            # The interior wall runs between the two halves of the end wall's plates.
            y = at + half / 2 if at == w else WIDTH - w - half / 2
            for level in (bottom + T / 2, top + T / 2, top + 1.5 * T):
                role = "BottomPlate" if level < stud_z else "TopPlate"
                frame.add(role, (end, y, level), (w, half, T))
            places = studs if at == w else WIDTH - studs
            frame.add("Stud", _grid([end], places, [stud_z]), (w, T, STORY))
    for end in (w / 2, length - w / 2):
        frame.add("Stud", (end, WIDTH / 2, stud_z), (w, T, STORY))
        for level in (bottom + T / 2, top + T / 2, top + 1.5 * T):
            role = "BottomPlate" if level < stud_z else "TopPlate"
            frame.add(role, (end, WIDTH / 2, level), (w, w, T))
    return top + 2 * T


def _roof(frame, length, x, plate):
    """Rafters of 184 mm seated on the plates, a ridge board, ceiling joists as ties."""
    depth, ridge = 0.184, 0.235
    cos = 1 / np.hypot(1, PITCH)
    sin = PITCH * cos
    # The underside passes SEAT inwards of the plate's outer edge through the plate's top.
    axis_z = plate - SEAT * PITCH + depth / 2 / cos
    run = WIDTH / 2 - T / 2 + OVERHANG
    middle_y = (WIDTH / 2 - T / 2 - OVERHANG) / 2
    middle_z = axis_z + middle_y * PITCH
    for side in (1, -1):
        along = np.array([0, side * cos, sin])
        y = middle_y if side > 0 else WIDTH - middle_y
        axes = np.array([along, np.cross(along, X), X])
        frame.add("Rafter", _grid(x, [y], [middle_z]), (run / cos, depth, T), axes)
    ridge_z = axis_z + (WIDTH / 2 - T / 2) * PITCH
    frame.pieces("Ridge", 0.0, length, WIDTH / 2, ridge_z, T, ridge)
    tie = x + np.where(x < length / 2, T, -T)
    y = np.array([0.25, 0.75]) * WIDTH
    frame.add("CeilingJoist", _grid(tie, y, [plate + 0.07]), (T, WIDTH / 2, 0.14))


def _house(bays, stories, blocks):
    frame = _Frame()
    length = bays * SPACING + T
    x = T / 2 + np.arange(bays + 1) * SPACING
    _sills(frame, length)
    level = T
    for story in range(stories):
        level = _floor(frame, length, x, level, blocks if story == 0 else 0)
        level = _walls(frame, length, x, level)
    _roof(frame, length, x, level)
    return frame.structure()


def gable_house(members: int = 600, stories: int | None = None) -> TimberStructure:
    """A gable house of exactly ``members`` members (at least 140), longer the more there are.

    Two stories from 400 members on unless ``stories`` says otherwise; what is missing to the exact
    number is filled up with blocking between the joists of the ground floor.
    """
    stories = stories or (2 if members >= 400 else 1)
    low, high = 4, max(8, members)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if len(_house(middle, stories, 0)) <= members else (low, middle)
    bare = len(_house(low, stories, 0))
    if bare > members:
        raise ValueError(f"a house of {stories} stories has at least {bare} members, not {members}")
    return _house(low, stories, members - bare)


def as_submission(structure: TimberStructure) -> dict:
    """The structure as a submission of the released harness (JSON-able)."""
    corners = structure.corners
    members = []
    for i, name in enumerate(structure.names):
        matrix = np.eye(4)
        matrix[:3, :3] = structure.axes[i].T
        matrix[:3, 3] = structure.center[i]
        members.append(
            {
                "name": name,
                "location": structure.center[i].tolist(),
                "dimensions": (2 * structure.half[i]).tolist(),
                "bbox_world_corners": corners[i].tolist(),
                "matrix_world": matrix.tolist(),
            }
        )
    return {"members": members}
