# SPDX-License-Identifier: GPL-3.0-or-later
"""How members moved while they fell, and the form in which a motion is played."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .model import Floats, Model


@dataclass(frozen=True, eq=False)
class Motion:
    """Poses of ``n`` members in ``f`` frames; the first is how they stood.

    Attributes
    ----------
    fps
        Frames a second.
    turn
        From how each member stood, (f, n, 3, 3): ``p -> turn @ (p - start) + place``.
    place
        Centres of the boxes, (f, n, 3), m.
    settled
        Whether everything lay still at the end, rather than the time being over.
    """

    fps: float
    turn: Floats
    place: Floats
    settled: bool = False

    def __len__(self) -> int:
        return len(self.place)

    @property
    def seconds(self) -> float:
        """How long it lasted, s."""
        return (len(self) - 1) / self.fps

    def corners(self, model: Model, frame: int) -> Floats:
        """Corners of the boxes in a frame, (n, 8, 3), m."""
        local = model.corners - model.center[:, None]
        corners: Floats = local @ self.turn[frame].transpose(0, 2, 1) + self.place[frame][:, None]
        return corners

    def points(self, rows: np.ndarray, spots: Floats, model: Model) -> Floats:
        """Where points ``spots`` (k, 3) that go along with members ``rows`` (k,) are, (f, k, 3)."""
        local = spots - model.center[rows]
        turned = np.einsum("fkij,kj->fki", self.turn[:, rows], local)
        moved: Floats = turned + self.place[:, rows]
        return moved

    @cached_property
    def drop(self) -> Floats:
        """How far each centre came down at most, (n,), m."""
        drop: Floats = (self.place[0, :, 2] - self.place[:, :, 2]).max(axis=0)
        return drop


def displaced(model: Model, motion: Motion) -> Floats:
    """How far the corner that moved most is from where it was, (f, n), m."""
    return np.stack(
        [
            np.linalg.norm(motion.corners(model, f) - model.corners, axis=2).max(axis=1)
            for f in range(len(motion))
        ]
    )


def matrices(model: Model, motion: Motion, unit: float = 1.0) -> Floats:
    """What moves each member from where it stood, (f, n, 4, 4), in units of ``unit`` m."""
    f, n = motion.place.shape[:2]
    found = np.zeros((f, n, 4, 4))
    found[..., :3, :3] = motion.turn
    turned = np.einsum("fnij,nj->fni", motion.turn, model.center)
    found[..., :3, 3] = (motion.place - turned) / unit
    found[..., 3, 3] = 1.0
    return found
