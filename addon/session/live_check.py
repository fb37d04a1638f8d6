# SPDX-License-Identifier: GPL-3.0-or-later
"""Checking again by itself once an edit has settled, while the person has that switched on.

Never while something is being moved, edited or played, never twice at once, and not at all in
scenes so large that reading them would be felt. The new result takes the place of the old one, and
the chosen finding stays chosen while it is still there.
"""

import time
from typing import Any

import bpy

from .. import review
from . import checking, edits, jobs
from .gallery import redraw
from .kind_here import kind_here

#: An edit has settled when nothing was touched for so long, s.
SETTLED = 0.3
#: Between two looks whether it has, s.
INTERVAL = 0.1
#: Reading a scene holds the window up, 0.05 ms a member: beyond so many objects it would be felt.
MOST_OBJECTS = 5_000
#: Reading that took longer than this, of few but heavy objects, is felt too, s.
LONGEST_READING = 0.5
#: How much of a check that runs by itself the window waits for, s.
_WAIT = 0.03

_due: dict[int, float] = {}
_waits_for = [""]


def is_on() -> bool:
    """Whether scenes are checked again by themselves."""
    return any(wm.plumbline_live.on for wm in bpy.data.window_managers)


def switch(on: bool) -> None:
    """Turn it on or off, as the button does."""
    bpy.context.window_manager.plumbline_live.on = on


def why_off(scene: bpy.types.Scene) -> str | None:
    """Why this scene is not checked by itself though it is switched on; ``None`` if it is."""
    number = len(scene.objects)
    if number > MOST_OBJECTS:
        return (
            f"Not live here: reading {number:,} objects after each edit would hold up the window "
            f"(live up to {MOST_OBJECTS:,}). Press Check Scene"
        )
    if kind_here(scene) == "reconstruction":
        return "Not live here: what moves must be simulated to be checked. Press Check Scene"
    found = review.of(scene)
    if found is not None and found.read_seconds > LONGEST_READING:
        return (
            f"Not live here: reading this scene takes {found.read_seconds:.1f} s of the window. "
            "Press Check Scene"
        )
    return None


def waits_for() -> str:
    """What an edit that is to be checked waits for, empty if for nothing."""
    return _waits_for[0] if _due else ""


def noticed(scene: bpy.types.Scene) -> None:
    """A checked scene was edited: check it once it has settled."""
    if is_on() and why_off(scene) is None:
        _due[scene.session_uid] = time.monotonic()
        if not bpy.app.background and not bpy.app.timers.is_registered(_on_timer):
            bpy.app.timers.register(_on_timer, first_interval=INTERVAL, persistent=True)


def tick() -> bool:
    """Check what has settled; whether something is still to be checked."""
    before, _waits_for[0] = _waits_for[0], ""
    for uid, touched in list(_due.items()):
        scene = next((s for s in bpy.data.scenes if s.session_uid == uid), None)
        window = next((w for w in _windows() if w.scene == scene), None)
        if scene is None or window is None:
            del _due[uid]
        elif time.monotonic() - touched >= SETTLED and checking.at_work(scene) is None:
            _waits_for[0] = hindrance(window)
            if not _waits_for[0]:
                _check(scene, window)
                _due.pop(uid, None)  # reading it made Blender take in the last of the edits
    if _waits_for[0] != before:
        redraw()
    return bool(_due)


def hindrance(window: bpy.types.Window) -> str:
    """What the person is in the midst of, empty for nothing."""
    active = window.view_layer.objects.active
    if active is not None and active.mode != "OBJECT":
        return "waits until you are back in Object Mode (Tab)"
    if any(w.screen is not None and w.screen.is_animation_playing for w in _windows()):
        return "waits until the animation stands still"
    if any(_is_blenders_own(o) for w in _windows() for o in w.modal_operators):
        return "waits until you let go"
    return ""


def _is_blenders_own(operator: bpy.types.Operator) -> bool:
    """Whether Blender itself made it: some add-ons have one that is at work all the time."""
    return bpy.types.Operator.bl_rna_get_subclass_py(operator.bl_idname) is None


def _check(scene: bpy.types.Scene, window: bpy.types.Window) -> None:
    found = review.of(scene)
    state, kind = bpy.context.window_manager.plumbline, review.kind_of_scene(scene)
    if found is not None and found.kind == kind:
        profile, overrides = found.judgement.profile, found.overrides
    else:
        profile, overrides = state.rules(kind), state.overrides(kind)

    def failed(_sentence: str) -> None:
        edits.watch(scene, {})  # whatever is done about it is worth another look

    with bpy.context.temp_override(window=window):
        try:
            checking.check(scene, profile, failed=failed, brief=overrides, keep=True, wait=_WAIT)
        except ValueError as error:  # a sentence: the scene can't be read
            jobs.keep_failure(f"Checking {scene.name}", str(error))
            failed(str(error))


def _windows() -> list[bpy.types.Window]:
    return [window for wm in bpy.data.window_managers for window in wm.windows]


def _on_timer() -> float | None:
    return INTERVAL if tick() else None


def _switched(state: Any, context: bpy.types.Context) -> None:
    scene = context.scene
    if not state.on:
        _due.clear()
        _waits_for[0] = ""
        return
    found = review.of(scene)
    if scene is not None and (found is None or found.stale or found.older):
        noticed(scene)


class PlumblineLive(bpy.types.PropertyGroup):
    """Whether scenes are checked again by themselves."""

    on: bpy.props.BoolProperty(
        name="Live",
        description="Check again by itself, a moment after each edit: a finding goes as soon as "
        "you have mended it. Pauses in Edit Mode, while you move something and during playback",
        update=_switched,
        options={"SKIP_SAVE"},
    )


CLASSES = (PlumblineLive,)


def attach() -> None:
    """Put the switch on every window manager and listen for edits."""
    bpy.types.WindowManager.plumbline_live = bpy.props.PointerProperty(type=PlumblineLive)
    edits.listeners.append(noticed)


def detach() -> None:
    """Take both away again."""
    edits.listeners.remove(noticed)
    _due.clear()
    if bpy.app.timers.is_registered(_on_timer):
        bpy.app.timers.unregister(_on_timer)
    del bpy.types.WindowManager.plumbline_live
