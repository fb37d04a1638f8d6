# SPDX-License-Identifier: GPL-3.0-or-later
"""What of a 3D view is free to write on: beside the sidebar, the tools, headers and the gizmo."""

from __future__ import annotations

import bpy

from ..addon.palette import RGB
from ..addon.placing import Rect

# What Blender itself writes and shows in the corners, pixels before the interface scale.
_GIZMO = (92.0, 250.0)
_TEXT = (330.0, 62.0)
_STATISTICS = 130.0
_MARGIN = 10.0


def free_rect(context: bpy.types.Context) -> Rect:
    """What the regions that lie over this view leave free, in its pixels, with a margin."""
    view = context.region
    left, low, right, high = 0.0, 0.0, float(view.width), float(view.height)
    for region in context.area.regions:
        if region.type in ("WINDOW", "HUD") or region.width <= 1 or region.height <= 1:
            continue
        x, y = region.x - view.x, region.y - view.y
        if x >= view.width or y >= view.height or x + region.width <= 0 or y + region.height <= 0:
            continue
        if region.alignment == "RIGHT":
            right = min(right, x)
        elif region.alignment == "LEFT":
            left = max(left, x + region.width)
        elif region.alignment == "TOP":
            high = min(high, y)
        elif region.alignment == "BOTTOM":
            low = max(low, y + region.height)
    margin = _MARGIN * context.preferences.system.ui_scale
    return Rect(left + margin, low + margin, right - margin, high - margin)


def taken(context: bpy.types.Context, free: Rect) -> list[Rect]:
    """What Blender shows within the free part: gizmo, text in the corner, the last operator."""
    scale = context.preferences.system.ui_scale
    overlay = context.space_data.overlay
    rects = []
    if context.space_data.show_gizmo and context.preferences.view.show_navigate_ui:
        wide, high = _GIZMO
        rects.append(
            Rect(free.right - wide * scale, free.high - high * scale, free.right, free.high)
        )
    if overlay.show_text or overlay.show_stats:
        wide, high = _TEXT
        high += _STATISTICS if overlay.show_stats else 0.0
        rects.append(Rect(free.left, free.high - high * scale, free.left + wide * scale, free.high))
    return rects + [hud for hud in (last_operator(context),) if hud is not None]


def last_operator(context: bpy.types.Context) -> Rect | None:
    """The box *Adjust Last Operation* in the lower left corner, if it is there."""
    view = context.region
    for region in context.area.regions:
        if region.type == "HUD" and region.width > 1 and region.height > 1:
            x, y = float(region.x - view.x), float(region.y - view.y)
            return Rect(x, y, x + region.width, y + region.height)
    return None


def ground_of(context: bpy.types.Context) -> RGB:
    """The colour behind everything in this view, sRGB: the theme's, unless the view has its own."""
    shading = context.space_data.shading
    if shading.type in ("SOLID", "WIREFRAME") and shading.background_type == "VIEWPORT":
        r, g, b = (_to_screen(c) for c in shading.background_color)
        return (r, g, b)
    r, g, b = context.preferences.themes[0].view_3d.space.gradients.high_gradient
    return (r, g, b)


def _to_screen(linear: float) -> float:
    """A linear value as sRGB (IEC 61966-2-1)."""
    return linear * 12.92 if linear <= 0.0031308 else 1.055 * linear ** (1 / 2.4) - 0.055
