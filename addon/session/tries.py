# SPDX-License-Identifier: GPL-3.0-or-later
"""The tries of the episode of this window: which one is looked at, its code, the whole talk."""

from __future__ import annotations

from pathlib import Path

import bpy

from ..agent.transcript import read_events
from . import choices, current, texts
from .live import Try
from .telling import text_of


def shown_key(context: bpy.types.Context) -> int | None:
    """The try that the panel tells about: that of the shown scene, else the one chosen last.

    The newest where neither is known any more; ``None`` without a try.
    """
    found = current.now()
    if found is None or not found.live.tries:
        return None
    tries = found.live.tries
    uid = context.scene.session_uid if context.scene is not None else None
    same = [key for key, row in tries.items() if row.scene is not None and row.scene == uid]
    if same:
        return same[-1]
    chosen = choices.of(context).shown_try
    return chosen if chosen in tries else max(tries)


def beside(context: bpy.types.Context, step: int) -> int | None:
    """The try before (-1) or after (1) the one that is shown, ``None`` at the end of the list."""
    found, key = current.now(), shown_key(context)
    if found is None or key is None:
        return None
    keys = sorted(found.live.tries)
    place = keys.index(key) + step
    return keys[place] if 0 <= place < len(keys) else None


def scene_of(key: int) -> bpy.types.Scene | None:
    """The scene of a try, ``None`` if it has none in the file (any more)."""
    found = current.now()
    landed = found.gallery.landed.get(key) if found is not None else None
    return landed.scene if landed is not None else None


def show(context: bpy.types.Context, key: int) -> bool:
    """Tell about this try from now on, and show its scene; whether there is one."""
    chosen = choices.of(context)
    chosen.shown_try, chosen.follow = key, False
    scene = scene_of(key)
    if scene is None or context.window is None:
        return False
    context.window.scene = scene
    return True


def show_code(context: bpy.types.Context, key: int) -> bool:
    """Open the program of a try in a Text Editor; whether one is to be seen."""
    found = current.now()
    assert found is not None
    row: Try = found.live.tries[key]
    name = f"{row.title.replace(' · ', ' ')}.py"
    text = texts.put(f"code {found.asked.recording.path} {key}", name, row.code)
    return texts.show(context, text)


def show_talk(context: bpy.types.Context) -> bool:
    """Open the whole conversation as text; whether it is to be seen. Raises ``OSError``."""
    found = current.now()
    assert found is not None
    folder = found.asked.folder
    return show_transcript(context, folder, found.asked.task.id)


def show_transcript(context: bpy.types.Context, folder: Path, title: str) -> bool:
    """Open the transcript in an attempt's folder as text. Raises ``OSError`` without one."""
    content = text_of(read_events(folder), f"{title}\n{folder}")
    name = f"{title.rpartition('/')[2]} transcript"
    return texts.show(context, texts.put(f"transcript {folder}", name, content))
