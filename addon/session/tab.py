# SPDX-License-Identifier: GPL-3.0-or-later
"""Bringing our tab of the sidebar into sight. Main thread only."""

from __future__ import annotations

import bpy

CATEGORY = "Plumbline"
# A sidebar that was closed can't be told its tab before it was drawn once.
_TRIES, _PAUSE = 40, 0.05  # s


def show(window: bpy.types.Window) -> bool:
    """Open the sidebar of the largest 3D view with our tab; whether there is such a view.

    The tab itself comes with the next redraw.
    """
    areas = [area for area in window.screen.areas if area.type == "VIEW_3D"]
    if not areas:
        return False
    area = max(areas, key=lambda a: a.width * a.height)
    area.spaces.active.show_region_ui = True
    area.tag_redraw()
    if bpy.app.background or _choose(window):
        return True
    left = [_TRIES]

    def again() -> float | None:
        left[0] -= 1
        return None if _choose(window) or left[0] <= 0 else _PAUSE

    bpy.app.timers.register(again, first_interval=_PAUSE)
    return True


def _choose(window: bpy.types.Window) -> bool:
    """Choose our tab in the largest view; whether it could be chosen yet."""
    if window not in [w for wm in bpy.data.window_managers for w in wm.windows]:
        return True  # closed meanwhile: nothing is left to do
    areas = [area for area in window.screen.areas if area.type == "VIEW_3D"]
    for area in sorted(areas, key=lambda a: -a.width * a.height)[:1]:
        for region in area.regions:
            if region.type != "UI":
                continue
            try:
                region.active_panel_category = CATEGORY
            except (AttributeError, TypeError):  # read-only, or no tabs yet
                return False
            area.tag_redraw()
    return True
