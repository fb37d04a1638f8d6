# SPDX-License-Identifier: GPL-3.0-or-later
"""Showing motions: one, or up to three beside each other, in a scene of ours that goes again.

Blender's own timeline plays it, so that a person can scrub, slow down and look from everywhere. No
key is written: before each frame a handler puts the bodies where they were. Main thread only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy
from bpy.app.handlers import persistent

from .. import preferences
from ..simulation import copying
from . import framing, playback_scene, split_view, stepping, view_turning, what_if
from .gallery import redraw
from .motion import Show, Take
from .playback_scene import Stage
from .split_view import Split

#: Bodies that haven't moved, linear RGBA: a quiet grey, on which colours are seen at once.
_PLAIN = (0.6, 0.6, 0.6, 1.0)


@dataclass
class _Shown:
    """What is played, of which scene, in which views."""

    stage: Stage
    show: Show
    of: int
    split: Split | None
    tones: dict[str, Any]


#: Between two looks whether what is shown is still there, or can be closed, s.
_LATER = 0.5
_shown: list[_Shown] = []
_closing: list[Split] = []


def is_playback(scene: Any) -> bool:
    """Whether a scene is the one in which a motion is shown."""
    return bool(_shown) and scene is not None and scene.session_uid == _shown[0].stage.uid


def now() -> Show | None:
    """What is played, ``None`` if nothing is."""
    return _shown[0].show if _shown else None


def source() -> bpy.types.Scene | None:
    """The scene that the motion is of, ``None`` if none is shown or it is gone."""
    if not _shown:
        return None
    return next((s for s in bpy.data.scenes if s.session_uid == _shown[0].of), None)


def take_in(area: bpy.types.Area | None) -> Take | None:
    """The take that a view shows, ``None`` if it shows none."""
    if not _shown or area is None:
        return None
    shown = _shown[0]
    if len(shown.show.takes) == 1:
        return shown.show.takes[0]
    pointers = shown.split.parts if shown.split is not None else []
    for pointer, take in zip(pointers, shown.show.takes, strict=False):
        if area.as_pointer() == pointer:
            return take
    return None


def play(window: bpy.types.Window, show: Show, frame: int | None = None) -> None:
    """Show motions in the window in place of the scene that they are of.

    They start from the beginning, or stand still at ``frame``. Where the window has no room for
    several beside each other only the last is shown: what is otherwise.
    """
    stop()
    _close_now()
    scene = window.scene
    split = split_view.open_parts(window, len(show.takes))
    if split is not None and len(split.parts) < len(show.takes):
        show = Show(show.takes[1:2] or show.takes, show.marks)
    stage = playback_scene.build(scene, show)
    shown = _Shown(stage, show, scene.session_uid, split, _tones())
    _shown.append(shown)
    copy = stage.scene
    assert copy is not None
    bpy.app.handlers.frame_change_pre.append(_place)
    window.scene = copy
    copy.frame_set(show.first if frame is None else frame)
    if split is not None:
        objects = {obj.session_uid: obj for obj in copy.objects}
        split_view.show_sets(split, [[objects[uid] for uid in uids] for uids in stage.sets])
        view_turning.begin(split, *framing.extent(show, stage))
    _animate(window, frame is None)
    if not bpy.app.background and not bpy.app.timers.is_registered(_watch):
        bpy.app.timers.register(_watch, first_interval=_LATER, persistent=True)
    redraw()


def _watch() -> float | None:
    """Who removes the scene by Blender's own button has stopped the playback too."""
    if _shown and _shown[0].stage.scene is None:
        stop()
    return _LATER if _shown else None


def _tones() -> dict[str, Any]:
    palette = preferences.look(bpy.context).palette
    moved, fault = palette.tone("related"), palette.tone("fault")
    return {
        "plain": _PLAIN,
        "moved": (*map(_linear, moved), 1.0),
        "fault": (*map(_linear, fault), 1.0),
    }


def _linear(value: float) -> float:
    """sRGB to linear (IEC 61966-2-1)."""
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def stop(in_view: bool = False) -> None:
    """Back to the scene that the motion is of; ours goes. Nothing if none is shown.

    ``in_view``: a button of a view calls, which mustn't be closed under it: it goes in a moment.
    """
    if _place in bpy.app.handlers.frame_change_pre:
        bpy.app.handlers.frame_change_pre.remove(_place)
    if not _shown:
        return
    shown = _shown.pop()
    scene = shown.stage.scene
    others = [s for s in bpy.data.scenes if s.session_uid != shown.stage.uid]
    back = next((s for s in others if s.session_uid == shown.of), others[0] if others else None)
    if shown.split is not None:
        split_view.local_off(shown.split)
    for window in what_if.windows():
        if scene is not None and window.scene == scene and back is not None:
            _animate(window, False)
            window.scene = back
    if scene is not None and back is not None:
        playback_scene.remove(scene)
    _close(shown.split, in_view)
    redraw()


