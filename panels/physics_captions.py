# SPDX-License-Identifier: GPL-3.0-or-later
"""What each view of a playback shows, written into its upper left corner."""

from __future__ import annotations

from typing import Any

import bpy

from ..addon import preferences
from ..addon.i18n import say
from ..addon.placing import Rect
from ..addon.session import playback
from ..addon.session.motion import Take, first_mover
from . import overlay_batches
from .overlay_label import PLATE, WHITE, extent, fill, write
from .overlay_space import free_rect
from .text import lines_of

_TITLE, _TEXT = 17.0, 13.0  # points, before the interface scale
_SPACE = 0.6  # round the writing, in text sizes
_handles: list[Any] = []


def attach() -> None:
    """Hang it into every 3D view."""
    if not _handles:
        add = bpy.types.SpaceView3D.draw_handler_add
        _handles.append(add(draw, (), "WINDOW", "POST_PIXEL"))


def detach() -> None:
    """Take it out again."""
    while _handles:
        bpy.types.SpaceView3D.draw_handler_remove(_handles.pop(), "WINDOW")


def draw() -> None:
    """Write the caption; Blender calls this at every redraw of a view."""
    context = bpy.context
    if not playback.is_playback(context.scene):
        return
    take = playback.take_in(context.area)
    if take is None:
        return
    scale = context.preferences.system.ui_scale or 1.0
    free = free_rect(context)
    gap = _SPACE * _TEXT * scale
    wide = int(free.width - 4 * gap)
    if wide < 4 * _TITLE * scale:
        return
    title = lines_of(take.title, wide, int(_TITLE * scale))
    lines = [line for words in counted(take, context.scene.frame_current)
             for line in lines_of(words, wide, int(_TEXT * scale))]  # fmt: skip
    _write(context, free, title, lines, scale, gap, take)


def counted(take: Take, frame: int) -> list[str]:
    """What is said of a take in a frame: what came of it, or how many have moved and who first."""
    if take.answer:
        return [take.answer]
    moved = take.count(frame)
    if not moved:
        return []
    words = [say("{n} of {all} moved", n=moved, all=int(take.counted.sum()))]
    first = first_mover(take)
    if first is not None:
        words.append(say("first: {name}, frame {frame}", name=first[0], frame=first[1]))
    return words


def _write(
    context: bpy.types.Context,
    free: Rect,
    title: tuple[str, ...],
    lines: list[str],
    scale: float,
    gap: float,
    take: Take,
) -> None:
    large, small = _TITLE * scale, _TEXT * scale
    high = len(title) * 1.3 * large + len(lines) * 1.4 * small + gap
    longest = max(
        [extent(line, large)[0] for line in title] + [extent(line, small)[0] for line in lines]
    )
    left, top = free.left + gap, free.high - gap
    square = overlay_batches.unit_square()
    fill(square, Rect(left, top - high, left + longest + gap, top), PLATE)
    y = top - 1.1 * large
    for line in title:
        write(line, left + gap, y, large, WHITE)
        y -= 1.3 * large
    tone = preferences.look(context).palette.tone("related")
    for line in lines:
        write(line, left + gap, y, small, tone)
        y -= 1.4 * small


CLASSES: tuple[type, ...] = ()
