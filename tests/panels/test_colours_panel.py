# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel Colours, its operators, and what a view is told to draw."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

bpy = pytest.importorskip("bpy")


@pytest.fixture
def draw(registered):
    """``draw()``: what the panel asks for."""
    from plumbline.panels.view import PLUMBLINE_PT_colours
    from recording_layout import RecordingLayout

    def drawn():
        layout = RecordingLayout()
        PLUMBLINE_PT_colours.draw(SimpleNamespace(layout=layout), bpy.context)
        return layout

    return drawn


def state():
    return bpy.context.window_manager.plumbline_view


def test_it_is_there_once_a_scene_was_checked(registered, frame):
    from plumbline.panels.view import PLUMBLINE_PT_colours

    assert not PLUMBLINE_PT_colours.poll(bpy.context)
    with pytest.raises(RuntimeError, match="not checked yet"):
        bpy.ops.plumbline.cycle_colours()
    with pytest.raises(RuntimeError, match="not checked yet"):
        bpy.ops.plumbline.isolate_finding()


def test_modes_go_round(reviewed, draw):
    from plumbline.addon.colouring import MODES
    from plumbline.panels.view import PLUMBLINE_PT_colours

    assert PLUMBLINE_PT_colours.poll(bpy.context)
    seen = []
    for _ in MODES:
        seen.append(state().mode)
        draw()
        bpy.ops.plumbline.cycle_colours()
    assert tuple(seen) == MODES and state().mode == MODES[0]
    bpy.ops.plumbline.cycle_colours(step=-1)
    assert state().mode == MODES[-1]


def test_isolating_needs_a_chosen_finding(reviewed, draw):
    reviewed.active = -1
    with pytest.raises(RuntimeError, match="Choose a finding"):
        bpy.ops.plumbline.isolate_finding()
    reviewed.active = 0
    bpy.ops.plumbline.isolate_finding()
    assert state().isolate
    bpy.ops.plumbline.isolate_finding()
    assert not state().isolate


def test_the_margins_of_one_check_are_chosen_from_a_menu(reviewed, draw):
    from plumbline.panels.view import PLUMBLINE_MT_margin_check
    from recording_layout import RecordingLayout

    layout = RecordingLayout()
    PLUMBLINE_MT_margin_check.draw(SimpleNamespace(layout=layout), bpy.context)
    offered = [given["text"] for name, given in layout.items if name == "operator"]
    assert offered[0] == "Worst of all checks" and "Load path" in offered
    state().mode = "margin"
    bpy.ops.plumbline.margin_of(check="load_path")
    assert state().check == "load_path"
    draw()


def test_the_load_path_says_whose_it_is(reviewed, draw):
    state().load_path = True
    bpy.context.view_layer.objects.active = None
    assert "Select a member" in " ".join(draw().texts())
    bpy.context.view_layer.objects.active = bpy.data.objects["Stud_01"]
    assert "Load of Stud_01" in draw().texts()
    reviewed.stale = True
    assert "Edited since the check" in " ".join(draw().texts())


def test_blind_mode_shows_no_colours(reviewed, draw):
    from plumbline.panels.view import PLUMBLINE_PT_colours

    bpy.context.window_manager.plumbline_annotating.blind = True
    assert not PLUMBLINE_PT_colours.poll(bpy.context)
    bpy.context.window_manager.plumbline_annotating.blind = False
