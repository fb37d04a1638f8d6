# SPDX-License-Identifier: GPL-3.0-or-later
"""Panel *Agent*: let a model build the chosen task, and watch it."""

from __future__ import annotations

import bpy

from ..addon import bundled
from ..addon.runs.wording import VERDICT_WORDS, count
from ..addon.session import choices, current
from ..addon.session.consent import consent
from ..addon.session.current import Running
from ..addon.session.live import Live, Try
from ..addon.session.running import alarm_note
from .checks import VERDICT_ICONS
from .text import wrapped

#: Tries that the panel lists, the newest.
_TRIES_SHOWN = 12

#: What stands in the field of the model's name while it is empty.
MODEL_HINTS = {"anthropic": "Model: claude-...", "openai": "Model: gpt-..., or the server's"}

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


class PLUMBLINE_PT_agent(bpy.types.Panel):
    """Let a model build the chosen task, and watch the house grow"""

    bl_idname = "PLUMBLINE_PT_agent"
    bl_label = "Agent"
    bl_description = __doc__
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Plumbline"
    bl_order = 1
    bl_options = {"DEFAULT_CLOSED"}

    def draw_header_preset(self, _context: bpy.types.Context) -> None:
        """Whether it is at work, even with the panel closed."""
        found = current.now()
        if found is not None and not found.job.over:
            self.layout.label(text=clock(found.job.seconds), icon="PLAY")

    def draw(self, context: bpy.types.Context) -> None:
        """Before: what to choose. Meanwhile and afterwards: what goes on and how it went."""
        layout = self.layout
        found = current.now()
        busy = found is not None and not found.job.over
        column = layout.column()
        column.enabled = not busy
        _draw_choices(column, context)
        draw_permission(layout, context, only_if_needed=True)
        row = layout.row(align=True)
        row.scale_y = 1.4
        if busy:
            row.operator("plumbline.stop_agent", icon="SNAP_FACE")
        else:
            row.operator("plumbline.start_agent", icon="PLAY")
        if found is not None:
            _draw_live(layout, context, found)


