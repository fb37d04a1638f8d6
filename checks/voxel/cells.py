# SPDX-License-Identifier: GPL-3.0-or-later
"""Integer cells: keys for look-up, steps to neighbours, and where a cell stands in Blender."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

# Farthest coordinate from the origin, in blocks: three of them fit into one 63-bit key, with room
# for neighbours. A Minecraft world is wider, but nobody builds over its whole width.
REACH = 1_000_000
_BITS = 21
_HALF = 1 << (_BITS - 1)

FACES: Ints = np.array(
    [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]], dtype=np.int64
)


def pack(positions: Any) -> Ints:
    """One key a cell, (n,): ``pack(p + d)`` is ``pack(p) + shift(d)`` for small steps ``d``."""
    p = np.asarray(positions, dtype=np.int64).reshape(-1, 3) + _HALF
    return (p[:, 0] << (2 * _BITS)) | (p[:, 1] << _BITS) | p[:, 2]


def shift(offsets: Any) -> Ints:
    """What a step adds to a key of :func:`pack`; ``offsets`` (k, 3) -> (k,)."""
    d = np.asarray(offsets, dtype=np.int64).reshape(-1, 3)
    return d[:, 0] * (1 << (2 * _BITS)) + d[:, 1] * (1 << _BITS) + d[:, 2]


def find(keys: Ints, wanted: Ints, order: Ints | None = None) -> Ints:
    """Index of every ``wanted`` key in ``keys``, -1 where it is not there; shape of ``wanted``.

    ``order`` is ``np.argsort(keys)`` where it is known already.
    """
    if not len(keys):
        return np.full(wanted.shape, -1, dtype=np.int64)
    order = np.argsort(keys, kind="stable") if order is None else order
    ranked = keys[order]
    place = np.minimum(np.searchsorted(ranked, wanted), len(keys) - 1)
    return np.where(ranked[place] == wanted, order[place], -1)


def to_blender(positions: Any) -> NDArray[np.float64]:
    """Block centres in Blender's frame, (n, 3), m: (x, y, z) -> (x, -z, y), one block is 1 m."""
    p = np.asarray(positions, dtype=np.float64).reshape(-1, 3)
    return np.stack([p[:, 0], -p[:, 2], p[:, 1]], axis=1) + 0.0  # + 0.0: no minus zero


def block_name(position: Any) -> str:
    """What findings call a block: ``"block (x, y, z)"``."""
    x, y, z = (int(v) for v in position)
    return f"block ({x}, {y}, {z})"
