# SPDX-License-Identifier: GPL-3.0-or-later
"""What has to be in sight while motions are shown. Main thread only."""

from __future__ import annotations

import bpy
import numpy as np

from .motion import Floats, Show, Take
from .playback_scene import Body, Stage

#: So far beyond where all stands at first a motion is followed on each side, of the longest extent
#: of that: what falls for ever would make all else small.
_FOLLOWED = 0.25
#: Percentiles of the places, so that one that flies off doesn't count.
_MOST = (2, 98)


def extent(show: Show, stage: Stage) -> tuple[list[float], float]:
    """Middle and radius of a ball that holds what moves in all takes, in the scene's units.

    It holds whole what moves as it stands at first, and where it goes, up to a bound. Of structures
    that fall, and where nothing moves, it holds all.
    """
    scene = stage.scene
    objects = {obj.session_uid: obj for obj in scene.objects} if scene is not None else {}
    start: list[Floats] = []
    standing: list[Floats] = []
    paths: list[Floats] = []
    for take, bodies in zip(show.takes, stage.bodies, strict=True):
        there = [body for body in bodies if body.uid in objects]
        corners = _corners(take, there, objects)
        moves = _moves(take)
        chosen = np.array([moves[body.row] for body in there], bool)
        structure = take.motion.size is None
        start.append(corners[chosen | structure].reshape(-1, 3))
        standing.append(corners.reshape(-1, 3))
        paths.append(take.motion.matrices[:, moves, :3, 3].reshape(-1, 3))
        paths += [mesh[::8].reshape(-1, 3) for mesh in take.motion.meshes.values()]
    low, high = _box(standing)
    if not np.isfinite(low).all():
        return [0.0, 0.0, 0.0], 0.0
    bound = _FOLLOWED * float((high - low).max())
    if sum(len(take.motion.names) for take in show.takes) == len(show.takes):
        bound = np.inf  # one body alone: where it goes is all that there is to see
    every = np.concatenate([np.zeros((0, 3)), *paths])
    least, most = _box(start)
    if len(every):
        ends = np.percentile(every, _MOST, axis=0)
        least = np.minimum(least, np.maximum(ends[0], low - bound))
        most = np.maximum(most, np.minimum(ends[1], high + bound))
    if not np.isfinite(least).all():
        least, most = low, high
    return ((least + most) / 2).tolist(), float(np.linalg.norm(most - least) / 2)


def _moves(take: Take) -> np.ndarray:
    """Which bodies move or deform, (k,)."""
    motion = take.motion
    places = motion.matrices[..., :3, 3]
    travelled = np.linalg.norm(places - places[:1], axis=-1).max(0, initial=0.0)
    deforms = np.array([name in motion.meshes for name in motion.names], bool)
    return (take.moved >= 0) | (travelled > 1e-6) | deforms


def _corners(take: Take, bodies: list[Body], objects: dict[int, bpy.types.Object]) -> Floats:
    """Corners of the boxes round bodies as they stand at first, (n, 8, 3)."""
    found = np.zeros((len(bodies), 8, 3))
    for k, body in enumerate(bodies):
        if body.mesh is not None:
            low, high = body.mesh[0].min(0), body.mesh[0].max(0)
            found[k] = np.where(np.indices((2, 2, 2)).reshape(3, 8).T, high, low)
            continue
        matrix = take.motion.matrices[0, body.row] @ np.array(body.scale)
        found[k] = np.array(objects[body.uid].bound_box) @ matrix[:3, :3].T + matrix[:3, 3]
    return found


def _box(points: list[Floats]) -> tuple[Floats, Floats]:
    """Lowest and highest corner; infinite where there is no point."""
    every = np.concatenate([np.zeros((0, 3)), *points])
    return every.min(0, initial=np.inf), every.max(0, initial=-np.inf)
