# SPDX-License-Identifier: GPL-3.0-or-later
"""A workspace for judging: a large view with our tab, outliner and properties, a text below.

It is made from a copy of a workspace that is there, by giving areas of the copy other editors; no
other workspace is touched. Main thread only.
"""

from __future__ import annotations

from typing import Any

import bpy

NAME = "Plumbline"
CATEGORY = "Plumbline"

#: Which of Blender's own is copied, if it is still there; else the one that is shown.
MODEL = "Layout"

# How often, and after how long, s, it is tried again: a workspace is shown only when Blender comes
# round to it, only what is shown takes another editor, and a sidebar has no tabs before it was
# drawn once.
_TRIES, _AFTER = 20, 0.1

# Editors beside the view, in the order in which areas are given to them.
_BESIDE = ("OUTLINER", "PROPERTIES", "TEXT_EDITOR")
_LOWER_QUARTER, _RIGHT_FIFTH = 0.25, 0.8


def find() -> bpy.types.WorkSpace | None:
    """Ours, if it was made already; one of that name in which nothing is ours counts too."""
    return bpy.data.workspaces.get(NAME)


def show(window: bpy.types.Window) -> bpy.types.WorkSpace:
    """Show our workspace in a window, made new where there is none. Returns it.

    Blender shows it when it comes round to it; only then are editors and the tab put in place.
    """
    found = find()
    made = found is None
    if found is None:
        found = _copy(window)
    window.workspace = found
    _arrange_soon(window.as_pointer(), made)
    return found


def _copy(window: bpy.types.Window) -> bpy.types.WorkSpace:
    model = bpy.data.workspaces.get(MODEL) or window.workspace
    before = set(bpy.data.workspaces)
    with bpy.context.temp_override(window=window, workspace=model):
        bpy.ops.workspace.duplicate()
    made = (set(bpy.data.workspaces) - before).pop()
    made.name = NAME
    return made


def _shape(window: bpy.types.Window, screen: bpy.types.Screen) -> None:
    """The largest area is the view, what is left over becomes the text."""
    view = max(screen.areas, key=_size)
    if view.type != "VIEW_3D":
        view.type = "VIEW_3D"
    for missing in _BESIDE:
        if any(area.type == missing for area in screen.areas if area != view):
            continue
        spare = [a for a in screen.areas if a != view and a.type not in _BESIDE]
        area = max(spare, key=lambda a: a.width / a.height) if spare else _split(window, view)
        area.type = missing
    for area in screen.areas:
        if area.type == "VIEW_3D":
            _set_view(area.spaces.active)
        elif area.type == "TEXT_EDITOR":
            area.spaces.active.show_line_numbers = True
            area.spaces.active.show_syntax_highlight = True


def _size(area: bpy.types.Area) -> int:
    return area.width * area.height


def _split(window: bpy.types.Window, view: bpy.types.Area) -> bpy.types.Area:
    """A new area at the right of the view, or below it where that was done already."""
    screen = view.id_data
    before = set(screen.areas)
    wide = view.width > view.height
    with bpy.context.temp_override(window=window, screen=screen, area=view):
        bpy.ops.screen.area_split(
            direction="VERTICAL" if wide else "HORIZONTAL",
            factor=_RIGHT_FIFTH if wide else _LOWER_QUARTER,
        )
    return min((set(screen.areas) - before) | {view}, key=_size)


def _set_view(space: Any) -> None:
    """Quiet grey solids, on which colours of findings are seen at once."""
    space.show_region_ui = True
    shading = space.shading
    shading.type = "SOLID"
    shading.light = "STUDIO"
    shading.color_type = "SINGLE"
    shading.single_color = (0.62, 0.62, 0.62)
    shading.show_cavity = True
    shading.show_xray = False
    shading.xray_alpha = 0.35
    shading.show_object_outline = True


def _arrange_soon(pointer: int, made: bool) -> None:
    """Once Blender shows the workspace: editors where it is new, and the sidebar on our tab."""
    tries, new = [_TRIES], [made]

    def attempt() -> float | None:
        tries[0] -= 1
        window = _window(pointer)
        if window is None or tries[0] < 0:
            return None
        if window.workspace.name == NAME:
            if new[0]:
                _shape(window, window.screen)
                new[0] = False
            elif _open_tab(window):
                return None
        return _AFTER

    bpy.app.timers.register(attempt, first_interval=_AFTER)


def _window(pointer: int) -> bpy.types.Window | None:
    """The window, if it is still open."""
    windows = bpy.context.window_manager.windows
    return next((w for w in windows if w.as_pointer() == pointer), None)


def _open_tab(window: bpy.types.Window) -> bool:
    """Whether our tab is open in every view of the window."""
    done = True
    for area in window.screen.areas:
        for region in area.regions if area.type == "VIEW_3D" else ():
            if region.type == "UI" and region.active_panel_category != CATEGORY:
                done = _choose(region) and done
                area.tag_redraw()
    return done


def _choose(region: bpy.types.Region) -> bool:
    try:
        region.active_panel_category = CATEGORY
    except (AttributeError, TypeError):  # it was never drawn and has no tabs yet
        return False
    return bool(region.active_panel_category == CATEGORY)
