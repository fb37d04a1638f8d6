# SPDX-License-Identifier: GPL-3.0-or-later
"""Two attempts of the open run beside each other. Main thread only.

A window of Blender shows one scene, so B gets a window of its own, with its own findings and
colours; it goes with its close button and leaves the person's window as it was. Seen from the same
place, the two can also be flipped in one window.
"""

from __future__ import annotations

from typing import Any

import bpy

from .. import review
from ..comparing import Side, compare
from . import attempt_scene, open_run, scenes
from .gallery import redraw
from .open_run import OpenRun

# The window that was opened for B, by its pointer: it may be closed at any time.
_beside: list[int] = []
# The window of A by its pointer, and where both looked from last.
_pair: list[Any] = []
#: How often a turned view is carried over to the other window, s.
_TURNED = 0.05
#: Views that are nearer than this look from the same place, as a share of the figure.
_ROUNDED = 1e-5


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
    return Side(record, *judged.every_member)


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
    """Let the largest 3D view of one window look from where that of the other looks.

    From then on the two turn together, until B's window is closed or the run is.
    """
    if _turn(source, target):
        _pair[:] = [source.as_pointer(), _aim(target)]
        open_run.at_close(_stop_turning)
        if not bpy.app.timers.is_registered(_together):
            bpy.app.timers.register(_together, first_interval=_TURNED)


def _turn(source: bpy.types.Window, target: bpy.types.Window) -> bool:
    """Turn the view of one window like that of the other; whether both have one."""
    area = _area_of(target)
    one, other = _view_of(source), _view_of(target)
    if one is None or other is None or area is None:
        return False
    other.view_perspective = one.view_perspective
    other.view_location = one.view_location
    other.view_rotation = one.view_rotation
    other.view_distance = one.view_distance
    area.tag_redraw()
    return True


def _together() -> float | None:
    """Carry what turned in one window over to the other."""
    first = next(
        (w for w in bpy.context.window_manager.windows if _pair and w.as_pointer() == _pair[0]),
        None,
    )
    second = window_of_b()
    if first is None or second is None:
        _pair.clear()
        return None
    here, there = _aim(first), _aim(second)
    if _differ(here, _pair[1]):
        _turn(first, second)
        _pair[1] = _aim(first)
    elif _differ(there, _pair[1]):
        _turn(second, first)
        _pair[1] = _aim(second)
    return _TURNED


def _stop_turning() -> None:
    _pair.clear()
    if bpy.app.timers.is_registered(_together):
        bpy.app.timers.unregister(_together)


def _aim(window: bpy.types.Window) -> tuple[float, ...]:
    view = _view_of(window)
    if view is None:
        return ()
    return (*view.view_location, *view.view_rotation, view.view_distance)


def _differ(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    """Whether two views look from elsewhere; Blender rounds what it is given."""
    return len(one) != len(other) or any(
        abs(x - y) > _ROUNDED * max(1.0, abs(x)) for x, y in zip(one, other, strict=True)
    )


def _area_of(window: bpy.types.Window) -> bpy.types.Area | None:
    """The largest 3D view of a window."""
    views = [area for area in window.screen.areas if area.type == "VIEW_3D"]
    return max(views, key=lambda area: area.width * area.height, default=None)


def _view_of(window: bpy.types.Window) -> bpy.types.RegionView3D | None:
    area = _area_of(window)
    return area.spaces.active.region_3d if area is not None else None


def flip(context: bpy.types.Context, found: OpenRun) -> bool:
    """Show B where A is shown, and A otherwise; whether both are there."""
    pair = [attempt_scene.scene_of(found, row) for row in (found.a, found.b)]
    if None in pair or context.window is None:
        return False
    context.window.scene = pair[1] if context.window.scene == pair[0] else pair[0]
    return True
