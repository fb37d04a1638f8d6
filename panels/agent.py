# SPDX-License-Identifier: GPL-3.0-or-later
"""Panel *Agent*: let a model build the chosen task, and watch it."""

from __future__ import annotations

import bpy

from ..addon import bundled
from ..addon.session import choices, current
from ..addon.session.consent import consent
from ..addon.session.running import alarm_note
from . import agent_live
from .agent_live import clock, draw_live
from .text import wrapped

#: What stands in the field of the model's name while it is empty.
MODEL_HINTS = {"anthropic": "Model: claude-...", "openai": "Model: gpt-..., or the server's"}


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
            icon = "PAUSE" if found.job.paused else "PLAY"
            self.layout.label(text=clock(found.job.seconds), icon=icon)

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
            paused = found.job.paused
            words, icon = ("Go On", "PLAY") if paused else ("Pause", "PAUSE")
            row.operator("plumbline.pause_agent", text=words, icon=icon, depress=paused)
            row.operator("plumbline.stop_agent", text="Stop", icon="SNAP_FACE")
        else:
            row.operator("plumbline.start_agent", text="Start", icon="PLAY")
        if found is not None:
            draw_live(layout, context, found)


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
        column.prop(chosen, "tokens")
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


CLASSES = (PLUMBLINE_PT_agent, *agent_live.CLASSES, PLUMBLINE_PT_agent_limits)
