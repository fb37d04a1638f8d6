# SPDX-License-Identifier: GPL-3.0-or-later
"""The page in *Edit > Preferences > Add-ons > Plumbline*."""

from typing import Any

import bpy
import rna_keymap_ui

from ..addon import preferences
from ..addon.agent.providers.keys import VARIABLES
from ..addon.i18n import CONTEXT
from ..addon.session import alarm, isolation
from .text import wrapped

_SWATCHES = tuple(f"shown_{tone}" for tone in preferences.OWN_TONES)


class PlumblinePreferences(preferences.Choices, bpy.types.AddonPreferences):
    """The model, limits, isolation, looks, your name and keys"""

    bl_idname = preferences.PACKAGE

    def draw(self, context: bpy.types.Context) -> None:
        """One section after the other, each of which can be closed."""
        layout = self.layout
        for name, title, draw in SECTIONS:
            header, body = layout.panel(f"PLUMBLINE_preferences_{name}", default_closed=False)
            header.label(text=title)
            if body is not None:
                body.use_property_split = True
                draw(body, context, self)


def _draw_model(layout: bpy.types.UILayout, context: bpy.types.Context, page: Any) -> None:
    if not bpy.app.online_access:
        wrapped(
            layout,
            context,
            "Blender is not to go online: everything works but asking a model. "
            "System > Network > Allow Online Access changes that",
            icon="INTERNET_OFFLINE",
        )
    layout.prop(page, "provider")
    if page.provider == "scripted":
        return
    layout.prop(page, "model")
    layout.prop(page, "base_url")
    if page.provider == "openai":
        layout.prop(page, "api")
    _draw_keys(layout, context, page)


def _draw_keys(layout: bpy.types.UILayout, context: bpy.types.Context, page: Any) -> None:
    found = [name for name in VARIABLES if preferences.in_environment(name)]
    for name, variable in VARIABLES.items():
        field = layout.row()
        field.enabled = name not in found
        field.prop(page, f"{name}_key")
        if name in found:
            layout.label(text=f"{variable} is set in the environment and is used", icon="CHECKMARK")
    if len(found) < len(VARIABLES):
        wrapped(
            layout,
            context,
            "A key is better kept in the environment: Blender keeps what is written here in its "
            "userpref.blend, in plain text",
            icon="INFO",
        )


def _draw_limits(layout: bpy.types.UILayout, context: bpy.types.Context, page: Any) -> None:
    column = layout.column(align=True)
    for name in ("attempts", "retries", "cost", "minutes"):
        column.prop(page, name)
    wrapped(layout, context, "With these the panel Agent starts; there they can be changed")


def _draw_isolation(layout: bpy.types.UILayout, context: bpy.types.Context, page: Any) -> None:
    layout.prop(page, "where")
    offer = isolation.now()
    if offer is None:
        row = layout.split(factor=0.75)
        row.label(text="What this machine offers was not tried yet", icon="QUESTION")
        row.operator("plumbline.try_isolation")
    else:
        wrapped(layout, context, offer.sentence, icon="LOCKED" if offer.boxed else "UNLOCKED")
        if offer.reason:
            wrapped(layout, context, offer.reason, icon="INFO")
    if page.where == "session" and not alarm.available():
        wrapped(layout, context, "This system has no alarm that stops endless code", icon="ERROR")


def _draw_look(layout: bpy.types.UILayout, _context: bpy.types.Context, page: Any) -> None:
    layout.prop(page, "palette")
    swatches = layout.grid_flow(columns=len(_SWATCHES), even_columns=True, align=True)
    swatches.use_property_split = False
    for name in _SWATCHES:
        cell = swatches.column(align=True)
        cell.prop(page, name, text="")
        cell.label(text=page.bl_rna.properties[name].name, text_ctxt=CONTEXT)
    layout.prop(page, "units")
    layout.prop(page, "show_label")
    layout.prop(page, "animate")


def _draw_person(layout: bpy.types.UILayout, context: bpy.types.Context, page: Any) -> None:
    layout.prop(page, "annotator")
    wrapped(layout, context, "Your judgments in the panel Annotate are kept under this name")


def _draw_keymap(layout: bpy.types.UILayout, context: bpy.types.Context, _page: Any) -> None:
    config = context.window_manager.keyconfigs.user
    if config is None:  # in background
        return
    layout.use_property_split = False
    for keymap in config.keymaps:
        entries = [e for e in keymap.keymap_items if e.idname.startswith("plumbline.")]
        if not entries:
            continue
        layout.label(text=keymap.name)
        for entry in entries:
            rna_keymap_ui.draw_kmi([], config, keymap, entry, layout, 0)


SECTIONS = (
    ("model", "Model", _draw_model),
    ("limits", "Limits", _draw_limits),
    ("isolation", "Isolation", _draw_isolation),
    ("look", "Look", _draw_look),
    ("person", "Annotator", _draw_person),
    ("keymap", "Keys", _draw_keymap),
)

CLASSES = (PlumblinePreferences,)
