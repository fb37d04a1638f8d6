# SPDX-License-Identifier: GPL-3.0-or-later
"""The state hash: sees each kind of change, and nothing where nothing changed."""

import bpy
import pytest
from plumbline.addon.scene.build import scene_from_structure
from plumbline.addon.scene.members import structure_from_scene
from plumbline.addon.scene.picture import render
from plumbline.addon.scene.state import scene_hash


@pytest.fixture
def cube(empty_scene):
    """The factory scene with its cube; the last material node tree is up to date."""
    bpy.ops.wm.read_homefile(use_factory_startup=True)
    bpy.context.view_layer.update()
    return bpy.data.objects["Cube"]


def scene():
    return bpy.context.scene


def layer():
    return bpy.context.view_layer


def shade(cube):
    node = cube.active_material.node_tree.nodes["Principled BSDF"]
    node.inputs["Base Color"].default_value[0] = 0.123


def edit_curve(cube):
    cube.keyframe_insert("location", frame=3)


def link_to_new_collection(cube):
    collection = bpy.data.collections.new("C")
    scene().collection.children.link(collection)
    collection.objects.link(cube)


CHANGES = {
    "location": lambda c: setattr(c.location, "x", 1e-6),
    "rotation": lambda c: setattr(c.rotation_euler, "z", 1e-6),
    "delta scale": lambda c: setattr(c, "delta_scale", (1, 1, 1.001)),
    "a vertex": lambda c: setattr(c.data.vertices[3].co, "z", 0.9),
    "an attribute": lambda c: c.data.attributes.new("wear", "FLOAT", "FACE"),
    "a crease": lambda c: setattr(c.data.polygons[0], "use_smooth", True),
    "object's name": lambda c: setattr(c, "name", "Box"),
    "mesh's name": lambda c: setattr(c.data, "name", "Box"),
    "selection": lambda c: c.select_set(False),
    "active object": lambda c: setattr(layer().objects, "active", None),
    "hidden": lambda c: c.hide_set(True),
    "hidden in viewports": lambda c: setattr(c, "hide_viewport", True),
    "hidden in renders": lambda c: setattr(c, "hide_render", True),
    "collection excluded": lambda c: setattr(layer().layer_collection.children[0], "exclude", True),
    "collection hidden": lambda c: setattr(
        layer().layer_collection.children[0], "hide_viewport", True
    ),
    "collection's name": lambda c: setattr(bpy.data.collections[0], "name", "Frame"),
    "membership": link_to_new_collection,
    "parent": lambda c: setattr(c, "parent", bpy.data.objects["Camera"]),
    "new modifier": lambda c: c.modifiers.new("Bevel", "BEVEL"),
    "colour": lambda c: setattr(c, "color", (0, 0, 0, 1)),
    "material unassigned": lambda c: setattr(c.material_slots[0], "material", None),
    "a node's value": shade,
    "custom property": lambda c: c.__setitem__("plumbline_role", "Stud"),
    "keyframe": edit_curve,
    "frame": lambda c: scene().frame_set(7),
    "resolution": lambda c: setattr(scene().render, "resolution_x", 77),
    "engine": lambda c: setattr(scene().render, "engine", "CYCLES"),
    "unit scale": lambda c: setattr(scene().unit_settings, "scale_length", 0.5),
    "lens": lambda c: setattr(bpy.data.cameras[0], "lens", 20),
    "scene's camera": lambda c: setattr(scene(), "camera", None),
    "world": lambda c: setattr(scene().world, "color", (0, 0, 0)),
    "cursor": lambda c: setattr(scene().cursor, "location", (1, 2, 3)),
    "object removed": lambda c: bpy.data.objects.remove(bpy.data.objects["Light"]),
    "marker": lambda c: scene().timeline_markers.new("here", frame=3),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_seen(cube, change):
    before = scene_hash()
    CHANGES[change](cube)
    assert scene_hash() != before


def test_a_modifiers_setting_is_seen(cube):
    modifier = cube.modifiers.new("Bevel", "BEVEL")
    before = scene_hash()
    modifier.width += 0.01
    assert scene_hash() != before


def test_a_vertex_in_edit_mode_is_seen(cube):
    import bmesh

    bpy.ops.object.mode_set(mode="EDIT")
    before = scene_hash()
    assert scene_hash() == before
    bmesh.from_edit_mesh(cube.data).verts.ensure_lookup_table()
    bmesh.from_edit_mesh(cube.data).verts[0].co.x += 1e-4
    assert scene_hash() != before
    bpy.ops.object.mode_set(mode="OBJECT")


def test_looking_is_no_change(cube):
    cube.modifiers.new("Subdivision", "SUBSURF")
    cube.location.x = 3  # not evaluated yet: reading will, and must not count as a change
    before = scene_hash()
    assert len(before) == 32
    structure = structure_from_scene()
    assert scene_hash() == before
    layer().update()
    assert scene_hash() == before
    assert len(structure) == 1


def test_a_picture_is_no_change_and_leaves_nothing_behind(cube, tmp_path):
    structure = structure_from_scene()
    before = scene_hash()
    kinds = ("objects", "meshes", "cameras", "collections", "images", "materials", "scenes")
    blocks = {kind: set(getattr(bpy.data, kind).keys()) for kind in kinds}
    render(structure, tmp_path / "a.png", size=(64, 48), colours={"Cube": (1, 0, 0)})
    assert scene_hash() == before
    after = {kind: set(getattr(bpy.data, kind).keys()) for kind in kinds}
    for images in (blocks["images"], after["images"]):
        images.discard("Render Result")  # Blender's own, one a session
    assert after == blocks


def test_other_scenes_do_not_count(cube):
    other = bpy.data.scenes.new("Other")
    before = scene_hash()
    scene_from_structure(structure_from_scene(), "Frame", other)
    assert scene_hash() == before
    assert scene_hash(other) != before
