# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panel *Agent* shows of an episode: what goes on, what it used, the talk, every try."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bpy

from ..addon.runs.wording import VERDICT_WORDS, count
from ..addon.session import blind, current, tries
from ..addon.session.current import Running
from ..addon.session.live import Live, Try
from .checks import VERDICT_ICONS
from .text import one_line, wrapped

#: Tries that the panel lists, the newest.
_TRIES_SHOWN = 12
#: Lines of the talk that the panel shows, the newest.
_LINES_SHOWN = 6

#: How an episode ended, for people.
ENDS = {
    "finished": "Finished",
    "attempts": "No program left to run",
    "retries": "No retry left for a step",
    "seconds": "Out of time",
    "tokens": "Out of tokens",
    "cost": "Out of money",
    "refusal": "The model declined",
    "gave_up": "The model gave up",
    "environment": "Could not go on",
    "stopped": "Stopped",
    "failed": "Broken off",
}

#: What to do about a fault of the environment whose own message doesn't know the window.
REMEDIES = {
    "missing": "How it comes into Blender: docs/window.md, Let a model build",
    "consent": "Press Allow in this panel, or choose the isolated worker",
}

OUTCOMES = {
    "refused": ("CANCEL", "not allowed"),
    "raised": ("CANCEL", "error"),
    "timeout": ("TIME", "too long"),
    "memory": ("CANCEL", "memory"),
    "crashed": ("CANCEL", "crash"),
}


def clock(seconds: float) -> str:
    """Minutes and seconds: ``3:07``."""
    whole = max(0, int(seconds))
    return f"{whole // 60}:{whole % 60:02d}"


def draw_live(layout: bpy.types.UILayout, context: bpy.types.Context, found: Running) -> None:
    """What goes on, or how it ended, and what was used of each limit."""
    live = found.live
    box = layout.box()
    if found.job.over:
        _draw_end(box, context, live)
    else:
        _draw_work(box, context, found)
    _draw_used(box, found)
    for note in live.notes:
        wrapped(box, context, note)


def _draw_work(layout: bpy.types.UILayout, context: bpy.types.Context, found: Running) -> None:
    live = found.live
    layout.label(text=live.agent, icon="PAUSE" if found.job.paused else "PLAY")
    wrapped(layout, context, f"{live.where.capitalize()} ({isolation_words(live)})")
    if live.waiting:
        wrapped(layout, context, "Paused: nothing is asked or run, and the clock stands still")
        return
    wrapped(layout, context, live.doing)
    if found.job.paused:
        wrapped(layout, context, "Pauses as soon as this is done", icon="PAUSE")
    if live.hindered:
        wrapped(layout, context, live.hindered.capitalize(), icon="PAUSE", alert=True)
    if live.text:
        wrapped(layout, context, "… " + live.tail(160))


def isolation_words(live: Live) -> str:
    """What holds the code, as far as that is known yet."""
    words = {
        "": "nothing has run yet",
        "none": "no isolation",
        "process": "a process of its own, no box round it",
        "bubblewrap": "boxed in by bubblewrap",
    }
    return words.get(live.isolation, live.isolation)


def _draw_used(layout: bpy.types.UILayout, found: Running) -> None:
    """A bar for each limit, one plain line for all that has none."""
    column = layout.column(align=True)
    column.scale_y = 0.85
    plain = []
    for text, share in used(found):
        if share is None:
            plain.append(text)
        else:
            column.progress(factor=share, type="BAR", text=text)
    if plain:
        column.label(text=", ".join(plain))


def used(found: Running) -> list[tuple[str, float | None]]:
    """What was used, in words, and the share of its limit where there is one."""
    live, limits = found.live, found.live.limits
    programs = len(live.tries)
    told = [
        (f"{programs:,} of {limits.attempts:,} programs", _share(programs, limits.attempts)),
        _of_limit(found.job.seconds, limits.seconds, clock, ""),
    ]
    usage = live.usage
    if usage.calls or usage.tokens:
        told.append(_of_limit(usage.tokens, limits.tokens, lambda n: f"{n:,}", "tokens"))
        if usage.cost is None:
            told.append(("price unknown", None))
        else:
            told.append(_of_limit(usage.cost, limits.cost, lambda cost: f"${cost:.2f}", ""))
    return told


def _of_limit(
    value: float, limit: float | None, words: Callable[[Any], str], what: str
) -> tuple[str, float | None]:
    if limit is None:
        return f"{words(value)} {what}".strip(), None
    return f"{words(value)} of {words(limit)} {what}".strip(), _share(value, limit)


def _share(value: float, limit: float) -> float:
    return min(1.0, value / limit) if limit > 0 else 1.0


def _draw_end(layout: bpy.types.UILayout, context: bpy.types.Context, live: Live) -> None:
    end = ENDS.get(live.end or "", live.end or "")
    final = live.tries.get(live.final) if live.final is not None else None
    if live.verdict is not None and not is_kept_back(context, final and final.scene):
        words = f"{VERDICT_WORDS[live.verdict].capitalize()}. {end}"
        layout.alert = live.verdict == "failed"
        layout.label(text=words, icon=VERDICT_ICONS[live.verdict])
        layout.alert = False
    else:
        troubled = live.end not in ("finished", "stopped")
        layout.label(text=end, icon="ERROR" if troubled else "INFO")
    if live.message:
        wrapped(layout, context, live.message[:1].upper() + live.message[1:])
    if live.fault in REMEDIES:
        wrapped(layout, context, REMEDIES[live.fault])
    if live.folder:
        row = layout.row(align=True)
        row.operator(
            "wm.path_open", text="Open Its Folder", icon="FILE_FOLDER"
        ).filepath = live.folder
        if live.run:
            row.operator(
                "plumbline.open_run", text="Show as Run", icon="FILE_CACHE"
            ).directory = live.run


