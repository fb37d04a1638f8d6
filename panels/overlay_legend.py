# SPDX-License-Identifier: GPL-3.0-or-later
"""The legend in the lower left of a view: what each colour means, and how many members have it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import blf
import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader

from ..addon.colouring import Entry, Legend, Ramp
from ..addon.placing import Rect
from .overlay_label import PLATE, WHITE, Board, fill, write

# In text sizes.
_LINE, _PAD, _SWATCH, _GAP = 1.75, 0.85, 1.0, 0.6
_RAMP_HIGH, _RAMP_LEAST = 1.2, 21.0
_DIM = (0.72, 0.72, 0.75)


@dataclass(frozen=True)
class _Plan:
    """Sizes of one legend, pixels."""

    wide: float
    high: float
    title: float
    counts: tuple[str, ...]


def draw(board: Board, legend: Legend, low: float) -> Rect | None:
    """Draw a legend above ``low``; returns what it covers, ``None`` where a view is too small."""
    plan = _plan(legend, board.size)
    if plan.wide > board.free.width or plan.high > board.free.high - low:
        return None
    place = Rect(board.free.left, low, board.free.left + plan.wide, low + plan.high)
    fill(board.square, place, PLATE)
    size = board.size
    x = place.left + _PAD * size
    y = place.high - _PAD * size - size
    write(legend.title, x, y, size * 1.08)
    if legend.ramp is not None:
        y -= (_LINE + 0.1) * size
        _draw_ramp(board, legend.ramp, Rect(x, y - 0.2 * size, place.right - _PAD * size, y + size))
        y -= 1.35 * size
    for entry, number in zip(legend.entries, plan.counts, strict=True):
        y -= _LINE * size
        swatch = Rect(x, y - 0.12 * size, x + _SWATCH * size, y + 0.88 * size)
        _draw_swatch(board, swatch, entry)
        write(entry.words, x + (_SWATCH + _GAP) * size, y, size)
        blf.size(0, size)
        write(number, place.right - _PAD * size - blf.dimensions(0, number)[0], y, size, _DIM)
    if legend.note:
        write(legend.note, x, y - _LINE * size, size, _DIM)
    return place


def _plan(legend: Legend, size: float) -> _Plan:
    blf.size(0, size)
    counts = tuple(f"{entry.count:,}" for entry in legend.entries)
    widths = [
        (_SWATCH + 3 * _GAP) * size + blf.dimensions(0, e.words)[0] + blf.dimensions(0, c)[0]
        for e, c in zip(legend.entries, counts, strict=True)
    ]
    widths.append(blf.dimensions(0, legend.note)[0])
    blf.size(0, size * 1.08)
    title = blf.dimensions(0, legend.title)[0]
    widths.append(title)
    lines = len(legend.entries) + (1 if legend.note else 0)
    high = 2 * _PAD * size + size + lines * _LINE * size
    if legend.ramp is not None:
        widths.append(_RAMP_LEAST * size)
        high += (_LINE + 1.45) * size
    return _Plan(max(widths) + 2 * _PAD * size, high, title, counts)


def _draw_swatch(board: Board, swatch: Rect, entry: Entry) -> None:
    """The colour as a square, or as the ring that stands at a place."""
    fill(board.square, swatch.grown(1.0), (0.0, 0.0, 0.0, 1.0))
    fill(board.square, swatch, (*entry.colour, 1.0))
    if entry.place:
        side = swatch.width
        fill(board.square, swatch.grown(-0.18 * side), (*PLATE[:3], 1.0))
        fill(board.square, swatch.grown(-0.36 * side), (*entry.colour, 1.0))


def _draw_ramp(board: Board, ramp: Ramp, place: Rect) -> None:
    """The scale itself, with its figures below."""
    low = place.high - _RAMP_HIGH * board.size
    bar = Rect(place.left, low, place.right, place.high)
    fill(board.square, bar.grown(1.0), (0.0, 0.0, 0.0, 1.0))
    _draw_bands(ramp.colours, bar)
    size = board.size * 0.92
    for share, words in ramp.marks:
        x = bar.left + bar.width * share
        if share < 1.0:
            tick = Rect(x - 0.75, bar.low - 0.3 * size, x + 0.75, bar.low)
            fill(board.square, tick, (*WHITE, 1.0))
        blf.size(0, size)
        wide = blf.dimensions(0, words)[0]
        left = min(max(x - wide / 2, bar.left), bar.right - wide)
        write(words, left, bar.low - 1.3 * size, size, _DIM)


def _draw_bands(colours: Any, bar: Rect) -> None:
    """Narrow bands side by side, so that a break in the ramp stays a break."""
    k = len(colours)
    edges = np.linspace(bar.left, bar.right, k + 1)
    points = np.zeros((k, 4, 3), np.float32)
    points[:, (0, 3), 0], points[:, (1, 2), 0] = edges[:-1, None], edges[1:, None]
    points[:, :2, 1], points[:, 2:, 1] = bar.low, bar.high
    rgba = np.ones((k, 4, 4), np.float32)
    rgba[..., :3] = colours[:, None, :]
    first = np.arange(k, dtype=np.int32)[:, None, None] * 4
    triangles = (first + np.array([(0, 1, 2), (0, 2, 3)], np.int32)).reshape(-1, 3)
    shader = gpu.shader.from_builtin("FLAT_COLOR")
    batch = batch_for_shader(
        shader,
        "TRIS",
        {"pos": points.reshape(-1, 3), "color": rgba.reshape(-1, 4)},
        indices=triangles,
    )
    shader.bind()
    batch.draw(shader)
