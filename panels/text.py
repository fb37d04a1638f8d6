# SPDX-License-Identifier: GPL-3.0-or-later
"""Sentences in a panel, which Blender itself can't wrap."""

from __future__ import annotations

from functools import lru_cache

import blf
import bpy

from ..addon.i18n import say
from ..addon.runs.wording import printable

# What stands beside a sentence in the sidebar: margins, a box, an icon and the tab strip, in
# pixels at interface scale 1.
_BESIDE = 76
# What an icon in a box takes beyond that, pixels: Blender cuts a line that only just fits.
_BESIDE_ICON = 6

# Where there is no region to ask, or it has not been laid out yet (background, first draw), pixels.
_USUAL_WIDTH = 280
_LEAST_WIDTH = 100  # a narrower sidebar shows nothing anyway

# From this width on a row has room for one column more, pixels at interface scale 1.
_WIDE = 380


def is_wide(context: bpy.types.Context) -> bool:
    """Whether the panel was drawn so wide that a row has room for one column more."""
    scale = context.preferences.system.ui_scale or 1.0
    return context.region is not None and context.region.width >= _WIDE * scale


def wrapped(
    layout: bpy.types.UILayout,
    context: bpy.types.Context,
    sentence: str,
    icon: str = "NONE",
    alert: bool = False,
    share: float = 1.0,
) -> None:
    """Put a sentence into the layout, as many lines as the panel is narrow.

    In the person's language, if the whole sentence is known in it.

    ``share`` is how much of the panel's width the layout has.
    """
    sentence = say(sentence)
    scale = context.preferences.system.ui_scale or 1.0  # 0 in background
    width = context.region.width if context.region is not None else 0
    if width < _LEAST_WIDTH:
        width = _USUAL_WIDTH * scale
    points = context.preferences.ui_styles[0].widget.points * scale
    column = layout.column(align=True)
    column.scale_y = 0.8
    column.alert = alert
    beside = _BESIDE if icon == "NONE" else _BESIDE + _BESIDE_ICON
    room = int((width - beside * scale) * share)
    for number, line in enumerate(lines_of(sentence, room, int(points))):
        if icon == "NONE":
            column.label(text=line)
        else:
            column.label(text=line, icon=icon if number == 0 else "BLANK1")


def one_line(context: bpy.types.Context, sentence: str) -> str:
    """As much of a sentence as fits into one line of the panel; an ellipsis for the rest."""
    lines = lines_of(sentence, *_room(context))
    return f"{lines[0]} …" if len(lines) > 1 else sentence


def _room(context: bpy.types.Context) -> tuple[int, int]:
    """Pixels that a line may take in the panel, and the size of its letters."""
    scale = context.preferences.system.ui_scale or 1.0  # 0 in background
    width = context.region.width if context.region is not None else 0
    if width < _LEAST_WIDTH:
        width = _USUAL_WIDTH * scale
    points = context.preferences.ui_styles[0].widget.points * scale
    return int(width - _BESIDE * scale), int(points)


@lru_cache(maxsize=512)
def lines_of(sentence: str, width: int, points: int) -> tuple[str, ...]:
    """The sentence broken at spaces into lines of at most ``width`` pixels.

    Long words, as member names can be, are broken where they must, and what a label can't show is
    escaped.
    """
    blf.size(0, points)

    def fits(text: str) -> bool:
        return blf.dimensions(0, text)[0] <= width

    lines: list[str] = []
    line = ""
    for word in map(printable, sentence.split()):
        if fits(f"{line} {word}" if line else word):
            line = f"{line} {word}" if line else word
            continue
        if line:
            lines.append(line)
        while not fits(word) and len(word) > 1:
            cut = max(n for n in range(1, len(word)) if n == 1 or fits(word[:n]))
            lines.append(word[:cut])
            word = word[cut:]
        line = word
    return (*lines, line) if line else tuple(lines)
