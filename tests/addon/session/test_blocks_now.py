# SPDX-License-Identifier: GPL-3.0-or-later
"""Blocks of an open scene: read once a change, played by keys, their stress solved and kept."""

from __future__ import annotations

import numpy as np
import pytest

pytestmark = pytest.mark.once

bpy = pytest.importorskip("bpy")


def build(*rows, **extra):
    from plumbline.addon.scene import blocks
    from plumbline.checks.voxel import VoxelStructure

    return blocks.add_blocks(VoxelStructure.from_blocks(rows, **extra), bpy.context.scene)


def wall(long=4, high=3):
    return build(*((x, y, 0, "stone" if y else "dirt") for x in range(long) for y in range(high)))


def now():
    from plumbline.addon.session import blocks_now

    return blocks_now.of(bpy.context.scene)


def test_a_scene_without_blocks_has_none(registered):
    from plumbline.addon.session import blocks_now

    assert now() is None and blocks_now.shown(bpy.context.scene) == 0
    with pytest.raises(ValueError, match="no blocks"):
        blocks_now.animate(bpy.context.scene, 10.0)


def test_blocks_are_read_again_only_when_they_are_others(registered):
    from plumbline.addon.scene import block_nodes

    obj = wall()
    first = now()
    assert first.materials == (("stone", 8), ("dirt", 4)) and first.actions == 12
    block_nodes.show_actions(obj, 5)
    bpy.context.view_layer.update()
    assert now() is first, "what is shown is no other construction"
    assert first.standing(5) == 5
    obj.data.vertices[0].co.x -= 4.0
    obj.data.update()
    bpy.context.view_layer.update()
    assert now().serial != first.serial and [-4, 0, 0] in now().structure.positions.tolist()


def solved(method="fem", reference="none"):
    from plumbline.addon.session import stress

    stress.solve(bpy.context.scene, method, reference)
    return stress.of(bpy.context.scene)


def names_of_data():
    return {
        kind: sorted(block.name for block in getattr(bpy.data, kind))
        for kind in ("objects", "meshes", "node_groups", "materials", "scenes")
    }


def test_stress_is_found_and_leaves_the_scene_alone(registered):
    from plumbline.addon.session import stress
    from plumbline.checks.voxel.stress import fem

    wall()
    before = names_of_data()
    found = solved()
    assert found.field.von_mises == pytest.approx(fem.solve(found.structure).von_mises)
    assert not found.result.required and "no reference" in found.result.reason
    assert names_of_data() == before and not stress.stale(bpy.context.scene)
    wall(5)
    bpy.context.view_layer.update()
    assert stress.stale(bpy.context.scene)
    stress.forget(bpy.context.scene)
    assert stress.of(bpy.context.scene) is None


def test_another_reference_judges_what_was_found(registered):
    from plumbline.addon.session import block_choices, stress

    wall()
    found = solved()
    block_choices.stress_of(bpy.context).reference = "flat_bridge"
    again = stress.of(bpy.context.scene)
    assert again.serial == found.serial and again.field is found.field
    assert again.result.status == "passed" and again.result.score == 1
    assert again.result.figures["reference_name"] == "the flat bridge"


def test_hanging_blocks_have_no_stress_and_a_sentence(registered):
    build((0, 0, 0, "stone"), (4, 3, 0, "stone"), (5, 3, 0, "stone"))
    found = solved()
    assert found.field is None and found.hanging.tolist() == [1, 2]
    assert "hang on nothing" in found.result.reason


def test_the_published_solver_says_where_it_means_nothing(registered, monkeypatch):
    import functools

    from plumbline.checks.voxel.stress import sph

    monkeypatch.setattr(sph, "solve", functools.partial(sph.solve, steps=20))
    wall()
    found = solved("sph")
    assert found.field.artefact.all() and "one block thick" in found.result.reason
    assert found.field.corners.shape == (12, 8, 3)
    moved = found.field.corners
    at = {tuple(p): row for row, p in enumerate(found.structure.positions.tolist())}
    left, right = at[1, 2, 0], at[2, 2, 0]
    assert np.array_equal(moved[left][4:], moved[right][:4]), "blocks stay together"


def test_nothing_to_solve_is_told(registered):
    from plumbline.addon.session import stress

    with pytest.raises(ValueError, match="no block"):
        stress.solve(bpy.context.scene, "fem", "none")


def test_a_solver_that_is_called_off_leaves_nothing(registered, monkeypatch):
    from plumbline.addon.session import jobs, stress
    from plumbline.checks.voxel.stress import score

    wall()

    def slow(structure, method, progress):
        for step in range(1000):
            progress(step, 1000)
            for work in jobs.now():
                work.cancel()
        raise AssertionError("it went on")

    monkeypatch.setattr(score, "field_of", slow)
    work = stress.solve(bpy.context.scene, "fem", "none")
    assert work.job.state == "stopped"
    assert stress.of(bpy.context.scene) is None and not stress.trouble(bpy.context.scene)
    assert stress.at_work(bpy.context.scene) is None
