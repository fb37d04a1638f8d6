# SPDX-License-Identifier: GPL-3.0-or-later
"""Coloured boxes as one mesh for the graphics card, and lines broken into dashes. Pure NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .pictures.drawing import Floats, Solid

Singles = NDArray[np.float32]

#: The six faces of a box by its corners (in the order of ``CORNER_SIGNS``), seen from outside
#: anticlockwise, and its twelve edges.
FACES = np.array(
    [(0, 1, 2, 3), (4, 7, 6, 5), (0, 4, 5, 1), (3, 2, 6, 7), (0, 3, 7, 4), (1, 5, 6, 2)], np.int32
)
EDGES = np.array(
    [
        (0, 1),
        (1, 2),
        (2, 3),
        (3, 0),
        (4, 5),
        (5, 6),
        (6, 7),
        (7, 4),
        (0, 4),
        (1, 5),
        (2, 6),
        (3, 7),
    ],
    np.int32,
)
_HALVES = np.array([(0, 1, 2), (0, 2, 3)], np.int32)

# Where the light comes from and how much darker than its colour the darkest side of a box is: sides
# must be told apart, and yet each must be found in the legend.
_LIGHT = np.array([0.35, -0.53, 0.77])
_DARKEST, _EDGE = 0.66, 0.45


@dataclass(frozen=True)
class Painted:
    """A mesh of ``m`` points: colours (m, 4) sRGB, triangles (t, 3), and its edges (e, 2).

    Edges have points and colours of their own, since a corner of a box has three shades.
    """

    points: Singles
    colours: Singles
    triangles: NDArray[np.int32]
    edge_points: Singles
    edge_colours: Singles
    edges: NDArray[np.int32]


def painted(corners: Singles, rgb: Singles, edge_skin: float = 0.0) -> Painted:
    """Boxes (k, 8, 3) in colours (k, 3), lit so that one sees their shape, with darker edges.

    ``edge_skin`` lifts the edges off the faces by so much, in the units of ``corners``.
    """
    k = len(corners)
    quads = corners[:, FACES]  # (k, 6, 4, 3)
    shades = _shades(quads)
    colours = np.ones((k, 6, 4, 4), np.float32)
    colours[..., :3] = (rgb[:, None, :] * shades[:, :, None])[:, :, None, :]
    first = np.arange(6 * k, dtype=np.int32) * 4
    triangles = (first[:, None, None] + _HALVES).reshape(-1, 3)
    outward = corners - corners.mean(axis=1, keepdims=True)
    outward *= edge_skin / np.maximum(np.linalg.norm(outward, axis=2, keepdims=True), 1e-9)
    edge_colours = np.ones((k, 8, 4), np.float32)
    edge_colours[..., :3] = rgb[:, None, :] * _EDGE
    edges = (np.arange(k, dtype=np.int32)[:, None, None] * 8 + EDGES).reshape(-1, 2)
    return Painted(
        np.ascontiguousarray(quads.reshape(-1, 3)),
        colours.reshape(-1, 4),
        triangles,
        (corners + outward).reshape(-1, 3),
        edge_colours.reshape(-1, 4),
        edges,
    )


def painted_surfaces(solids: Sequence[Solid], rgb: Singles) -> Painted:
    """Surfaces in colours (k, 3), each triangle lit as the sides of boxes are, with their edges."""
    corners = [solid.points[solid.triangles] for solid in solids]  # (t, 3, 3) each
    points = np.concatenate([c.reshape(-1, 3) for c in corners] or [np.zeros((0, 3))])
    of_face = np.repeat(np.arange(len(solids)), [len(c) for c in corners])
    faces = points.reshape(-1, 3, 3).astype(np.float32)
    quads = faces[:, None, [0, 1, 2, 2]]  # a normal is that of its first, second and last corner
    shades = _shades(quads)[:, 0]
    colours = np.ones((len(faces), 3, 4), np.float32)
    colours[..., :3] = (rgb[of_face] * shades[:, None])[:, None, :]
    ends = [solid.points[solid.edges].reshape(-1, 3) for solid in solids]
    edge_points = np.concatenate(ends or [np.zeros((0, 3))]).astype(np.float32)
    of_end = np.repeat(np.arange(len(solids)), [len(e) for e in ends])
    edge_colours = np.ones((len(edge_points), 4), np.float32)
    edge_colours[:, :3] = rgb[of_end] * _EDGE
    return Painted(
        np.ascontiguousarray(faces.reshape(-1, 3)),
        colours.reshape(-1, 4),
        np.arange(3 * len(faces), dtype=np.int32).reshape(-1, 3),
        edge_points,
        edge_colours,
        np.arange(len(edge_points), dtype=np.int32).reshape(-1, 2),
    )


def painted_faces(
    quads: NDArray[np.float64], rgb: NDArray[np.float64]
) -> tuple[Singles, Singles, NDArray[np.int32]]:
    """Faces (q, 4, 3) in colours (q, 3), lit as boxes are: points, colours (4 q, 4), triangles."""
    points = np.asarray(quads, np.float32)
    colours = np.ones((len(points), 4, 4), np.float32)
    colours[..., :3] = (rgb * _shades(points[:, None]))[:, None, :]
    first = np.arange(len(points), dtype=np.int32) * 4
    triangles = (first[:, None, None] + _HALVES).reshape(-1, 3)
    return np.ascontiguousarray(points.reshape(-1, 3)), colours.reshape(-1, 4), triangles


def _shades(quads: Singles) -> Singles:
    """How bright each face is, (k, 6), from its normal and the light."""
    normals = np.cross(quads[:, :, 1] - quads[:, :, 0], quads[:, :, 3] - quads[:, :, 0])
    sizes = np.linalg.norm(normals, axis=2)
    facing = np.divide(normals @ _LIGHT, sizes, out=np.zeros_like(sizes), where=sizes > 0)
    shades: Singles = (_DARKEST + (1.0 - _DARKEST) * (0.5 + 0.5 * facing)).astype(np.float32)
    return shades


def faded(rgb: Singles, ground: tuple[float, float, float], share: float) -> Singles:
    """Colours (k, 3) mixed with the ground behind them, which gets ``share``."""
    mixed: Singles = (rgb * (1.0 - share) + np.asarray(ground) * share).astype(np.float32)
    return mixed


def dashes(points: Floats, dash: float, gap: float) -> Floats:
    """Pairs of points (2 k, 3) as dashes of about that length, each line ending in a dash.

    Lines shorter than one dash and a gap stay whole.
    """
    pairs = np.asarray(points, float).reshape(-1, 2, 3)
    made = []
    for start, end in pairs:
        length = float(np.linalg.norm(end - start))
        number = int((length + gap) // (dash + gap)) if length > 0 else 0
        if number < 2:
            made.append(np.stack([start, end])[None])
            continue
        step = (length + gap) / number
        begin = np.arange(number) * step / length
        stop = begin + (step - gap) / length
        shares = np.stack([begin, np.minimum(stop, 1.0)], axis=1)[:, :, None]
        made.append(start + shares * (end - start))
    return np.concatenate(made).reshape(-1, 3) if made else np.zeros((0, 3))
