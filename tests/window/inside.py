# SPDX-License-Identifier: GPL-3.0-or-later
"""Words that the tests' requests may use inside the windowed Blender (see ``drive.py``)."""

import importlib

import bpy
from bpy_extras.view3d_utils import location_3d_to_region_2d

PACKAGE = "bl_ext.user_default.plumbline"


def part(name):
    """A module of the installed extension: ``part("addon.review")``."""
    return importlib.import_module(f"{PACKAGE}.{name}")


def window():
    """The one window."""
    return bpy.context.window_manager.windows[0]


def view():
    """The largest 3D view."""
    areas = [a for a in window().screen.areas if a.type == "VIEW_3D"]
    return max(areas, key=lambda a: a.width * a.height)


def region(kind):
    """A region of that view: WINDOW, UI."""
    return next(r for r in view().regions if r.type == kind)


def inside():
    """The context in which a person's click on our tab would run."""
    return bpy.context.temp_override(
        window=window(), area=view(), region=region("WINDOW"), space_data=view().spaces.active
    )


def redraw(times=1):
    """Draw the whole window now."""
    with bpy.context.temp_override(window=window(), area=view()):
        bpy.ops.wm.redraw_timer(type="DRAW_WIN_SWAP", iterations=times)


def open_tab():
    """Show the sidebar with our tab."""
    view().spaces.active.show_region_ui = True
    redraw()
    region("UI").active_panel_category = "Plumbline"
    redraw()


def on_screen(point):
    """Pixels from the upper left corner at which a point of the scene is drawn, or None."""
    at = location_3d_to_region_2d(region("WINDOW"), view().spaces.active.region_3d, point)
    if at is None:
        return None
    whole = region("WINDOW")
    return [whole.x + at[0], window().height - (whole.y + at[1])]


def rectangle(kind):
    """Left, top, right, bottom of a region in pixels from the upper left corner."""
    r = region(kind)
    top = window().height - (r.y + r.height)
    return [r.x, top, r.x + r.width, top + r.height]


def review():
    """The review of the scene that the window shows."""
    return part("addon.review").of(window().scene)


def chosen():
    """The chosen finding as plain data, or None."""
    found = review()
    finding = found.chosen if found else None
    if finding is None:
        return None
    return {"subject": finding.subject, "check": finding.check, "kind": finding.subject_kind}


def state():
    """The panel's choices."""
    return bpy.context.window_manager.plumbline
