# SPDX-License-Identifier: GPL-3.0-or-later
"""Evaluated places of objects in the present frame, read in one go, and poses made of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import bpy

Floats = NDArray[np.float64]


class PoseReader:
    """Reads where objects are, simulation included: 10 us for 50 of them.

    Hidden ones are simulated as well, but aren't among a depsgraph's objects: they are asked one
    by one. Where ``changing``, objects may be hidden or shown on the way, and it is looked who is
    there in each frame, which takes as long again.
    """

    def __init__(self, objects: list[bpy.types.Object], changing: bool = True) -> None:
        self._objects = objects
        self._changing = changing
        self._names: list[str] | None = None
        self._rows: NDArray[np.int64] = np.zeros(0, np.int64)
        self._places: NDArray[np.int64] = np.zeros(0, np.int64)
        self._single: list[int] = []
        self._whole: NDArray[np.float32] = np.zeros(0, np.float32)
        self._columns: NDArray[np.float32] = self._whole.reshape(-1, 4, 4)

    def read(self, graph: bpy.types.Depsgraph, out: NDArray[np.float32]) -> None:
        """World matrices into ``out``, (k, 4, 4), in the units of the scene."""
        there = graph.objects
        if self._changing or self._names is None:
            self._look(there.keys())
        if len(self._rows):
            try:
                there.foreach_get("matrix_world", self._whole)
            except (RuntimeError, TypeError):  # others are there now
                self._look(there.keys())
                there.foreach_get("matrix_world", self._whole)
            # Blender gives columns one after the other.
            out[self._places] = self._columns[self._rows].swapaxes(1, 2)
        for k in self._single:
            out[k] = np.array(self._objects[k].evaluated_get(graph).matrix_world, np.float32)

    def look_again(self) -> None:
        """Objects were hidden, shown or removed since."""
        self._names = None

    def _look(self, names: list[str]) -> None:
        if names != self._names:
            self._map(names)

    def _map(self, names: list[str]) -> None:
        """Which of the depsgraph's objects each of ours is; the names there may be shared."""
        self._names = names
        once = {name: row for row, name in enumerate(names)}
        twice = {name for name in names if names.count(name) > 1} if len(once) < len(names) else ()
        pairs, self._single = [], []
        for k, obj in enumerate(self._objects):
            row = once.get(obj.name)
            if row is None or obj.name in twice or obj.library is not None:
                self._single.append(k)
            else:
                pairs.append((k, row))
        whole = np.array(pairs, np.int64).reshape(-1, 2)
        self._places, self._rows = whole[:, 0], whole[:, 1]
        self._whole = np.empty(16 * len(names), np.float32)
        self._columns = self._whole.reshape(-1, 4, 4)


def split(matrices: NDArray[Any]) -> tuple[Floats, Floats, Floats]:
    """Places (..., 3), right-handed rotation matrices (..., 3, 3) and scales (..., 3).

    Of a mirrored matrix all scales are negative, as Blender splits one; one that leans is made
    upright axis by axis, x first.
    """
    whole = np.asarray(matrices, np.float64)
    linear = whole[..., :3, :3]
    with np.errstate(invalid="ignore", divide="ignore"):
        scale = np.linalg.norm(linear, axis=-2)
        x, y, z = (linear[..., k] for k in range(3))
        x = _unit(x, (1.0, 0.0, 0.0))
        y = _unit(y - (y * x).sum(-1, keepdims=True) * x, None, x)
        across = np.cross(x, y)
        mirrored = (across * z).sum(-1) < 0
        turned = np.stack((x, y, across), axis=-1)
        # Half a turn about the third axis, with it mirrored too: minus one in all three.
        turned[mirrored] *= np.array([-1.0, -1.0, 1.0])
        scale[mirrored] *= -1
    return whole[..., :3, 3].copy(), turned, scale


def _unit(vectors: Floats, otherwise: Any, beside: Floats | None = None) -> Floats:
    """Vectors of length 1; another one, or one square to ``beside``, where there is no length."""
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    flat = length[..., 0] <= 1e-12
    made: Floats = vectors / np.where(flat[..., None], 1.0, length)
    if flat.any():
        if beside is None:
            made[flat] = otherwise
        else:
            axis = np.eye(3)[np.abs(beside[flat]).argmin(-1)]
            square = np.cross(beside[flat], axis)
            made[flat] = square / np.linalg.norm(square, axis=-1, keepdims=True)
    return made


def quaternions(turned: Floats) -> Floats:
    """Unit quaternions (..., 4) as (w, x, y, z) of rotation matrices; NaN of what is none."""
    m = turned
    xx, yy, zz = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
    # Four times the square of each part; the largest one is safe to divide by.
    square = np.stack(
        (1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz), axis=-1
    )
    best = np.nan_to_num(square).argmax(-1)
    wx, wy, wz = (
        m[..., 2, 1] - m[..., 1, 2],
        m[..., 0, 2] - m[..., 2, 0],
        m[..., 1, 0] - m[..., 0, 1],
    )
    xy, xz, yz = (
        m[..., 0, 1] + m[..., 1, 0],
        m[..., 0, 2] + m[..., 2, 0],
        m[..., 1, 2] + m[..., 2, 1],
    )
    rows = np.stack(
        (
            np.stack((square[..., 0], wx, wy, wz), axis=-1),
            np.stack((wx, square[..., 1], xy, xz), axis=-1),
            np.stack((wy, xy, square[..., 2], yz), axis=-1),
            np.stack((wz, xz, yz, square[..., 3]), axis=-1),
        ),
        axis=-2,
    )
    picked = np.take_along_axis(rows, best[..., None, None], axis=-2)[..., 0, :]
    made: Floats = picked / np.linalg.norm(picked, axis=-1, keepdims=True)
    return made


def steady(quaternion: Floats) -> Floats:
    """Quaternions (f, n, 4) without changes of sign from one frame to the next."""
    if len(quaternion) < 2:
        return quaternion
    with np.errstate(invalid="ignore"):
        turn = np.where((quaternion[1:] * quaternion[:-1]).sum(-1) < 0, -1.0, 1.0)
    made = quaternion.copy()
    made[1:] *= np.cumprod(turn, axis=0)[..., None]
    return made
