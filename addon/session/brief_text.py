# SPDX-License-Identifier: GPL-3.0-or-later
"""What a task asks for as a text in the open file, to read beside the view. Main thread only."""

from __future__ import annotations

import bpy

from ...tasks import Task
from .. import bundled
from ..brief_words import page

NAME = "Brief"


def write(task: Task, rules: str, system: str = "metric") -> bpy.types.Text:
    """The text of a task's brief: the one that there is already, or a new one named ``Brief``.

    ``rules`` is what it is judged by, as people call it. Texts of the person's own are left alone.
    """
    ours = (t for t in bpy.data.texts if t.get(bundled.TASK_KEY) == task.id)
    text = next(ours, None) or bpy.data.texts.new(NAME)
    text.clear()
    text.write(page(task, rules, system))
    text.cursor_set(0)
    text[bundled.TASK_KEY] = task.id
    return text
