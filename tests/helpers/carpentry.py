# SPDX-License-Identifier: GPL-3.0-or-later
"""Floors, walls and roofs in pieces, for tests of one check each; sizes in metres."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
from gables import Frame
from plumbline.checks.timber import TimberBrief, TimberStructure
from plumbline.checks.timber.engineering.joints import Joints

T, STUD, JOIST, GRID = 0.038, 0.089, 0.235, 0.406


def joints_of(structure: TimberStructure, **brief) -> Joints:
    """Joints under a brief with these values."""
    return Joints.of(structure, TimberBrief(**brief))


def without(structure: TimberStructure, pattern: str) -> TimberStructure:
    """The structure without the members whose whole name matches."""
    keep = np.array([not re.fullmatch(pattern, name) for name in structure.names])
    assert not keep.all(), f"nothing is called {pattern}"
    return structure.subset(keep)


def moved(structure: TimberStructure, name: str, offset) -> TimberStructure:
    """The structure with one member shifted by ``offset``."""
    center = structure.center.copy()
    center[structure.names.index(name)] += offset
    return replace(structure, center=center)


def resized(structure: TimberStructure, pattern: str, **extent: float) -> TimberStructure:
    """The structure with members made ``x``, ``y`` or ``z`` metres long about their centres."""
    size = 2.0 * structure.half
    for k, name in enumerate(structure.names):
        if re.fullmatch(pattern, name):
            for key, value in extent.items():
                size[k, np.abs(structure.axes[k, :, "xyz".index(key)]).argmax()] = value
    return TimberStructure.from_boxes(structure.names, structure.center, structure.axes, size)


def floor(frame: Frame, count: int = 9, span: float = 3.0, spacing: float = GRID) -> None:
    """Joists along y on two sills on the ground, closed by rim joists."""
    length = (count - 1) * spacing + T
    top = T + JOIST
    for tag, low in (("S", 0.0), ("N", span)):
        frame.box(f"Sill_{tag}", (0, low, 0), (length, low + 0.14, T))
    depth = span + 0.14
    for tag, low in (("S", 0.0), ("N", depth - T)):
        frame.box(f"RimJoist_{tag}", (0, low, T), (length, low + T, top))
    for k in range(count):
        low = (k * spacing, T, T)
        frame.box(f"Joist_{k:02d}", low, (k * spacing + T, depth - T, top))


def wall(
    frame: Frame,
    length: float = 4.098,
    openings: tuple[tuple[float, float, float | None], ...] = (),
    height: float = 2.4,
) -> None:
    """A wall along x on a sill; ``openings`` are (low, high, sill height or None for a door)."""
    top = T + height
    frame.box("Sill", (0, 0, 0), (length, STUD, T))
    frame.box("TopPlate_1", (0, 0, top), (length, STUD, top + T))
    frame.box("TopPlate_2", (0, 0, top + T), (length, STUD, top + 2 * T))

    def stand(name: str, low: float, bottom: float, head: float) -> None:
        frame.box(name, (low, 0, bottom), (low + T, STUD, head))

    grid = [k * GRID for k in range(int(length / GRID) + 1) if k * GRID < length - 1.5 * T]
    for k, low in enumerate([*grid, length - T]):
        if not any(a - 3 * T < low < b + 2 * T for a, b, _ in openings):
            stand(f"Stud_{k:02d}", low, T, top)
    for n, (a, b, sill) in enumerate(openings):
        head, above = T + 2.0, T + 2.0 + 0.184
        for tag, king, trimmer in (("L", a - 2 * T, a - T), ("R", b + T, b)):
            stand(f"KingStud_{n}{tag}", king, T, top)
            stand(f"TrimmerStud_{n}{tag}", trimmer, T, head)
        frame.box(f"Header_{n}", (a - T, 0, head), (b + T, STUD, above))
        inside = [low for low in grid if a <= low <= b - T]
        for k, low in enumerate(inside):
            stand(f"Cripple_{n}_Over_{k}", low, above, top)
        if sill is not None:
            frame.box(f"WindowSill_{n}", (a, 0, sill), (b, STUD, sill + T))
            for k, low in enumerate([a, b - T]):
                stand(f"Cripple_{n}_Under_{k}", low, T, sill)


def framed_floor(**values) -> TimberStructure:
    """:func:`floor` alone."""
    frame = Frame()
    floor(frame, **values)
    return frame.structure()


def framed_wall(*openings, **values) -> TimberStructure:
    """:func:`wall` alone."""
    frame = Frame()
    wall(frame, openings=openings, **values)
    return frame.structure()


def hip_roof() -> TimberStructure:
    """Plates of a 6.5 x 4 m house and a 45 degree hip roof on them, on the 406 mm grid.

    Commons and jacks run from the outer edge of the plates to the planes of the ridge and hips.
    """
    frame = Frame()
    bays, half = 16, 5
    length, width = bays * GRID, 2 * half * GRID
    z, depth = 0.114, 0.140
    for tag, low, high in (
        ("S", (0, 0), (length, STUD)),
        ("N", (0, width - STUD), (length, width)),
        ("W", (0, STUD), (STUD, width - STUD)),
        ("E", (length - STUD, STUD), (length, width - STUD)),
    ):
        frame.box(f"Sill_{tag}", (*low, 0), (*high, z))
    lift = (depth / 2 - 0.030) * np.sqrt(2.0)

    def sloped(name, start, end, thick=depth):
        start, end = np.asarray(start, float), np.asarray(end, float)
        along = (end - start) / np.linalg.norm(end - start)
        side = np.cross([0, 0, 1.0], along)
        side /= np.linalg.norm(side)
        axes = np.array([along, np.cross(along, side), side])
        frame.oriented(name, (start + end) / 2, axes, (np.linalg.norm(end - start), thick, T))

    first, last = half * GRID, length - half * GRID
    peak = z + lift + width / 2
    frame.box("Ridge", (first, width / 2 - T / 2, peak - 0.184), (last, width / 2 + T / 2, peak))
    for k in range(1, bays):
        x = k * GRID
        run = min(k, bays - k, half) * GRID - (T / 2 if half <= k <= bays - half else 0.0)
        role = "Rafter" if half <= k <= bays - half else "JackRafter"
        for tag, foot, way in (("S", 0.0, 1), ("N", width, -1)):
            sloped(
                f"{role}_{tag}_{k:02d}", (x, foot, z + lift), (x, foot + way * run, z + lift + run)
            )
    for k in range(1, 2 * half):
        y, run = k * GRID, min(k, 2 * half - k) * GRID
        for tag, foot, way in (("W", 0.0, 1), ("E", length, -1)):
            sloped(
                f"JackRafter_{tag}_{k:02d}",
                (foot, y, z + lift),
                (foot + way * run, y, z + lift + run),
            )
    for tag, x, y, dx, dy in (
        ("SW", 0, 0, 1, 1),
        ("SE", length, 0, -1, 1),
        ("NW", 0, width, 1, -1),
        ("NE", length, width, -1, -1),
    ):
        run = half * GRID
        sloped(
            f"HipRafter_{tag}",
            (x, y, z + lift),
            (x + dx * run, y + dy * run, z + lift + run),
            0.184,
        )
    return frame.structure()
