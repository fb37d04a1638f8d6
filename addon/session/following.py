# SPDX-License-Identifier: GPL-3.0-or-later
"""Letting the window follow an episode: each scene is shown, and framed while nobody minds.

As long as the person leaves the view alone it is aimed at the whole of each new scene; once the
person has turned or moved it, it stays as it is. Main thread only.
"""

from __future__ import annotations

from collections.abc import Callable

import bpy
import numpy as np

from . import scenes
from .scenes import Landed

#: Distance of the eye in radii of what is framed, for a lens of 36 mm: all of it with some air.
_AIR = 1.7
#: How far a view may drift before it counts as moved by the person, as a share of its distance.
_MOVED = 1e-3

_Aim = tuple[float, float, float, float]


class Follower:
    """Shows scenes in the first window. ``wanted`` tells whether the person wants that now."""

    def __init__(self, wanted: Callable[[], bool] = lambda: True) -> None:
        self._wanted = wanted
        self._aims: dict[int, _Aim] = {}
        self._first = True

    def __call__(self, landed: Landed) -> bool:
        """Show a scene if that is wanted; whether the window shows it now."""
        scene, window = landed.scene, scenes.main_window()
        if scene is None or window is None or not self._wanted():
            return False
        window.scene = scene
        self._aim_all(window, scene)
        self._first = False
        return True

    def _aim_all(self, window: bpy.types.Window, scene: bpy.types.Scene) -> None:
        box = extent(scene)
        if box is None:
            return
        low, high = box
        for number, area in enumerate(window.screen.areas):
            if area.type != "VIEW_3D":
                continue
            space = area.spaces.active
            view = space.region_3d
            if view.view_perspective == "CAMERA" or not self._mine(number, view):
                continue
            aim(space, low, high)
            self._aims[number] = _aim_of(view)

    def _mine(self, number: int, view: bpy.types.RegionView3D) -> bool:
        """Whether a view stands as it was aimed last, or was not aimed at all yet."""
        before = self._aims.get(number)
        if before is None:
            return self._first
        drift = np.abs(np.subtract(_aim_of(view), before)).max()
        return bool(drift <= _MOVED * before[3])


def frame(window: bpy.types.Window, scene: bpy.types.Scene) -> None:
    """Aim every 3D view of a window at the whole of a scene, but for those through a camera."""
    box = extent(scene)
    if box is None:
        return
    for area in window.screen.areas:
        if area.type == "VIEW_3D":
            space = area.spaces.active
            if space.region_3d.view_perspective != "CAMERA":
                aim(space, *box)
                _clear_of_the_sidebar(area)


def aim(space: bpy.types.SpaceView3D, low: np.ndarray, high: np.ndarray) -> None:
    """Let a 3D view show a box, from where it looks now."""
    view = space.region_3d
    view.view_location = (low + high) / 2
    radius = max(float(np.linalg.norm(high - low)) / 2, 0.1)
    view.view_distance = radius * _AIR * space.lens / 36.0


def _clear_of_the_sidebar(area: bpy.types.Area) -> None:
    """Move what is in the middle of a view into the middle of what its sidebar leaves free."""
    whole = next((r for r in area.regions if r.type == "WINDOW"), None)
    sidebar = next((r for r in area.regions if r.type == "UI"), None)
    if whole is None or sidebar is None or not 1 < sidebar.width < whole.width:
        return
    if not (whole.x < sidebar.x + sidebar.width and sidebar.x < whole.x + whole.width):
        return  # it stands beside the view, not over it
    space = area.spaces.active
    view = space.region_3d
    covered = sidebar.width / whole.width
    view.view_distance /= 1.0 - covered
    # A lens of f mm on a 72 mm wide viewport sensor sees 36/f of the distance to either side.
    half_width = view.view_distance * 36.0 / space.lens
    right = view.view_rotation.to_matrix().col[0]
    aside = covered * half_width if sidebar.x > whole.x else -covered * half_width
    view.view_location = view.view_location + right * aside


def _aim_of(view: bpy.types.RegionView3D) -> _Aim:
    x, y, z = view.view_location
    return float(x), float(y), float(z), float(view.view_distance)


def extent(scene: bpy.types.Scene) -> tuple[np.ndarray, np.ndarray] | None:
    """Lowest and highest corner of all meshes of a scene, in its units; ``None`` without any."""
    scene.view_layers[0].update()
    corners = [
        np.array(obj.bound_box) @ np.array(obj.matrix_world.to_3x3()).T
        + np.array(obj.matrix_world.translation)
        for obj in scene.objects
        if obj.type == "MESH"
    ]
    if not corners:
        return None
    points = np.concatenate(corners)
    return points.min(axis=0), points.max(axis=0)