def _close(split: Split | None, later: bool) -> None:
    view_turning.end()
    if split is None:
        return
    if not later and split_view.close(split):
        return
    _closing.append(split)
    if not bpy.app.timers.is_registered(_close_now):
        bpy.app.timers.register(_close_now, first_interval=0.0, persistent=True)


def _close_now() -> float | None:
    """Close what is to be closed; another workspace may be shown, then later."""
    _closing[:] = [split for split in _closing if not split_view.close(split)]
    return _LATER if _closing else None


def go_to(scene: bpy.types.Scene, frame: int) -> None:
    """Stand still at a frame of what is shown; a scene of a person's is never jumped so."""
    stand_still(scene)
    scene.frame_set(frame)


def stand_still(scene: bpy.types.Scene) -> None:
    """Stop Blender's player where it plays a scene."""
    for window in what_if.windows():
        if window.scene == scene:
            _animate(window, False)


def objects_of(scene: bpy.types.Scene, body: str) -> list[bpy.types.Object]:
    """The objects that show a body in a playback, one for each take that has it."""
    if not is_playback(scene):
        return []
    uids = {b.uid for bodies in _shown[0].stage.bodies for b in bodies if b.name == body}
    return [obj for obj in scene.objects if obj.session_uid in uids]


def _animate(window: bpy.types.Window, wanted: bool) -> None:
    """Start or stop Blender's own player; in background there is none."""
    playing = window.screen is not None and window.screen.is_animation_playing
    if bpy.app.background or playing == wanted:
        return
    with bpy.context.temp_override(window=window):
        bpy.ops.screen.animation_play()


@persistent
def _place(scene: bpy.types.Scene, *_: Any) -> None:
    """Put the bodies where they were in the frame that comes."""
    if is_playback(scene):
        shown = _shown[0]
        playback_scene.place(shown.stage, shown.show, scene, shown.tones)


@persistent
def _before_undo(*_: Any) -> None:
    """What an undo takes away under a simulation can't be worked on; it is taken away first."""
    stepping.end_all("you undid something while it ran; run it again")


@persistent
def _after_undo(*_: Any) -> None:
    """A playback that was undone is over, and one that an undo brings back goes again."""
    if _shown and _shown[0].stage.scene is None:
        stop(in_view=True)
    came_back = any(scene.get(copying.COPY_KEY) for scene in bpy.data.scenes)
    if came_back and not bpy.app.timers.is_registered(_tidy):
        bpy.app.timers.register(_tidy, first_interval=0.0, persistent=True)


def _tidy() -> None:
    """Take away scenes of ours that came back by an undo."""
    for scene in list(bpy.data.scenes):
        if scene.get(copying.COPY_KEY) and not is_playback(scene) and not stepping.busy():
            back = next((s for s in bpy.data.scenes if not s.get(copying.COPY_KEY)), None)
            for window in what_if.windows():
                if window.scene == scene and back is not None:
                    _animate(window, False)
                    window.scene = back
            if len(bpy.data.scenes) > 1:
                copying.remove(scene)


@persistent
def _other_file(*_: Any) -> None:
    """Another file is open: nothing of ours is in it, and the parts of the view close."""
    if _place in bpy.app.handlers.frame_change_pre:
        bpy.app.handlers.frame_change_pre.remove(_place)
    while _shown:
        _close(_shown.pop().split, later=True)


def _handlers() -> tuple[tuple[list[Any], Any], ...]:
    lists = bpy.app.handlers
    return (
        (lists.undo_pre, _before_undo),
        (lists.redo_pre, _before_undo),
        (lists.undo_post, _after_undo),
        (lists.redo_post, _after_undo),
        (lists.load_post, _other_file),
    )


CLASSES: tuple[type, ...] = ()


def attach() -> None:
    """Begin to notice undo, redo and other files."""
    for handlers, handler in _handlers():
        handlers.append(handler)


def detach() -> None:
    """The extension goes: stop, and leave no handler."""
    stop()
    _close_now()
    view_turning.end()
    for handlers, handler in _handlers():
        if handler in handlers:
            handlers.remove(handler)
    for timer in (_tidy, _close_now, _watch):
        if bpy.app.timers.is_registered(timer):
            bpy.app.timers.unregister(timer)
