# SPDX-License-Identifier: GPL-3.0-or-later
"""Building a bundled task beside the person's own work."""

from __future__ import annotations

import pytest

bpy = pytest.importorskip("bpy")


def everything():
    """All data-blocks but the window manager's, by name."""
    return sorted(f"{type(b).__name__} {b.name}" for b in bpy.data.user_map())


def test_a_task_opens_in_a_scene_of_its_own(frame):
    from plumbline.addon.scene.state import scene_hash

    mine = bpy.context.scene
    before, names = scene_hash(mine), sorted(obj.name for obj in mine.objects)
    state = bpy.context.window_manager.plumbline
    state.task = "timber/cabin"
    assert state.variant == "sound"
    assert bpy.ops.plumbline.build_task() == {"FINISHED"}
    built = bpy.context.window.scene
    assert built != mine and len(built.objects) >= 60
    assert built["plumbline_task"] == "timber/cabin" and built["plumbline_variant"] == "sound"
    assert built.unit_settings.system == "METRIC"
    assert sorted(obj.name for obj in mine.objects) == names
    assert scene_hash(mine) == before
    assert not set(built.objects) & set(mine.objects)


@pytest.mark.once
def test_every_bundled_program_leaves_the_open_scene_alone(frame):
    from plumbline.addon import bundled
    from plumbline.addon.scene.new_scene import build_in_new_scene
    from plumbline.addon.scene.state import scene_hash

    mine = bpy.context.scene
    before = scene_hash(mine)
    tasks = [task for task in bundled.timber_tasks() if task.twins]
    assert bundled.trouble() is None and tasks
    for task in tasks:
        for variant in bundled.variants(task.id):
            scene = build_in_new_scene(variant.program(), "trial", task.id, bpy.context.window)
            assert len(scene.objects) > 50, (task.id, variant.id)
            assert len(mine.objects) == 4, (task.id, variant.id)
            made = list(scene.objects)
            meshes = {obj.data for obj in made if obj.data is not None}
            bpy.context.window.scene = mine
            bpy.data.scenes.remove(scene)
            bpy.data.batch_remove([*made, *meshes])
    assert scene_hash(mine) == before


def test_every_task_and_twin_is_offered(registered):
    from plumbline.addon import bundled, task_choice

    state = bpy.context.window_manager.plumbline
    for task in bundled.timber_tasks():
        state.task = task.id
        offered = [item[0] for item in task_choice.variant_items(state, None)]
        assert offered == ["sound", *(twin.id for twin in task.twins), "empty"]
        for variant in offered:
            state.variant = variant
        state.task = task.id
        assert state.variant == "sound"


@pytest.mark.parametrize(
    ("program", "sentence"),
    [
        ("import bpy\nbpy.data.objects['Nobody']", "line 2 of demo stopped with KeyError"),
        ("x = (", "demo stopped with SyntaxError"),
        ("import sys\nsys.exit('gave up')", "line 2 of demo stopped with SystemExit: gave up"),
    ],
)
def test_a_program_that_fails_leaves_nothing_behind(frame, program, sentence):
    from plumbline.addon.scene.new_scene import BuildError, build_in_new_scene

    before, mine = everything(), bpy.context.scene
    litter = (
        "import bpy\nme = bpy.data.meshes.new('Litter')\n"
        "ob = bpy.data.objects.new('Litter', me)\n"
        "bpy.context.scene.collection.objects.link(ob)\n"
        "bpy.context.scene.collection.children.link(bpy.data.collections.new('Litter'))\n"
    )
    for source in (program, litter + program):
        lines = source.count("\n") - program.count("\n")
        expected = sentence.replace("line 2", f"line {2 + lines}")
        with pytest.raises(BuildError) as caught:
            build_in_new_scene(source, "Trial", "demo", bpy.context.window)
        assert expected in str(caught.value)
        assert bpy.context.window.scene == mine
        assert everything() == before


def test_a_program_may_end_itself_in_peace(frame):
    from plumbline.addon.scene.new_scene import build_in_new_scene

    scene = build_in_new_scene("raise SystemExit(0)", "Trial", "demo", bpy.context.window)
    assert bpy.context.window.scene == scene
