# SPDX-License-Identifier: GPL-3.0-or-later
"""Writing in the view: the chosen finding's figures, and short words at places, on dark plates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import blf
import bpy
import gpu
from gpu_extras.batch import batch_for_shader

from ..addon.palette import RGB, Palette
from ..addon.pictures.drawing import Words
from ..addon.placing import Rect, free_place, nearest_edge, projected

TEXT_SIZE, LABEL_SIZE = 13.0, 15.0  # points, before the interface scale
PLATE = (0.07, 0.07, 0.08, 0.88)  # ground of writing, sRGB
WHITE: RGB = (1.0, 1.0, 1.0)
_PAD = 0.55  # round a text, in text sizes
_GAP = "   "
_WIDEST = 0.6  # share of the view beyond which the label has two lines
_STRIPE = 0.28  # width of the coloured stripe of the label, in text sizes


@dataclass(frozen=True)
class Board:
    """What writing needs to know of a view: its free part, its unit square, its text size."""

    context: bpy.types.Context
    free: Rect
    square: Any
    size: float


def draw_words(
    board: Board, words: Sequence[Words], unit: float, palette: Palette, taken: Sequence[Rect]
) -> list[Rect]:
    """Write each text beside its place, clear of what is taken; returns what they cover."""
    if not words:
        return []
    region, view = board.context.region, board.context.region_data
    places = projected(
        [tuple(c / unit for c in each.at) for each in words],
        view.perspective_matrix,
        region.width,
        region.height,
    )
    covered: list[Rect] = []
    for each, (x, y) in zip(words, places.tolist(), strict=True):
        if not (x == x and 0 <= x <= region.width and 0 <= y <= region.height):
            continue
        wide, high = extent(each.text, board.size)
        place = free_place((wide, high), (x, y), board.free, [(x, y)], [*taken, *covered])
        draw_text(board, place, each.text, palette.tone(each.tone))
        covered.append(place)
    return covered


def draw_label(
    board: Board,
    words: Sequence[str],
    anchor: tuple[float, float],
    points: Any,
    taken: Sequence[Rect],
    beside: Any,
    stripe: RGB,
) -> Rect:
    """Write the label of the chosen finding where it hides nothing, with a leader to its place.

    It has one line, or two where that would fill the view. ``points`` and ``beside`` are what it
    must not and should not hide, pixels.
    """
    lines = _GAP.join(words), ""
    if extent(lines[0], board.size)[0] > _WIDEST * board.free.width:
        lines = words[0], _GAP.join(words[1:])
    shown = [line for line in lines if line]
    sizes = [extent(line, board.size) for line in shown]
    step, band = 1.35 * board.size, _STRIPE * board.size
    wide, high = max(w for w, _ in sizes) + band, sizes[0][1] + (len(shown) - 1) * step
    place = free_place((wide, high), anchor, board.free, points, taken, beside)
    _draw_leader(board, place, anchor)
    fill(board.square, place, PLATE)
    fill(board.square, Rect(place.left, place.low, place.left + band, place.high), (*stripe, 1.0))
    first = Rect(place.left, place.high - sizes[0][1], place.right, place.high)
    for number, line in enumerate(shown):
        x, y = place.left + band + _PAD * board.size, _baseline(first, board.size) - number * step
        write(line, x, y, board.size)
    return place


def extent(text: str, size: float) -> tuple[float, float]:
    """Width and height of a plate for a text, pixels."""
    blf.size(0, size)
    return blf.dimensions(0, text)[0] + 2 * _PAD * size, size + 2 * 0.6 * _PAD * size


def draw_text(board: Board, place: Rect, text: str, colour: RGB) -> None:
    """A text on a plate of its own."""
    fill(board.square, place, PLATE)
    write(text, place.left + _PAD * board.size, _baseline(place, board.size), board.size, colour)


def _baseline(place: Rect, size: float) -> float:
    return (place.low + place.high) / 2 - 0.36 * size


def write(text: str, x: float, y: float, size: float, colour: RGB = WHITE) -> None:
    """A text from its lower left on, pixels."""
    blf.size(0, size)
    blf.position(0, x, y, 0)
    blf.color(0, *colour, 1.0)
    blf.draw(0, text)


def fill(square: Any, place: Rect, colour: tuple[float, float, float, float]) -> None:
    """Fill a rectangle of the view, pixels."""
    shader = gpu.shader.from_builtin("UNIFORM_COLOR")
    gpu.state.blend_set("ALPHA")
    with gpu.matrix.push_pop():
        gpu.matrix.translate((place.left, place.low))
        gpu.matrix.scale((place.width, place.height))
        shader.bind()
        shader.uniform_float("color", colour)
        square.draw(shader)
    gpu.state.blend_set("NONE")


def _draw_leader(board: Board, place: Rect, anchor: tuple[float, float]) -> None:
    """A thin line from the label to its place, dark round white, so that it is seen anywhere."""
    start = nearest_edge(place, anchor)
    scale = board.context.preferences.system.ui_scale
    shader = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
    ends = {"pos": [(*start, 0.0), (*anchor, 0.0)]}
    batch = batch_for_shader(shader, "LINES", ends)
    gpu.state.blend_set("ALPHA")
    shader.bind()
    shader.uniform_float("viewportSize", (board.context.region.width, board.context.region.height))
    for width, colour in ((4.0, (0.0, 0.0, 0.0, 0.6)), (1.6, (1.0, 1.0, 1.0, 1.0))):
        shader.uniform_float("lineWidth", width * scale)
        shader.uniform_float("color", colour)
        batch.draw(shader)
    gpu.state.blend_set("NONE")
