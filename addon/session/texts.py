# SPDX-License-Identifier: GPL-3.0-or-later
"""Code and transcripts to be read in a Text Editor. Main thread only.

A text of the person's is never written over, and no editor of the window changes its kind: where no
Text Editor is open a small window of its own comes, which goes with its own close button.
"""

from __future__ import annotations

import bpy

from .scenes import main_window

#: ``session_uid`` and content of the texts that we made, by what they show.
_ours: dict[str, tuple[int, str]] = {}


def made(key: str) -> bpy.types.Text | None:
    """The text that was made for ``key``, as long as nobody has changed it."""
    uid, content = _ours.get(key, (0, ""))
    text = next((text for text in bpy.data.texts if text.session_uid == uid), None)
    return text if text is not None and _plain(text.as_string()) == _plain(content) else None


def _plain(content: str) -> str:
    return content.rstrip("\n")


def put(key: str, name: str, content: str) -> bpy.types.Text:
    """The text of ``key`` with this content: an older one of ours anew, or a new one.

    One that the person has changed since is left as it is, and a new one is made.
    """
    text = made(key) or bpy.data.texts.new(name)
    if _plain(text.as_string()) != _plain(content):
        text.from_string(content)
    _ours[key] = (text.session_uid, content)
    text.cursor_set(0)
    return text


def show(context: bpy.types.Context, text: bpy.types.Text) -> bool:
    """Show a text in the Text Editor that is open, or else in a window of its own.

    Whether it can be seen; it can't without a window (in background).
    """
    area = _editor(context) or _new_editor(context)
    if area is None:
        return False
    space = area.spaces.active
    space.text = text
    space.top = 0
    space.show_line_numbers = space.show_syntax_highlight = True
    space.show_word_wrap = not text.name.endswith(".py")
    area.tag_redraw()
    return True


def _editor(context: bpy.types.Context) -> bpy.types.Area | None:
    """An open Text Editor, rather in the window where the person is."""
    windows = list(context.window_manager.windows)
    if context.window in windows:
        windows.insert(0, context.window)
    for window in windows:
        for area in window.screen.areas:
            if area.type == "TEXT_EDITOR":
                return area
    return None


def _new_editor(context: bpy.types.Context) -> bpy.types.Area | None:
    """A Text Editor in a window of its own."""
    window = context.window or main_window()
    if bpy.app.background or window is None:
        return None
    before = set(context.window_manager.windows)
    with context.temp_override(window=window, area=_anywhere(window)):
        bpy.ops.wm.window_new()
    new = next((w for w in context.window_manager.windows if w not in before), None)
    if new is None:
        return None
    area = new.screen.areas[0]
    area.type = "TEXT_EDITOR"
    return area


def _anywhere(window: bpy.types.Window) -> bpy.types.Area:
    return max(window.screen.areas, key=lambda area: area.width * area.height)


def forget_all() -> None:
    """Another file was loaded, or the extension goes."""
    _ours.clear()
