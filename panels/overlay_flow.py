# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrows along which loads move, the timer that moves them, and rings round places."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import bpy
import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader

from ..addon.flowing import heads, rings, shafts
from ..addon.palette import RGB, Palette
from ..addon.pictures.drawing import Flow, Place
from ..addon.placing import clipped, projected
from ..addon.session.gallery import redraw

INTERVAL = 1.0 / 12.0  # s between two redraws
_PATIENCE = 6  # ticks without a flow in sight, after which the timer goes
_HEAD, _SHAFT, _RIM = 13.0, 3.0, 2.0  # pixels, before the interface scale
_RADIUS, _RING = 13.0, 4.0  # of a ring round a place, and its width
_DARK = (0.05, 0.05, 0.06)

_motion: dict[str, Any] = {"idle": 0}


def draw(
    context: bpy.types.Context,
    flows: tuple[Flow, ...],
    palette: Palette,
    unit: float,
    moving: bool,
) -> None:
    """Draw flows over everything in a view; in a POST_PIXEL handler. Places in m."""
    if not flows:
        return
    scale = context.preferences.system.ui_scale
    size = (context.region.width, context.region.height)
    seconds = time.monotonic() if moving else 0.0
    parts = []
    for flow in flows:
        lines = clipped(flow.arrows / unit, context.region_data.perspective_matrix, *size)
        if len(lines):
            parts += _coloured(lines, palette.tone(flow.tone), scale, seconds)
    if parts:
        _draw_triangles(parts)
    if moving:
        _keep_moving()


def draw_places(
    context: bpy.types.Context, places: Sequence[tuple[Place, RGB]], unit: float
) -> None:
    """Draw a ring round each place, m, in its colour, over everything in a view."""
    if not places:
        return
    scale = context.preferences.system.ui_scale
    matrix = context.region_data.perspective_matrix
    where = np.array([place for place, _ in places]) / unit
    at = projected(where, matrix, context.region.width, context.region.height)
    by_colour: dict[RGB, list[int]] = {}
    for row in np.flatnonzero(np.isfinite(at).all(axis=1)).tolist():
        by_colour.setdefault(places[row][1], []).append(row)
    parts = []
    for colour, rows in by_colour.items():
        for width, rgba in ((_RING + 2.4 * _RIM, (*_DARK, 0.8)), (_RING, (*colour, 1.0))):
            parts.append((rings(at[rows], _RADIUS * scale, width * scale), rgba))
    if parts:
        _draw_triangles(parts)


def _coloured(lines: Any, colour: Any, scale: float, seconds: float) -> list[tuple[Any, Any]]:
    """Triangles with their colours: a dark rim below, then the shafts, then the heads."""
    rim = _RIM * scale
    head = _HEAD * scale
    tips = heads(lines, head, seconds)
    return [
        (shafts(lines, _SHAFT * scale + 2 * rim), (*_DARK, 0.55)),
        (_larger(tips, rim), (*_DARK, 0.75)),
        (shafts(lines, _SHAFT * scale), (*colour, 0.8)),
        (tips, (*colour, 1.0)),
    ]


def _larger(triangles: Any, by: float) -> Any:
    middle = triangles.mean(axis=1, keepdims=True)
    outward = triangles - middle
    reach = np.linalg.norm(outward, axis=2, keepdims=True)
    return middle + outward * (1.0 + 1.6 * by / np.maximum(reach, 1e-6))


def _draw_triangles(parts: list[tuple[Any, Any]]) -> None:
    points = np.concatenate([triangles.reshape(-1, 2) for triangles, _ in parts])
    colours = np.concatenate(
        [np.tile(np.float32(colour), (triangles.size // 2, 1)) for triangles, colour in parts]
    )
    shader = gpu.shader.from_builtin("FLAT_COLOR")
    where = np.zeros((len(points), 3), np.float32)
    where[:, :2] = points
    batch = batch_for_shader(shader, "TRIS", {"pos": where, "color": colours})
    gpu.state.blend_set("ALPHA")
    shader.bind()
    batch.draw(shader)
    gpu.state.blend_set("NONE")


def _keep_moving() -> None:
    _motion["idle"] = 0
    if not bpy.app.timers.is_registered(_tick):
        bpy.app.timers.register(_tick, first_interval=INTERVAL, persistent=True)


def _tick() -> float | None:
    """Have the views drawn again; ends by itself once no view drew a flow for a while."""
    _motion["idle"] += 1
    if _motion["idle"] > _PATIENCE:
        return None
    redraw()
    return INTERVAL


def stop() -> None:
    """Take the timer away."""
    if bpy.app.timers.is_registered(_tick):
        bpy.app.timers.unregister(_tick)


def moving() -> bool:
    """Whether the timer is there."""
    return bool(bpy.app.timers.is_registered(_tick))
