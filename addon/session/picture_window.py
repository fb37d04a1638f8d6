# SPDX-License-Identifier: GPL-3.0-or-later
"""A picture from disk in an image editor: the one that is open, or a window of its own."""

from __future__ import annotations

from pathlib import Path

import bpy


def show(context: bpy.types.Context, path: Path) -> None:
    """Show the picture large. Raises ``RuntimeError``, one sentence, if it can't be read.

    The image has no user that would keep it in the person's file.
    """
    image = bpy.data.images.load(str(path), check_existing=True)
    for window in context.window_manager.windows:
        areas = window.screen.areas
        open_already = next((a for a in areas if a.type == "IMAGE_EDITOR"), None)
        if open_already is not None:
            _put(open_already, image)
            return
    if bpy.app.background:
        return  # there is nothing to show it on
    before = set(context.window_manager.windows)
    bpy.ops.wm.window_new()
    made = next(w for w in context.window_manager.windows if w not in before)
    area = made.screen.areas[0]
    area.type = "IMAGE_EDITOR"
    _put(area, image)


def _put(area: bpy.types.Area, image: bpy.types.Image) -> None:
    space = area.spaces.active
    space.mode = "VIEW"
    space.image = image
    area.tag_redraw()
