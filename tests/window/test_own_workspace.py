# SPDX-License-Identifier: GPL-3.0-or-later
"""The workspace *Plumbline* in a real window: made, used, and taken away again."""

from __future__ import annotations

import pytest
from window_hands import photograph

pytestmark = [pytest.mark.window, pytest.mark.real_blender]

# What the person's own workspaces look like: editors of each screen, and the shading of views.
OTHERS = """
def look_of(screen):
    return [[a.type, a.width, a.height, [s.shading.type + s.shading.color_type for s in a.spaces
            if s.type == "VIEW_3D"]] for a in screen.areas]
result = {w.name: [look_of(s) for s in w.screens] for w in bpy.data.workspaces
          if w.name != "Plumbline"}
"""

MADE = """
result = {
    "workspace": window().workspace.name,
    "editors": sorted(a.type for a in window().screen.areas),
    "largest": view() == max(window().screen.areas, key=lambda a: a.width * a.height),
    "tab": region("UI").active_panel_category if region("UI").width > 1 else "",
    "shading": [view().spaces.active.shading.type, view().spaces.active.shading.color_type],
}
"""


def add(blender):
    # Not in our own context: after another workspace there may be no view.
    blender.run(
        "with bpy.context.temp_override(window=window()): bpy.ops.plumbline.add_workspace()"
    )
    blender.wait_until("window().workspace.name == 'Plumbline'")
    blender.wait_until("any(a.type == 'VIEW_3D' for a in window().screen.areas)")
    blender.wait_until("region('UI').active_panel_category == 'Plumbline'")
    return blender.run(MADE)


def test_it_is_made_beside_the_others_and_goes_without_a_trace(blender):
    before = blender.run(OTHERS)
    made = add(blender)
    assert made["largest"] and made["tab"] == "Plumbline"
    assert made["editors"] == ["OUTLINER", "PROPERTIES", "TEXT_EDITOR", "VIEW_3D"]
    assert made["shading"] == ["SOLID", "SINGLE"]
    assert blender.run(OTHERS) == before
    blender.run(
        "with inside(): bpy.ops.plumbline.build_task('EXEC_DEFAULT', True)\n"
        "with inside(): bpy.ops.view3d.view_all()\nredraw()"
    )
    photograph(blender, "workspace")
    add(blender)
    assert blender.run("result = [w.name for w in bpy.data.workspaces]").count("Plumbline") == 1
    blender.run("with inside(): bpy.ops.ed.undo()\nredraw()")
    assert blender.run("result = window().workspace.name") == "Plumbline"
    blender.run("with inside(): bpy.ops.workspace.delete()")
    blender.wait_until("window().workspace.name != 'Plumbline'")
    assert blender.run(OTHERS) == before
    blender.run("open_tab(); redraw(2)")


def test_it_is_made_where_layout_was_removed_and_areas_are_few(blender):
    blender.run("with inside(): bpy.ops.workspace.delete()")
    blender.wait_until("'Layout' not in bpy.data.workspaces")
    blender.run("window().workspace = bpy.data.workspaces['Rendering']")
    blender.wait_until("window().workspace.name == 'Rendering'")
    before = blender.run(OTHERS)
    made = add(blender)
    assert {"OUTLINER", "PROPERTIES", "TEXT_EDITOR", "VIEW_3D"} <= set(made["editors"])
    assert made["largest"]
    assert blender.run(OTHERS) == before
