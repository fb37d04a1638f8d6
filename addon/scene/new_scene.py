# SPDX-License-Identifier: GPL-3.0-or-later
"""Running a bundled program in a scene of its own, beside what the person has open."""

from __future__ import annotations

import traceback
from types import CodeType
from typing import Any

import bpy

from .blocks import BlockSession


class BuildError(RuntimeError):
    """A program that didn't run to its end; the message says where. Nothing of it is left."""


def empty_scene(title: str, window: bpy.types.Window) -> bpy.types.Scene:
    """A new scene, empty and metric, that ``window`` shows from now on."""
    scene = bpy.data.scenes.new(title)
    scene.unit_settings.system = "METRIC"
    scene.unit_settings.scale_length = 1.0
    window.scene = scene
    return scene


def build_in_new_scene(
    program: str, title: str, label: str, window: bpy.types.Window
) -> bpy.types.Scene:
    """Run ``program`` as ``__main__`` in a new scene that ``window`` then shows; returns the scene.

    The new scene starts empty and metric; blocks that the program builds are in it afterwards, see
    :mod:`.block_api`. ``label`` names the program in tracebacks. If the program
    fails, everything that it made is removed again, the window shows what it showed before, and
    :class:`BuildError` says what went wrong. For bundled programs only: what a model wrote runs in
    a process of its own.
    """
    before = _data_blocks()
    previous = window.scene
    scene = empty_scene(title, window)
    try:
        with bpy.context.temp_override(window=window, scene=scene, view_layer=scene.view_layers[0]):
            blocks = BlockSession(scene)
            names = {"__name__": "__main__", "__file__": label, **blocks.names}
            _run(compile(program, label, "exec"), names)
            blocks.flush()
            scene.view_layers[0].update()
    except (Exception, SystemExit) as error:
        window.scene = previous
        _remove_all_but(before)
        raise BuildError(_sentence(error, label)) from error
    return scene


def _run(code: CodeType, names: dict[str, Any]) -> None:
    """A program that leaves with nothing to complain of has run to its end."""
    try:
        exec(code, names)
    except SystemExit as leaving:
        if leaving.code not in (None, 0):
            raise


def _data_blocks() -> set[int]:
    return {block.session_uid for block in bpy.data.user_map()}


def _remove_all_but(before: set[int]) -> None:
    made = [block for block in bpy.data.user_map() if block.session_uid not in before]
    scenes = [block for block in made if isinstance(block, bpy.types.Scene)]
    for scene in scenes:
        bpy.data.scenes.remove(scene)
    # Data-blocks that Blender owns (a window manager, a screen) are never ours.
    removable = [
        block
        for block in bpy.data.user_map()
        if block.session_uid not in before
        and not isinstance(block, (bpy.types.WindowManager, bpy.types.Screen, bpy.types.Library))
    ]
    bpy.data.batch_remove(removable)


def _sentence(error: BaseException, label: str) -> str:
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == label]
    where = f"line {lines[-1]} of " if lines else ""
    return f"{where}{label} stopped with {type(error).__name__}: {error}"
