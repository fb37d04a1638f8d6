# SPDX-License-Identifier: GPL-3.0-or-later
"""Blocks in a real window: the slider by the mouse, the path, and the heat map, pixel by pixel.

``PLUMBLINE_PHOTOGRAPHS`` names a folder in which photographs of the window are kept.
"""

from __future__ import annotations

import json
import os

import numpy as np
import pytest
from window_hands import hands, photograph

pytestmark = [pytest.mark.window, pytest.mark.real_blender, pytest.mark.only_in("5.2")]

_WORDS = """
def blocks():
    return part("addon.session.blocks_now")
def stress():
    return part("addon.session.stress")
def choices(of):
    return getattr(bpy.context.window_manager, "plumbline_" + of)
"""

# Writes something large into the header of a panel, and takes it away again.
_MARK = (
    "cls = bpy.types.{name}; preset = cls.draw_header_preset\n"
    "cls.draw_header_preset = lambda self, context: self.layout.label(text='MMMM')"
)


def open_panel(blender, name: str) -> None:
    """Open a panel by a click with Ctrl on its header, which closes the others."""
    place = blender.find_change(_MARK.format(name=name), "cls.draw_header_preset = preset")
    hands(blender, "keydown", "ctrl")
    blender.display.click(*place)
    hands(blender, "keyup", "ctrl")
    blender.run("redraw(2)")


def bridge() -> list[list]:
    """A flat bridge on two piers, 3 wide, and a parapet one block thick; placed end by end."""
    cells = [(x, y, z) for x in (0, 1, 9, 10) for y in range(4) for z in range(3)]
    cells += [(x, y, z) for x in range(11) for y in (4, 5) for z in range(3)]
    return [["place", *cell, "white_concrete"] for cell in cells]


@pytest.fixture
def built(blender, tmp_path):
    """That bridge from a file, in an empty scene, seen whole."""
    file = tmp_path / "bridge.jsonl"
    file.write_text(json.dumps({"actions": bridge()}), encoding="utf-8")
    blender.run(_WORDS)
    blender.run(
        "bpy.data.batch_remove(list(bpy.data.objects))\n"
        f"with inside(): bpy.ops.plumbline.import_blocks('EXEC_DEFAULT', filepath={str(file)!r})\n"
        "view().spaces.active.shading.type = 'SOLID'; redraw(2)"
    )
    return blender


def seen(blender):
    """The middle of the view as it is drawn now: no sidebar, tools or header, which may glow."""
    blender.run("redraw(2)")
    left, top, right, bottom = (round(v) for v in blender.run("result = rectangle('WINDOW')"))
    right = min(right, round(blender.run("result = rectangle('UI')")[0]))
    return blender.display.pixels()[top + 90 : bottom, left + 60 : right - 70].astype(int)


# Pixels that may differ without anything of ours: the grid where the view was drawn in between.
SAME, OTHER = 2_500, 4_000


def changed(before, after) -> int:
    return int((np.abs(after - before).max(axis=2) > 24).sum())


def test_slider_path_and_heat_map(built):
    blender = built
    assert blender.run("result = blocks().of(window().scene).actions") == 114
    open_panel(blender, "PLUMBLINE_PT_blocks")
    whole = seen(blender)

    left, _, right, _ = blender.run("result = rectangle('UI')")
    _, y = blender.find_change(
        "nodes = part('addon.scene.block_nodes'); obj = part('addon.scene.blocks').blocks_object("
        "window().scene); nodes.show_actions(obj, 60)",
        "nodes.show_actions(obj, None)",
    )
    start, wide = left + 24, right - left - 60
    blender.run("bpy.context.preferences.inputs.use_mouse_continuous = False")
    hands(blender, "mousemove", str(round(start + 0.9 * wide)), str(round(y)), "mousedown", "1")
    for share in (0.85, 0.6, 0.3, 0.1):
        hands(blender, "mousemove", str(round(start + share * wide)), str(round(y)))
        blender.run("redraw()\nredraw()")
    hands(blender, "mouseup", "1")
    blender.run("bpy.context.preferences.inputs.use_mouse_continuous = True")
    shown = blender.run("result = blocks().shown(window().scene)")
    assert 1 < shown < 80, "dragged far to the left"
    assert changed(whole, seen(blender)) > OTHER, "the deck is gone"

    blender.run("choices('blocks').path = True")
    photograph(blender, "blocks-path")
    part_of_it = seen(blender)
    blender.run("nodes.show_actions(obj, None)")
    assert changed(part_of_it, seen(blender)) > OTHER
    blender.run("choices('blocks').path = False")
    assert changed(whole, seen(blender)) < SAME, "all is as it was"

    if os.environ.get("PLUMBLINE_PHOTOGRAPHS"):
        open_panel(blender, "PLUMBLINE_PT_stress")
    blender.run("with inside(): bpy.ops.plumbline.solve_stress('EXEC_DEFAULT', True)")
    blender.wait_until("stress().of(window().scene) is not None", 60)
    hot = seen(blender)
    assert changed(whole, hot) > 5 * OTHER
    assert blender.run("result = stress().of(window().scene).result.figures['greatest']") > 1e4
    photograph(blender, "stress")
    blender.run("choices('stress').deform = True")
    assert changed(hot, seen(blender)) > OTHER
    photograph(blender, "stress-deformed")
    blender.run("choices('stress').show = False")
    assert changed(whole, seen(blender)) < SAME, "nothing of it stays"
