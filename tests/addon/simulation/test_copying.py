# SPDX-License-Identifier: GPL-3.0-or-later
"""Copies of scenes: whole, apart from the original, and gone without a trace."""

from __future__ import annotations

import pytest

bpy = pytest.importorskip("bpy")

import bullet_scenes as bullet  # noqa: E402
from plumbline.addon.simulation import copying  # noqa: E402
from plumbline.addon.simulation.copying import copied  # noqa: E402
from plumbline.addon.simulation.hashing import state_hash  # noqa: E402
from plumbline.addon.simulation.steps import SimulationError  # noqa: E402


def everything() -> dict[str, set[str]]:
    return {kind: {b.name_full for b in getattr(bpy.data, kind)} for kind in copying._KINDS}


@pytest.fixture
def crowded(empty_scene):
    """A scene with all that a full copy doubles: actions, keys, worlds, nodes, particles."""
    scene = bullet.start(20)
    bullet.floor()
    moved = bullet.box("moved", (0, 0, 3))
    moved.keyframe_insert("scale", frame=1)
    moved.shape_key_add(name="Basis")
    moved.shape_key_add(name="Bulge").keyframe_insert("value", frame=3)
    moved.data.materials.append(bpy.data.materials.new("Oak"))
    hidden = bullet.box("hidden", (3, 0, 3))
    hidden.hide_viewport = True
    away = bullet.box("away", (6, 0, 3))
    apart = bpy.data.collections.new("Apart")
    scene.collection.children.link(apart)
    apart.objects.link(away)
    scene.collection.objects.unlink(away)
    scene.view_layers[0].layer_collection.children["Apart"].exclude = True
    scene.view_layers.new("Second")
    bullet.box("sown", (-3, 0, 3)).modifiers.new("Grass", "PARTICLE_SYSTEM")
    scene.world = bpy.data.worlds.new("Sky")
    if hasattr(scene, "compositing_node_group"):
        scene.compositing_node_group = bpy.data.node_groups.new("Comp", "CompositorNodeTree")
    else:
        scene.use_nodes = True
    bpy.data.meshes.new("Of nobody")
    scene.frame_set(1)
    return scene


def left(found):
    """4.3 counts a user too many of each action that it copies, which stay until it saves."""
    told = dict(found)
    if bpy.app.version[:2] == (4, 3):
        told.pop("actions", None)
    return told


def test_a_copy_leaves_nothing_however_it_ends(crowded):
    before, state = everything(), state_hash(crowded)
    with copied(crowded, "Trial") as stage:
        assert everything() != before
        assert sorted(stage.names.values()) == sorted(o.name for o in crowded.objects)
        for frame in range(1, 4):
            stage.scene.frame_set(frame)
        stage.scene.collection.objects.link(
            bpy.data.objects.new("Litter", bpy.data.meshes.new("Litter"))
        )
        stage.object("moved").data.materials.append(bpy.data.materials.new("Litter"))
    assert left(everything()) == left(before) and state_hash(crowded) == state
    with pytest.raises(ZeroDivisionError), copied(crowded, "Trial"):
        raise ZeroDivisionError
    assert left(everything()) == left(before) and state_hash(crowded) == state
    assert bpy.context.scene == crowded


def test_a_simulation_in_its_midst_goes_on_as_if_no_copy_had_been(empty_scene):
    """What goes after its scene took bodies of the original's simulation with it."""

    def played(trial: bool) -> list:
        bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
        scene = bullet.start(40)
        bullet.floor()
        bullet.box("low", (0, 0, 3))
        bullet.box("high", (0.4, 0, 5))
        for frame in range(1, 41):
            scene.frame_set(frame)
            if frame == 6 and trial:
                with copied(scene, "Trial") as stage:
                    for k in range(1, 20):
                        stage.scene.frame_set(k)
        return [tuple(map(tuple, o.matrix_world)) for o in scene.objects]

    assert played(trial=True) == played(trial=False)


def test_copies_simulate_beside_each_other_to_the_same_bits(empty_scene):
    scene = bullet.stack()
    names = tuple(o.name for o in scene.objects)
    with copied(scene, "One") as one:
        for frame in range(1, 31):
            one.scene.frame_set(frame)
        alone = one.matrices(names)
        with copied(scene, "Two") as two:
            for frame in range(1, 31):
                two.scene.frame_set(frame)
                one.scene.frame_set(frame)
            assert (two.matrices(names) == alone).all()
        one.scene.frame_set(31)
        assert (one.matrices(names) == alone).all() or one.scene.frame_current == 31


def test_objects_of_two_scenes_are_copied_for_one(empty_scene):
    scene = bullet.start(10)
    shared = bullet.box("shared", (0, 0, 3))
    other = bpy.data.scenes.new("Other")
    other.collection.objects.link(shared)
    before = everything()
    with copied(scene, "Trial") as stage:
        for frame in range(1, 9):
            stage.scene.frame_set(frame)
        assert stage.matrices(("shared",))[0, 2, 3] < 2.9
        assert stage.object("shared") != shared
        assert list(other.objects) == [shared]
    assert everything() == before and shared.matrix_world.translation.z == pytest.approx(3)


def test_any_scene_is_copied_not_only_the_one_that_is_shown(empty_scene):
    shown = bpy.context.scene
    other = bpy.data.scenes.new("Other")
    other.collection.objects.link(bpy.data.objects.new("there", bpy.data.meshes.new("there")))
    with copied(other, "Trial") as stage:
        assert list(stage.names.values()) == ["there"]
        assert bpy.context.scene == shown
    assert bpy.context.scene == shown


def test_what_is_linked_and_simulated_is_refused_and_nothing_is_left(empty_scene, tmp_path):
    scene = bullet.start(10)
    bullet.box("crate", (0, 0, 3))
    path = tmp_path / "library.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    scene = bullet.start(10)
    with bpy.data.libraries.load(str(path), link=True) as (_, wanted):
        wanted.objects = ["crate"]
    linked = wanted.objects[0]
    scene.collection.objects.link(linked)
    before = everything()
    with copied(scene, "Trial") as stage:  # as a piece of scenery it may be shared
        assert list(stage.names.values()) == ["crate"]
    assert everything() == before
    scene.rigidbody_world.collection = bpy.data.collections.new("Bodies")
    scene.rigidbody_world.collection.objects.link(linked)
    with pytest.raises(SimulationError, match=r"crate is linked from .*Make Local"):
        copying.copy_of(scene, bpy.context.window, "Trial")


@pytest.mark.parametrize("where", ["seen", "excluded", "nowhere"])
def test_joints_of_every_kind_go_with_their_copy(empty_scene, where):
    """A world that went with its joints ended Blender, and in 5.0 so did those out of sight."""
    scene = bullet.start(20)
    post = bullet.box("post", (0, 0, 5), kind="PASSIVE")
    kinds = ("FIXED", "POINT", "HINGE", "SLIDER", "PISTON", "GENERIC", "GENERIC_SPRING", "MOTOR")
    away = bpy.data.collections.new("Away")
    scene.collection.children.link(away)
    for k, kind in enumerate(kinds):
        load = bullet.box(f"load {k}", (2 * k + 2, 0, 5))
        held = bullet.joint(kind, kind, post, load, (2 * k + 1, 0, 5))
        if where == "excluded":
            away.objects.link(held)
        if where != "seen":
            scene.collection.objects.unlink(held)
    scene.view_layers[0].layer_collection.children["Away"].exclude = where == "excluded"
    before = everything()
    for _ in range(2):
        with copied(scene, "Trial") as stage:
            for frame in range(1, 9):
                stage.scene.frame_set(frame)
        assert everything() == before