class PLUMBLINE_PT_talk(bpy.types.Panel):
    """What was asked, answered, run and found, the newest last"""

    bl_idname = "PLUMBLINE_PT_talk"
    bl_parent_id = "PLUMBLINE_PT_agent"
    bl_label = "Conversation"
    bl_description = __doc__
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Plumbline"

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        """Nothing to show before the first line."""
        found = current.now()
        return found is not None and bool(found.live.lines)

    def draw(self, context: bpy.types.Context) -> None:
        """The last lines, and the way to all of them."""
        found = current.now()
        hidden = context.window_manager.plumbline_annotating.blind
        column = self.layout.column(align=True)
        column.scale_y = 0.85
        for line in list(found.live.lines)[-_LINES_SHOWN:]:
            column.label(text=one_line(context, unbiased(line) if hidden else line))
        row = self.layout.row()
        row.enabled = not hidden
        row.operator("plumbline.show_talk", icon="TEXT")


def unbiased(line: str) -> str:
    """A line of the talk without what the checks said."""
    if line.startswith("checked "):
        return line.partition(": ")[0]
    return line.partition(" → ")[0] if line.startswith("tool ") else line


def is_kept_back(context: bpy.types.Context, scene: int | None) -> bool:
    """Whether what the checks say of a try, by its scene, is hidden from this person for now."""
    if not context.window_manager.plumbline_annotating.blind:
        return False
    shown = context.scene is not None and context.scene.session_uid == scene
    return not shown or blind.hidden(context)


class PLUMBLINE_PT_tries(bpy.types.Panel):
    """Each program that the agent ran: click one to see its scene and what is wrong there"""

    bl_idname = "PLUMBLINE_PT_tries"
    bl_parent_id = "PLUMBLINE_PT_agent"
    bl_label = "Tries"
    bl_description = __doc__
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Plumbline"

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        """Nothing to show before the first."""
        found = current.now()
        return found is not None and bool(found.live.tries)

    def draw(self, context: bpy.types.Context) -> None:
        """The one that is looked at, then a row for each, the newest first."""
        found = current.now()
        _draw_shown(self.layout, context, found.live)
        column = self.layout.column(align=True)
        for key, row in sorted(found.live.tries.items(), reverse=True)[:_TRIES_SHOWN]:
            _draw_try(column, context, key, row)
        left = len(found.live.tries) - _TRIES_SHOWN
        if left > 0:
            column.label(text=f"and {count(left, 'earlier one')}", icon="BLANK1")


def _draw_shown(layout: bpy.types.UILayout, context: bpy.types.Context, live: Live) -> None:
    """Steps through the tries; the code of this one, and what the model was told about it."""
    key = tries.shown_key(context)
    row = live.tries.get(key)
    if row is None:
        return
    line = layout.row(align=True)
    line.operator("plumbline.step_try", text="", icon="TRIA_LEFT").step = -1
    place = sorted(live.tries).index(key) + 1
    line.label(text=f"{place} of {len(live.tries)}: {_name(row)}")
    line.operator("plumbline.step_try", text="", icon="TRIA_RIGHT").step = 1
    line.operator("plumbline.try_code", text="Code", icon="FILE_SCRIPT").key = key
    if is_kept_back(context, row.scene):
        wrapped(layout, context, blind.NOTE)
    elif row.told:
        box = layout.box()
        box.label(text="What the checks found in it", icon="INFO")
        for message in row.told:
            wrapped(box, context, message)
        if row.faults > len(row.told):
            box.label(text=f"and {count(row.faults - len(row.told), 'fault')} more")


def _name(row: Try) -> str:
    return row.title.partition(" · ")[2] or row.title


def _draw_try(layout: bpy.types.UILayout, context: bpy.types.Context, key: int, row: Try) -> None:
    icon, words = verdict_of(row, is_kept_back(context, row.scene))
    split = layout.split(factor=0.66, align=True)
    if row.scene is not None:
        shown = context.scene is not None and context.scene.session_uid == row.scene
        split.operator("plumbline.show_try", text=_name(row), icon=icon, depress=shown).key = key
    else:
        split.label(text=_name(row), icon=icon)
    split.label(text=words)
    if row.message and row.outcome != "finished":
        wrapped(layout, context, row.message, icon="BLANK1")


def verdict_of(row: Try, hidden: bool = False) -> tuple[str, str]:
    """Icon and word or two for one try; ``hidden`` keeps to itself what the checks said."""
    if row.outcome is None:
        return "PLAY", "running"
    if row.outcome in OUTCOMES:
        return OUTCOMES[row.outcome]
    if row.verdict is None or hidden:
        return "LAYER_USED", "ran"
    if row.verdict == "failed":
        return VERDICT_ICONS["failed"], count(row.faults, "fault")
    words = VERDICT_WORDS[row.verdict] if row.whole else "stands"
    return VERDICT_ICONS[row.verdict], words


CLASSES = (PLUMBLINE_PT_talk, PLUMBLINE_PT_tries)
