# SPDX-License-Identifier: GPL-3.0-or-later
"""Menu *Plumbline* in the 3D view's *View* menu.

Blender's search (F3) finds what stands in a menu, with the menu's name before it: so whoever types
"plumbline" there sees everything that Plumbline can do.
"""

from __future__ import annotations

from itertools import groupby
from typing import Any

import bpy

from .. import operators


class PLUMBLINE_MT_main(bpy.types.Menu):
    """Everything that Plumbline can do, whatever panels are open"""

    bl_idname = "PLUMBLINE_MT_main"
    bl_label = "Plumbline"
    bl_description = __doc__

    def draw(self, _context: bpy.types.Context) -> None:
        """One group for each panel."""
        layout = self.layout
        layout.operator_context = "INVOKE_DEFAULT"
        for number, (_, group) in enumerate(groupby(entries(), key=lambda cls: cls.__module__)):
            if number:
                layout.separator()
            for cls in group:
                layout.operator(cls.bl_idname)


def entries() -> list[type[bpy.types.Operator]]:
    """Operators that make sense by themselves, in the order of the panels."""
    return [cls for cls in operators.CLASSES if "INTERNAL" not in getattr(cls, "bl_options", ())]


def _draw_entry(menu: Any, _context: bpy.types.Context) -> None:
    menu.layout.separator()
    menu.layout.menu(PLUMBLINE_MT_main.bl_idname)


def _draw_import(menu: Any, _context: bpy.types.Context) -> None:
    menu.layout.operator("plumbline.import_blocks", text="Blocks (Mindcraft, schematic, log)")


CLASSES: tuple[type, ...] = (PLUMBLINE_MT_main,)


def attach() -> None:
    """Put the menu at the end of *View*, and blocks into *File > Import*."""
    bpy.types.VIEW3D_MT_view.append(_draw_entry)
    bpy.types.TOPBAR_MT_file_import.append(_draw_import)


def detach() -> None:
    """Take both out again."""
    bpy.types.TOPBAR_MT_file_import.remove(_draw_import)
    bpy.types.VIEW3D_MT_view.remove(_draw_entry)
