# SPDX-License-Identifier: GPL-3.0-or-later
"""The energy of a checked simulation as a strip in a view: over all frames, with a cursor.

Kinetic, potential and total energy; stretches in which it rises from nowhere are marked. Lines are
sent to the graphics card once and then only drawn.
"""

from __future__ import annotations

from typing import Any

import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader

from ..addon.i18n import say
from ..addon.palette import Palette
from ..addon.pictures.reconstruction.strip import Strip, energy_words
from ..addon.placing import Rect
from .overlay_label import PLATE, WHITE, Board, extent, fill, write
from .overlay_shown import keep

# In text sizes: the strip, what is round it, and the least that it can be seen in.
_WIDE, _HIGH, _PAD, _LEAST = 34.0, 7.0, 0.9, 16.0
_TITLE = 1.9
_DIM = (0.72, 0.72, 0.75)
_RISE = 0.34  # opacity of a stretch in which energy rises
_LINE = 1.6  # pixels, before the interface scale


def draw(board: Board, strip: Strip, frame: int, low: float, palette: Palette) -> Rect | None:
    """Draw the strip above ``low``; returns what it covers, ``None`` where a view is too small."""
    size = board.size
    wide = min(_WIDE * size, board.free.width)
    high = (_HIGH + _TITLE + 2 * _PAD + 1.4) * size
    if wide < _LEAST * size or high > board.free.high - low:
        return None
    plate = Rect(board.free.left, low, board.free.left + wide, low + high)
    inner = Rect(
        plate.left + _PAD * size,
        low + (_PAD + 1.4) * size,
        plate.right - _PAD * size,
        plate.high - (_PAD + _TITLE) * size,
    )
    fill(board.square, plate, PLATE)
    for first, last in strip.rises:
        _fill_share(board, inner, first, last, (*palette.tone("fault"), _RISE))
    _draw_lines(board, strip, inner, palette)
    at = strip.share(frame)
    half = 0.5 * board.context.preferences.system.ui_scale / inner.width
    _fill_share(board, inner, at - half, at + half, (*WHITE, 0.9))
    _write(board, strip, frame, plate, inner, palette)
    return plate


def _fill_share(board: Board, inner: Rect, first: float, last: float, colour: Any) -> None:
    left, right = (inner.left + inner.width * share for share in (first, last))
    least = 1.5 * board.context.preferences.system.ui_scale
    fill(board.square, Rect(left, inner.low, max(right, left + least), inner.high), colour)


def _draw_lines(board: Board, strip: Strip, inner: Rect, palette: Palette) -> None:
    """All lines in shares of the strip, stretched onto its place."""
    shader = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
    made = keep(
        ("strip", id(strip)), lambda: (strip, [_batch(shader, li.points) for li in strip.lines])
    )
    scale = board.context.preferences.system.ui_scale
    gpu.state.blend_set("ALPHA")
    shader.bind()
    region = board.context.region
    shader.uniform_float("viewportSize", (region.width, region.height))
    with gpu.matrix.push_pop():
        gpu.matrix.translate((inner.left, inner.low))
        gpu.matrix.scale((inner.width, inner.height))
        for line, batch in zip(strip.lines, made[1], strict=True):
            shader.uniform_float("lineWidth", _LINE * line.width * scale)
            shader.uniform_float("color", (*palette.tone(line.tone), 1.0))
            batch.draw(shader)
    gpu.state.blend_set("NONE")


def _batch(shader: Any, points: Any) -> Any:
    whole = np.zeros((len(points), 3), np.float32)
    whole[:, :2] = points
    return batch_for_shader(shader, "LINE_STRIP", {"pos": whole})


def _write(
    board: Board, strip: Strip, frame: int, plate: Rect, inner: Rect, palette: Palette
) -> None:
    """What the lines are, how much energy the top is, and the frames at both ends."""
    size = board.size
    x, y = inner.left, plate.high - (_PAD + 1.0) * size
    title = say("Energy, up to {most}", most=energy_words(strip.most))
    write(title, x, y, size)
    x += extent(title, size)[0] + 0.4 * size
    for line in strip.lines:
        name = say(line.name)
        if x + extent(name, size)[0] > inner.right:
            break
        write(name, x, y, size, palette.tone(line.tone))
        x += extent(name, size)[0] + 0.2 * size
    small = 0.92 * size
    foot = plate.low + _PAD * size
    first, last = (str(number) for number in strip.frames)
    write(first, inner.left, foot, small, _DIM)
    write(last, inner.right - extent(last, small)[0] + 1.1 * small, foot, small, _DIM)
    words = say("frame {n}", n=frame)
    wide = extent(words, small)[0]
    middle = inner.left + inner.width * strip.share(frame) - wide / 2
    left = min(max(middle, inner.left + 2.5 * size), inner.right - wide - 2.5 * size)
    write(words, left, foot, small)
