# SPDX-License-Identifier: GPL-3.0-or-later
"""Opening, starting and saving .blend files in a process that is ours alone."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import bpy

from .blendfile import BlendFileError, inspect
from .reading import counted, listed


def fresh_scene() -> bpy.types.Scene:
    """An empty factory scene in metres, whatever was there before."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    scene = bpy.context.scene
    scene.unit_settings.system = "METRIC"
    scene.unit_settings.scale_length = 1.0
    return scene


def open_blend(path: str | Path) -> list[str]:
    """Open a .blend without running its scripts; sentences on what it lacks (missing libraries).

    Raises :class:`BlendFileError` for what can't be opened whole: a file that is cut off, none at
    all, or one from a newer Blender, which this one would open with losses.
    """
    path = Path(path).resolve()
    seen = inspect(path)
    _refuse_newer(path, seen.version)
    try:
        bpy.ops.wm.open_mainfile(filepath=str(path), load_ui=False, use_scripts=False)
    except RuntimeError as error:
        reason = _words(error, path)
        if "DNA" in reason or "incomplete" in reason:
            reason = "it is cut off or damaged; copy it again or restore it from a backup"
        elif "not supported" in reason:
            reason = "what is in it is no .blend file; save it again from Blender"
        raise BlendFileError(f"{path} can't be opened: {reason}") from None
    _refuse_newer(path, tuple(bpy.data.version)[:2])
    return _missing_libraries() + _other_scenes()


def save_blend(path: str | Path) -> None:
    """Save the open file as ``path``, in a folder that exists. Raises ``OSError`` in words."""
    path = Path(path).resolve()
    try:
        bpy.ops.wm.save_as_mainfile(filepath=str(path), check_existing=False, copy=True)
    except RuntimeError as error:
        words = _words(error, path)
        raise OSError(f"{path} can't be written: {words}; save to another folder") from None


def _refuse_newer(path: Path, version: tuple[int, ...] | None) -> None:
    if version is not None and tuple(version) > bpy.app.version[:2]:
        theirs, ours = ".".join(map(str, version)), ".".join(map(str, bpy.app.version[:2]))
        raise BlendFileError(
            f"{path} was saved by Blender {theirs} and this is {ours}, which would lose part of "
            f"it: open it with Blender {theirs} or newer"
        )


def _words(error: RuntimeError, path: Path) -> str:
    """Blender's own words without the parts that repeat the path."""
    lines = str(error).strip().splitlines() or ["no reason given"]
    return lines[-1].removeprefix("Error: ").replace(str(path), path.name)


def _missing_libraries() -> list[str]:
    missing = [
        library.filepath
        for library in bpy.data.libraries
        if not os.path.exists(bpy.path.abspath(library.filepath, library=library.parent))
    ]
    if not missing:
        return []
    return [
        f"{counted(len(missing), 'linked file is', 'linked files are')} missing, so what comes "
        f"from there was not read: {listed(missing)}."
    ]


def _other_scenes() -> list[str]:
    others = [s.name for s in bpy.data.scenes if s != bpy.context.scene and len(s.objects)]
    if not others:
        return []
    return [f"Only scene {bpy.context.scene.name} was read; the file also has {listed(others)}."]


def handlers() -> dict[str, list[Callable[..., object]]]:
    """All of Blender's handler lists by name, as they stand now."""
    lists = bpy.app.handlers
    return {n: list(v) for n in dir(lists) if isinstance(v := getattr(lists, n), list)}


def restore_handlers(before: dict[str, list[Callable[..., object]]]) -> None:
    """Put the handler lists back to what :func:`handlers` gave."""
    for name, functions in before.items():
        getattr(bpy.app.handlers, name)[:] = functions