def _draw_choices(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    chosen, model = choices.of(context), choices.model_of(context)
    state = context.window_manager.plumbline
    task = next((t for t in bundled.timber_tasks() if t.id == state.task), None)
    layout.label(text=f"Builds: {task.title}" if task else "No task", icon="HOME")
    column = layout.column(align=True)
    column.prop(model, "provider", text="")
    if model.provider != "scripted":
        hint = MODEL_HINTS.get(model.provider, "Model")
        column.prop(model, "model", text="", icon="OUTLINER_OB_LIGHT", placeholder=hint)
        layout.prop(chosen, "protocol", text="")
    layout.prop(chosen, "where", text="")


def draw_permission(
    layout: bpy.types.UILayout, context: bpy.types.Context, only_if_needed: bool = False
) -> None:
    """Whether code may run in this session, for how long yet, and the button for that."""
    if only_if_needed and choices.of(context).where != "session" and not consent.given:
        return
    if consent.given:
        row = layout.split(factor=0.62, align=True)
        row.label(text=f"Allowed, {clock(consent.left)} left", icon="UNLOCKED")
        row.operator("plumbline.revoke_session", icon="X")
    else:
        layout.operator("plumbline.allow_session", text="Allow...", icon="LOCKED")


def _draw_live(layout: bpy.types.UILayout, context: bpy.types.Context, found: Running) -> None:
    live = found.live
    box = layout.box()
    if found.job.over:
        _draw_end(box, context, live)
    else:
        box.label(text=live.agent, icon="PLAY")
        wrapped(box, context, f"{live.where.capitalize()} ({isolation_words(live)})")
        wrapped(box, context, live.doing)
        if live.hindered:
            wrapped(box, context, live.hindered.capitalize(), icon="PAUSE", alert=True)
        if live.text:
            wrapped(box, context, "… " + live.tail(160))
    facts = box.column(align=True)
    facts.scale_y = 0.85
    for line in _facts(found):
        facts.label(text=line)
    for note in live.notes:
        wrapped(box, context, note)


def isolation_words(live: Live) -> str:
    """What holds the code, as far as that is known yet."""
    words = {
        "": "nothing has run yet",
        "none": "no isolation",
        "process": "a process of its own, no box round it",
        "bubblewrap": "boxed in by bubblewrap",
    }
    return words.get(live.isolation, live.isolation)


def _facts(found: Running) -> list[str]:
    usage = found.live.usage
    facts = [f"{clock(found.job.seconds)}, {count(len(found.live.tries), 'program')}"]
    if usage.calls or usage.tokens:
        cost = "price unknown" if usage.cost is None else f"${usage.cost:.2f}"
        facts.append(f"{usage.tokens:,} tokens, {cost}")
    return facts


def _draw_end(layout: bpy.types.UILayout, context: bpy.types.Context, live: Live) -> None:
    end = ENDS.get(live.end or "", live.end or "")
    if live.verdict is not None:
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
        layout.operator(
            "wm.path_open", text="Open Its Folder", icon="FILE_FOLDER"
        ).filepath = live.folder


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
        """A row for each, the newest first."""
        found = current.now()
        column = self.layout.column(align=True)
        for key, row in sorted(found.live.tries.items(), reverse=True)[:_TRIES_SHOWN]:
            _draw_try(column, context, key, row)
        left = len(found.live.tries) - _TRIES_SHOWN
        if left > 0:
            column.label(text=f"and {count(left, 'earlier one')}", icon="BLANK1")


def _draw_try(layout: bpy.types.UILayout, context: bpy.types.Context, key: int, row: Try) -> None:
    icon, words = verdict_of(row)
    split = layout.split(factor=0.66, align=True)
    name = row.title.partition(" · ")[2] or row.title
    if row.scene is not None:
        shown = context.scene is not None and context.scene.session_uid == row.scene
        split.operator("plumbline.show_try", text=name, icon=icon, depress=shown).key = key
    else:
        split.label(text=name, icon=icon)
    split.label(text=words)
    if row.message and row.outcome != "finished":
        wrapped(layout, context, row.message, icon="BLANK1")


def verdict_of(row: Try) -> tuple[str, str]:
    """Icon and word or two for one try."""
    if row.outcome is None:
        return "PLAY", "running"
    if row.outcome in OUTCOMES:
        return OUTCOMES[row.outcome]
    if row.verdict is None:
        return "LAYER_USED", "ran"
    if row.verdict == "failed":
        return VERDICT_ICONS["failed"], count(row.faults, "fault")
    words = VERDICT_WORDS[row.verdict] if row.whole else "stands"
    return VERDICT_ICONS[row.verdict], words


class PLUMBLINE_PT_agent_limits(bpy.types.Panel):
    """Where an episode stops, and what is kept of it"""

    bl_idname = "PLUMBLINE_PT_agent_limits"
    bl_parent_id = "PLUMBLINE_PT_agent"
    bl_label = "Limits and Server"
    bl_description = __doc__
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Plumbline"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """The limits, the scenes, the server."""
        layout = self.layout
        layout.use_property_split = True
        chosen, model = choices.of(context), choices.model_of(context)
        column = layout.column(align=True)
        column.prop(chosen, "attempts")
        column.prop(chosen, "retries")
        column.prop(chosen, "cost")
        column.prop(chosen, "minutes")
        column = layout.column(align=True)
        column.prop(chosen, "follow")
        column.prop(chosen, "keep_failed")
        if model.provider != "scripted":
            column = layout.column(align=True)
            column.prop(model, "base_url")
            if model.provider == "openai":
                column.prop(model, "api")
        if chosen.where == "session":
            layout.prop(chosen, "code_seconds")
            wrapped(layout, context, alarm_note().capitalize(), icon="TIME")


def clock(seconds: float) -> str:
    """``3:07``."""
    whole = max(0, int(seconds))
    return f"{whole // 60}:{whole % 60:02d}"


CLASSES = (PLUMBLINE_PT_agent, PLUMBLINE_PT_tries, PLUMBLINE_PT_agent_limits)
