# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes that come into the open file and go again, and copies of the file. Main thread only."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from pathlib import Path

import bpy

from ..scene.blocks import structure_of_scene
from ..scene.gather import NAME_PROPERTY
from ..scene.plain import Structure
from .disarm import disarm

#: Copies of the person's file that are kept, the newest.
CHECKPOINTS_KEPT = 10


@dataclass
class Landed:
    """A scene of an episode in the open file.

    ``uid`` is its ``session_uid``, ``blocks`` those of everything that came with it. ``names`` maps
    the names that members have for the model to those of their objects here, where they differ.
    """

    uid: int
    blocks: set[int] = field(default_factory=set)
    names: dict[str, str] = field(default_factory=dict)

    @property
    def scene(self) -> bpy.types.Scene | None:
        """The scene, ``None`` if the person removed it or undid its coming."""
        return next((s for s in bpy.data.scenes if s.session_uid == self.uid), None)


def checkpoint(folder: Path) -> Path:
    """Save a copy of the open file into ``folder``, beside older ones. Raises ``OSError``."""
    folder.mkdir(parents=True, exist_ok=True)
    stem = Path(bpy.data.filepath).stem or "untitled"
    moment = datetime.datetime.now().strftime("%Y%m%d-%H%M%S-%f")
    path = folder / f"{moment}-{stem}.blend"
    try:
        bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True, check_existing=False)
    except RuntimeError as error:
        raise OSError(f"no copy of this file can be saved as {path}: {error}") from None
    for old in sorted(folder.glob("*.blend"))[:-CHECKPOINTS_KEPT]:
        old.unlink(missing_ok=True)
    return path


def land(blend: Path, title: str) -> Landed:
    """Bring the scene of a .blend into the open file under ``title``, with everything in it.

    No script of that file is run, now or later: drivers and texts in it are left out. Raises
    ``OSError`` if there is no scene in it.
    """
    before = {block.session_uid for block in bpy.data.user_map()}
    try:
        with bpy.data.libraries.load(str(blend), link=False) as (source, wanted):
            names = list(source.objects)
            wanted.scenes = list(source.scenes)[:1]
            wanted.objects = list(names)
    except (RuntimeError, OSError) as error:
        said = str(error).strip().removeprefix("Error: ")
        raise OSError(
            f"{blend} can't be read by Blender {bpy.app.version_string}: {said}"
        ) from None
    if not wanted.scenes or wanted.scenes[0] is None:
        raise OSError(f"there is no scene in {blend}")
    scene = wanted.scenes[0]
    scene.name = title
    here = {
        name: obj.name
        for name, obj in zip(names, wanted.objects, strict=True)
        if obj is not None and obj.name != name
    }
    for name, obj in zip(names, wanted.objects, strict=True):
        if name in here and obj is not None:
            obj[NAME_PROPERTY] = name
    forget_library(blend)
    disarm([block for block in bpy.data.user_map() if block.session_uid not in before])
    came = {block.session_uid for block in bpy.data.user_map()} - before
    return Landed(scene.session_uid, came, here)


def forget_library(blend: Path) -> None:
    """Take the note out of the file that something once came from ``blend``."""
    for library in list(bpy.data.libraries):
        if Path(bpy.path.abspath(library.filepath)) == blend and not library.users_id:
            bpy.data.libraries.remove(library)


def write(scene: bpy.types.Scene, blend: Path) -> None:
    """Write one scene with all that it needs as a .blend. Raises ``OSError``."""
    blend.parent.mkdir(parents=True, exist_ok=True)
    try:
        bpy.data.libraries.write(str(blend), {scene}, path_remap="ABSOLUTE")
    except (RuntimeError, OSError) as error:
        raise OSError(f"the scene can't be written to {blend}: {error}") from None


def remove(landed: Landed) -> None:
    """Take a scene out of the file again, with what came with it and nobody else uses."""
    scene = landed.scene
    if scene is None or len(bpy.data.scenes) == 1:
        return
    for window in bpy.context.window_manager.windows:
        if window.scene == scene:
            window.scene = next(s for s in bpy.data.scenes if s != scene)
    bpy.data.scenes.remove(scene)
    while True:
        free = [
            block
            for block, users in bpy.data.user_map().items()
            if block.session_uid in landed.blocks and not users and not block.use_fake_user
        ]
        if not free:
            return
        bpy.data.batch_remove(free)


def read(landed: Landed) -> Structure:
    """What a landed scene holds, members under the names that they have here."""
    scene = landed.scene
    assert scene is not None
    return structure_of_scene(scene)


def main_window() -> bpy.types.Window | None:
    """The window that follows an episode: the first."""
    windows = bpy.context.window_manager.windows
    return windows[0] if len(windows) else None


def busy() -> str | None:
    """Why the open file can't be changed just now, for people; ``None`` if it can."""
    for window in bpy.context.window_manager.windows:
        if len(getattr(window, "modal_operators", ())):
            return "waits until you have finished what you are doing in the window"
        layer = window.view_layer
        active = layer.objects.active if layer is not None else None
        if active is not None and active.mode != "OBJECT":
            return "waits until you leave Edit Mode (Tab)"
    if bpy.app.is_job_running("RENDER"):
        return "waits for the render"
    return None


def push_undo(message: str) -> None:
    """One step in the undo history, where there is one (not in background)."""
    if not bpy.app.background:
        with bpy.context.temp_override(window=main_window()):
            bpy.ops.ed.undo_push(message=message)


def undo() -> bool:
    """Go back one step; whether there was one to go back to."""
    if bpy.app.background:
        return False
    with bpy.context.temp_override(window=main_window()):
        return bpy.ops.ed.undo.poll() and "FINISHED" in bpy.ops.ed.undo()
