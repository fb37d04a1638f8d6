# SPDX-License-Identifier: GPL-3.0-or-later
"""Blocks and Stress in every state; drawing changes nothing."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from recording_layout import RecordingLayout

pytestmark = pytest.mark.once

bpy = pytest.importorskip("bpy")


def build(*rows, **extra):
    from plumbline.addon.scene import blocks
    from plumbline.checks.voxel import VoxelStructure

    return blocks.add_blocks(VoxelStructure.from_blocks(rows, **extra), bpy.context.scene)


def says(name: str) -> str:
    from plumbline.panels import blocks, stress

    cls = {"blocks": blocks.PLUMBLINE_PT_blocks, "stress": stress.PLUMBLINE_PT_stress}[name]
    if not cls.poll(bpy.context):
        return ""
    layout = RecordingLayout()
    for method in ("draw_header_preset", "draw"):
        cls.__dict__.get(method, lambda *_: None)(SimpleNamespace(layout=layout), bpy.context)
    return " ".join([*layout.texts(), *map(str, layout.items)])


def test_a_scene_without_blocks_shows_neither(registered):
    assert says("blocks") == says("stress") == ""


def test_blocks_tell_their_materials_order_and_path(registered):
    from plumbline.addon.session import block_choices

    build(*((x, 0, 0, "stone" if x else "oak_planks") for x in (0, 1, 2, 6)))
    told = says("blocks")
    assert "4 blocks" in told and "oak_planks" in told and "Shown of 4" in told
    assert "Length of the way" not in told
    block_choices.blocks_of(bpy.context).path = True
    told = says("blocks")
    assert "Length of the way L" in told and "0.500" in told


def test_blocks_without_an_order_offer_no_slider(registered):
    build((0, 0, 0, "stone"), ordered=False)
    told = says("blocks")
    assert "without the order" in told and "Shown" not in told


def test_blocks_that_lost_their_nodes_say_so(registered):
    obj = build((0, 0, 0, "stone"))
    obj.modifiers.clear()
    assert "build it again" in says("blocks")


def test_stress_tells_the_worst_block_the_score_and_its_age(registered):
    from plumbline.addon.session import block_choices

    build(*((0, y, 0, "stone") for y in range(4)))
    assert "plumbline.solve_stress" in says("stress") and "Greatest" not in says("stress")
    state = block_choices.stress_of(bpy.context)
    state.reference = "roof_2_5"
    bpy.ops.plumbline.solve_stress()
    told = says("stress")
    assert "Greatest" in told and "block (0, 0, 0)" in told and "Score 1.000" in told
    state.deform, state.auto_range = True, False
    assert "Enlarged" in says("stress")
    state.auto_scale = False
    assert "'scale'" in says("stress")
    build((0, 0, 0, "stone"))
    bpy.context.view_layer.update()
    assert "others now" in says("stress")
    bpy.ops.plumbline.clear_stress()
    assert "Greatest" not in says("stress")


def test_hanging_blocks_are_told_without_a_figure(registered):
    build((0, 0, 0, "stone"), (3, 2, 0, "stone"))
    bpy.ops.plumbline.solve_stress()
    told = says("stress")
    assert "No stress" in told and "block (3, 2, 0) hangs on nothing" in told
    assert "kPa" not in told


def test_no_scipy_is_one_sentence_with_its_remedy(registered, monkeypatch):
    import sys

    from plumbline.checks.voxel.stress import solver

    build((0, 0, 0, "stone"))
    for name in [m for m in sys.modules if m.split(".")[0] == "scipy"] + ["scipy"]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setattr(solver, "DENSE_NODES", 0)
    bpy.ops.plumbline.solve_stress()
    assert "needs SciPy, which is not there (pip install scipy)" in says("stress")
