# SPDX-License-Identifier: GPL-3.0-or-later
"""The legend in the lower left of a view: what each colour means, and how many members have it.

It is laid out once, from its own lower left corner on, and then only drawn.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import blf
import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader

from ..addon.colouring import Entry, Legend, Ramp
from ..addon.palette import RGB
from ..addon.placing import Rect
from .overlay_label import PLATE, WHITE, Board, write
from .overlay_shown import keep

# In text sizes.
_LINE, _PAD, _SWATCH, _GAP = 1.75, 0.85, 1.0, 0.6
_RAMP_HIGH, _RAMP_LEAST = 1.2, 21.0
_TITLE, _SMALL = 1.08, 0.92
_DIM: RGB = (0.72, 0.72, 0.75)
_BLACK: RGB = (0.0, 0.0, 0.0)

RGBA = tuple[float, float, float, float]


@dataclass
class _Layout:
    """Filled rectangles and texts (words, x, y, size, colour) of a legend, pixels."""

    wide: float
    high: float
    fills: list[tuple[Rect, RGBA]] = field(default_factory=list)
    texts: list[tuple[str, float, float, float, RGB]] = field(default_factory=list)
    batch: Any = None


def draw(board: Board, legend: Legend, low: float) -> Rect | None:
    """Draw a legend above ``low``; returns what it covers, ``None`` where a view is too small."""
    # The legend is kept with its layout, so that its id is not given to another one meanwhile.
    made: _Layout = keep(
        ("legend", id(legend), board.size), lambda: (legend, _laid_out(legend, board.size))
    )[1]
    left = board.free.left
    if made.wide > board.free.width or made.high > board.free.high - low:
        return None
    shader = gpu.shader.from_builtin("FLAT_COLOR")
    gpu.state.blend_set("ALPHA")
    with gpu.matrix.push_pop():
        gpu.matrix.translate((left, low))
        shader.bind()
        made.batch.draw(shader)
    gpu.state.blend_set("NONE")
    for words, x, y, size, colour in made.texts:
        write(words, left + x, low + y, size, colour)
    return Rect(left, low, left + made.wide, low + made.high)


def _laid_out(legend: Legend, size: float) -> _Layout:
    made = _Layout(*extent(legend, size))
    x, right = _PAD * size, made.wide - _PAD * size
    y = made.high - _PAD * size - size
    made.fills.append((Rect(0.0, 0.0, made.wide, made.high), PLATE))
    made.texts.append((legend.title, x, y, size * _TITLE, WHITE))
    if legend.ramp is not None:
        y -= (_LINE + 0.1) * size
        _add_ramp(made, legend.ramp, Rect(x, y + size - _RAMP_HIGH * size, right, y + size), size)
        y -= 1.35 * size
    for entry in legend.entries:
        y -= _LINE * size
        _add_swatch(made, Rect(x, y - 0.12 * size, x + _SWATCH * size, y + 0.88 * size), entry)
        made.texts.append((entry.words, x + (_SWATCH + _GAP) * size, y, size, WHITE))
        number = f"{entry.count:,}"
        made.texts.append((number, right - _width(number, size), y, size, _DIM))
    if legend.note:
        made.texts.append((legend.note, x, y - _LINE * size, size, _DIM))
    made.batch = _batch(made.fills)
    return made


def _width(words: str, size: float) -> float:
    blf.size(0, size)
    return float(blf.dimensions(0, words)[0])


def extent(legend: Legend, size: float) -> tuple[float, float]:
    """Width and height of a legend, pixels."""
    beside = (_SWATCH + 3 * _GAP) * size
    widths = [beside + _width(f"{e.words}{e.count:,}", size) for e in legend.entries]
    widths += [_width(legend.note, size), _width(legend.title, size * _TITLE)]
    lines = len(legend.entries) + (1 if legend.note else 0)
    high = 2 * _PAD * size + size + lines * _LINE * size
    if legend.ramp is not None:
        widths.append(_RAMP_LEAST * size)
        high += (_LINE + 1.45) * size
    return max(widths) + 2 * _PAD * size, high


def _add_swatch(made: _Layout, swatch: Rect, entry: Entry) -> None:
    """The colour as a square, or framed as the ring that stands at a place."""
    made.fills.append((swatch.grown(1.0), (*_BLACK, 1.0)))
    made.fills.append((swatch, (*entry.colour, 1.0)))
    if entry.place:
        made.fills.append((swatch.grown(-0.18 * swatch.width), (*PLATE[:3], 1.0)))
        made.fills.append((swatch.grown(-0.36 * swatch.width), (*entry.colour, 1.0)))


def _add_ramp(made: _Layout, ramp: Ramp, bar: Rect, size: float) -> None:
    """The scale in narrow bands, so that a break in it stays a break, with its figures below."""
    made.fills.append((bar.grown(1.0), (*_BLACK, 1.0)))
    edges = np.linspace(bar.left, bar.right, len(ramp.colours) + 1).tolist()
    for left, right, (r, g, b) in zip(edges, edges[1:], ramp.colours.tolist(), strict=False):
        made.fills.append((Rect(left, bar.low, right, bar.high), (r, g, b, 1.0)))
    small = size * _SMALL
    for share, words in ramp.marks:
        x = bar.left + bar.width * share
        if share < 1.0:
            tick = Rect(x - 0.75, bar.low - 0.3 * small, x + 0.75, bar.low)
            made.fills.append((tick, (*WHITE, 1.0)))
        wide = _width(words, small)
        left = min(max(x - wide / 2, bar.left), bar.right - wide)
        made.texts.append((words, left, bar.low - 1.3 * small, small, _DIM))


def _batch(fills: list[tuple[Rect, RGBA]]) -> Any:
    corners = [
        [(r.left, r.low, 0.0), (r.right, r.low, 0.0), (r.right, r.high, 0.0), (r.left, r.high, 0.0)]
        for r, _ in fills
    ]
    points = np.array(corners, np.float32)
    rgba = np.repeat(np.array([colour for _, colour in fills], np.float32), 4, axis=0)
    first = np.arange(len(fills), dtype=np.int32)[:, None, None] * 4
    triangles = (first + np.array([(0, 1, 2), (0, 2, 3)], np.int32)).reshape(-1, 3)
    return batch_for_shader(
        gpu.shader.from_builtin("FLAT_COLOR"),
        "TRIS",
        {"pos": points.reshape(-1, 3), "color": rgba},
        indices=triangles,
    )
