# SPDX-License-Identifier: GPL-3.0-or-later
"""Blocks in the open session: code that runs in it and bundled programs build them alike."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.once

bpy = pytest.importorskip("bpy")


@pytest.fixture
def bench(registered, tmp_path):
    from plumbline.addon.agent.providers.base import Cancel
    from plumbline.addon.sandbox.policy import vet
    from plumbline.addon.session.bridge import MainThread
    from plumbline.addon.session.consent import Consent
    from plumbline.addon.session.session_bench import House, SessionBench

    consent = Consent()
    consent.give()
    house = House(consent, vet, tmp_path / "scenes", tmp_path / "copies", seconds=1.0)
    return SessionBench(MainThread(Cancel()), house, read_as={"kind": "voxel"})


def test_code_builds_on_what_the_step_before_left(bench):
    first = bench.execute('fill(0, 0, 0, 2, 0, 2, "stone")\nnext_turn()', None, "one")
    assert first.ok
    assert len(first.structure["positions"]) == 9
    second = bench.execute('place_block(0, 1, 0, "oak_planks")\n1 / 0', first.scene, "two")
    assert second.outcome == "raised"
    assert second.structure["positions"][-1] == [0, 1, 0]
    assert second.structure["palette"] == ["stone", "oak_planks"]
    assert [len(stood["positions"]) for stood in second.structure["earlier"]] == [9]
    third = bench.execute("while True:\n    place_block(5, 5, 5, 'stone')", second.scene, "three")
    assert third.outcome == "timeout"
    assert len(bpy.data.scenes["two"].objects) == 1


def test_a_scene_of_a_voxel_task_without_a_block_holds_no_block(bench):
    nothing = bench.execute("print(block_at(0, 0, 0))", None, "nothing")
    assert nothing.output == "None\n"
    assert nothing.structure["positions"] == []


def test_code_that_removes_its_scene_builds_nowhere(bench):
    code = "import bpy\nplace_block(0, 0, 0, 'stone')\nbpy.data.scenes.remove(bpy.context.scene)"
    assert bench.execute(code, None, "gone").outcome == "raised"
    assert not any(o.name.startswith("Blocks") for o in bpy.data.objects)


def test_bundled_programs_build_blocks_in_a_scene_of_their_own(registered):
    from plumbline.addon.scene.blocks import structure_from_blocks
    from plumbline.addon.scene.new_scene import BuildError, build_in_new_scene

    window = bpy.context.window
    program = 'hollow_box(0, 0, 0, 4, 3, 4, "stone")\nraise SystemExit'
    scene = build_in_new_scene(program, "Box", "box", window)
    assert len(structure_from_blocks(scene)) == 100 - 18
    with pytest.raises(BuildError, match="line 2 of broken stopped with ValueError"):
        build_in_new_scene(
            'place_block(0, 0, 0, "stone")\nplace_block(0, 0.5, 0, "stone")', "B", "broken", window
        )
    assert window.scene == scene
    assert [o.name for o in bpy.data.objects if o.name.startswith("Blocks")] == ["Blocks"]


def test_a_program_on_an_open_scene_builds_on(registered):
    from plumbline.addon.scene import one_scene
    from plumbline.addon.scene.blocks import structure_from_blocks

    window = bpy.context.window
    for x in range(2):
        one_scene.run(f'place_block({x}, 0, 0, "stone")', "row", window.scene, window)
    assert len(structure_from_blocks(window.scene)) == 2
