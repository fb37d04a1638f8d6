# SPDX-License-Identifier: GPL-3.0-or-later
"""Panel *Blocks*: what stands, the order in which it was placed, and files of blocks."""

from __future__ import annotations

import bpy

from ..addon.i18n import say, say_count
from ..addon.runs.wording import printable
from ..addon.scene.block_nodes import shown_input
from ..addon.scene.blocks import blocks_object
from ..addon.session import block_choices, blocks_now
from ..addon.session.blocks_now import BlocksNow
from ..addon.session.kind_here import has_blocks
from .text import wrapped

_MATERIALS_SHOWN = 8


class PLUMBLINE_PT_blocks(bpy.types.Panel):
    """Blocks of this scene: how many of which material, and the order of their placement"""

    bl_idname = "PLUMBLINE_PT_blocks"
    bl_label = "Blocks"
    bl_description = __doc__
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Plumbline"
    bl_order = 8
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs blocks in the scene."""
        return has_blocks(context.scene)

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """How many blocks stand, even with the panel closed."""
        now = blocks_now.of(context.scene)
        self.layout.label(text=f"{len(now.structure):,}" if now is not None else "")

    def draw(self, context: bpy.types.Context) -> None:
        """What stands, how it came to stand, and files."""
        layout, scene = self.layout, context.scene
        now = blocks_now.of(scene)
        if now is None:
            wrapped(layout, context, blocks_now.trouble(scene), icon="ERROR")
            return
        _draw_materials(layout, now)
        _draw_order(layout, context, now)
        row = layout.row(align=True)
        row.operator("plumbline.import_blocks", icon="IMPORT")
        row.operator("plumbline.export_blocks", icon="EXPORT")


def _draw_materials(layout: bpy.types.UILayout, now: BlocksNow) -> None:
    """How many blocks there are, and of what."""
    box = layout.box().column(align=True)
    box.label(text=say_count(len(now.structure), "{n} block", "{n} blocks"), icon="MESH_CUBE")
    for material, number in now.materials[:_MATERIALS_SHOWN]:
        row = box.row()
        row.label(text=printable(material))
        count = row.row()
        count.alignment = "RIGHT"
        count.label(text=f"{number:,}")
    rest = len(now.materials) - _MATERIALS_SHOWN
    if rest > 0:
        box.label(text=say("and {n} more", n=rest))


def _draw_order(layout: bpy.types.UILayout, context: bpy.types.Context, now: BlocksNow) -> None:
    """The slider of what is shown, the animation, and the path with its figures."""
    if not now.structure.ordered:
        sentence = "These blocks were read without the order of their placement."
        wrapped(layout, context, sentence, icon="INFO")
        return
    column = layout.column(align=True)
    try:
        holder, name = shown_input(blocks_object(context.scene))
    except ValueError as error:
        wrapped(layout, context, str(error), icon="ERROR")
    else:
        column.prop(holder, name, text=say("Shown of {n}", n=f"{now.actions:,}"), slider=True)
        column.operator("plumbline.animate_blocks", icon="PLAY")
    state = block_choices.blocks_of(context)
    layout.prop(state, "path", icon="CURVE_PATH", toggle=True)
    if state.path:
        _draw_figures(layout.column(align=True), now)


def _draw_figures(column: bpy.types.UILayout, now: BlocksNow) -> None:
    """Length of the way, the least there could be, and the score of the efficiency check."""
    way = now.path
    for words, figure in (
        (say("Length of the way L"), f"{way.length:,}"),
        (say("Least, n - 1"), f"{way.least:,}"),
        (say("Jumps"), f"{int((way.steps > 1).sum()):,}"),
        (say("Efficiency"), f"{way.score:.3f}"),
    ):
        row = column.row()
        row.label(text=words)
        value = row.row()
        value.alignment = "RIGHT"
        value.label(text=figure)


CLASSES = (PLUMBLINE_PT_blocks,)
