# SPDX-License-Identifier: GPL-3.0-or-later
"""What a click on a finding costs among 5,000 members, beside Blender's own selecting."""

from __future__ import annotations

import pytest

bpy = pytest.importorskip("bpy")

MEMBERS = 5_000

pytestmark = pytest.mark.benchmark


@pytest.fixture
def crowd(registered):
    """A checked scene of 5,000 posts, every tenth of them at fault."""
    from plumbline.addon import properties, review
    from plumbline.addon.scene.members import structure_from_scene
    from plumbline.checks.result import CheckResult, Finding, Judgement

    scene = bpy.context.scene
    mesh = bpy.data.meshes.new("post")
    corners = [(x, y, z) for x in (0, 0.1) for y in (0, 0.1) for z in (0, 1.0)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    mesh.from_pydata(corners, [], faces)
    for i in range(MEMBERS):
        obj = bpy.data.objects.new(f"Stud_{i}", mesh)
        obj.location = (i % 72, i // 72, 0)
        scene.collection.objects.link(obj)
    bpy.context.view_layer.update()
    graph = bpy.context.evaluated_depsgraph_get()
    faults = tuple(
        Finding("bearing", f"Stud_{i}", "It bears too little.", location=(i % 72, i // 72, 0.0))
        for i in range(0, MEMBERS, 10)
    )
    judgement = Judgement("timber", "engineering", (CheckResult("bearing", "failed", faults),))
    structure = structure_from_scene(scene, graph)
    found = review.Review(judgement, structure, None, 0.1, review.poses_of(scene, graph))
    review.keep(scene, found)
    properties.fit_rows(bpy.context.window_manager)
    return found


def test_a_click_on_a_finding(benchmark, crowd):
    """Choose, unhide, select, make active; aiming the view and the redraw come on top."""
    rows = iter(range(1, len(crowd.table)))

    def click():
        bpy.ops.plumbline.show_finding("EXEC_DEFAULT", False, row=next(rows))

    benchmark.pedantic(click, rounds=50, warmup_rounds=2)
    chosen = crowd.chosen.subject
    assert [o.name for o in bpy.context.selected_objects] == [chosen]


def test_selecting_by_blenders_own_means(benchmark, crowd):
    """The same selection without us: everything off, one on."""
    names = iter(f"Stud_{i}" for i in range(10, MEMBERS, 10))

    def select():
        bpy.ops.object.select_all(action="DESELECT")
        obj = bpy.context.scene.objects[next(names)]
        obj.select_set(True)
        bpy.context.view_layer.objects.active = obj

    benchmark.pedantic(select, rounds=50, warmup_rounds=2)
    assert len(bpy.context.selected_objects) == 1


def test_stepping_to_the_next_finding(benchmark, crowd):
    """What Page Down costs."""
    crowd.active, steps = 0, []

    def step():
        steps.append(bpy.ops.plumbline.step_finding("EXEC_DEFAULT", False, step=1))

    benchmark.pedantic(step, rounds=50, warmup_rounds=2)
    assert crowd.active == len(steps) > 0
