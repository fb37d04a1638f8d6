# SPDX-License-Identifier: GPL-3.0-or-later
"""Two attempts of the open run beside each other. Main thread only.

A window of Blender shows one scene, so B gets a window of its own, with its own findings and
colours; it goes with its close button and leaves the person's window as it was. Seen from the same
place, the two can also be flipped in one window.
"""

from __future__ import annotations

import bpy

from .. import review
from ..comparing import Side, compare
from . import attempt_scene, scenes
from .gallery import redraw
from .open_run import OpenRun

# The window that was opened for B, by its pointer: it may be closed at any time.
_beside: list[int] = []


def start(context: bpy.types.Context, found: OpenRun) -> None:
    """Compare A and B: both are brought in, where they have a scene, and judged by today's checks.

    What has no scene is compared by its record alone.
    """
    chosen = found.chosen
    window = context.window

    def first() -> None:
        _next(context, found, found.b, lambda: finish(found), _in_own_window(window))

    try:
        _next(context, found, found.a, first, None)
    finally:
        if found.chosen != chosen:
            found.choose(chosen)


def _next(
    context: bpy.types.Context,
    found: OpenRun,
    row: int,
    then: attempt_scene.Then,
    reveal: attempt_scene.Reveal | None,
) -> None:
    chosen = found.chosen
    try:
        attempt_scene.show(context, found, row, then, reveal)
    except attempt_scene.NoScene:
        then()
    finally:
        if found.chosen != chosen:
            found.choose(chosen)


def finish(found: OpenRun) -> None:
    """Work out what differs, with what is known of both by now."""
    today = [found.today.get(row) for row in (found.a, found.b)]
    sides = [_side(found, row) for row in (found.a, found.b)]
    if not all(today):  # judged by the same checks, or both as they were recorded
        sides = [
            Side(found.run.records[row], side.names, side.corners)
            for row, side in zip((found.a, found.b), sides, strict=True)
        ]
    found.compared = compare(*sides)
    found.as_recorded = not all(today)
    redraw()


def _side(found: OpenRun, row: int) -> Side:
    today, scene = found.today.get(row), attempt_scene.scene_of(found, row)
    record = {**found.run.records[row], **({"checks": today.record["checks"]} if today else {})}
    if today is not None:
        record["verdict"] = today.record["verdict"]
    judged = review.of(scene)
    if judged is None:
        return Side(record)
    return Side(record, judged.subjects.names, judged.subjects.corners)


def _in_own_window(window: bpy.types.Window | None) -> attempt_scene.Reveal:
    def reveal(scene: bpy.types.Scene, _anew: bool) -> None:
        other = window_of_b() or _new_window(window)
        if other is None:
            return
        other.scene = scene
        if window in list(bpy.context.window_manager.windows):
            match(window, other)

    return reveal


def window_of_b() -> bpy.types.Window | None:
    """The window that shows B, ``None`` if it is closed."""
    windows = bpy.context.window_manager.windows
    return next((w for w in windows if w.as_pointer() in _beside), None)


def _new_window(window: bpy.types.Window | None) -> bpy.types.Window | None:
    """A main window: only such a one may show another scene than the first."""
    window = window or scenes.main_window()
    if bpy.app.background or window is None:
        return None
    manager = bpy.context.window_manager
    before = {w.as_pointer() for w in manager.windows}
    with bpy.context.temp_override(window=window):
        bpy.ops.wm.window_new_main()
    new = next((w for w in manager.windows if w.as_pointer() not in before), None)
    if new is not None:
        _beside[:] = [new.as_pointer()]
    return new


def match(source: bpy.types.Window, target: bpy.types.Window) -> None:
    """Let the largest 3D view of one window look from where that of the other looks."""
    views = [_largest_view(window) for window in (source, target)]
    if None in views:
        return
    one, other = (area.spaces.active.region_3d for area in views if area is not None)
    other.view_perspective = one.view_perspective
    other.view_location = one.view_location
    other.view_rotation = one.view_rotation
    other.view_distance = one.view_distance


def _largest_view(window: bpy.types.Window) -> bpy.types.Area | None:
    views = [area for area in window.screen.areas if area.type == "VIEW_3D"]
    return max(views, key=lambda area: area.width * area.height, default=None)


def flip(context: bpy.types.Context, found: OpenRun) -> bool:
    """Show B where A is shown, and A otherwise; whether both are there."""
    pair = [attempt_scene.scene_of(found, row) for row in (found.a, found.b)]
    if None in pair or context.window is None:
        return False
    context.window.scene = pair[1] if context.window.scene == pair[0] else pair[0]
    return True
