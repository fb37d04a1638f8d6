# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes read as members: every way of modelling a stud gives one box, and nothing vanishes."""

import math

import bpy
import numpy as np
import pytest
from mathutils import Euler, Matrix, Vector
from plumbline.addon.scene.gather import MOST_INSTANCES
from plumbline.addon.scene.members import object_of_member, structure_from_scene
from plumbline.addon.scene.state import scene_hash
from plumbline.checks.timber.structure import CORNER_SIGNS

FACES = [(0, 1, 2, 3), (4, 7, 6, 5), (0, 4, 5, 1), (3, 2, 6, 7), (0, 3, 7, 4), (1, 5, 6, 2)]
SIZE = (0.038, 0.089, 2.4)
TURN = Euler((0.3, -0.7, 1.1))

pytestmark = pytest.mark.usefixtures("empty_scene")


def box_mesh(size=(1, 1, 1), offset=(0, 0, 0), turn=None, name="box"):
    vertices = 0.5 * CORNER_SIGNS * size
    if turn is not None:
        vertices = vertices @ np.array(turn.to_matrix()).T
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata((vertices + offset).tolist(), [], FACES)
    return mesh


def add(name="Stud_01", mesh=None, collection=None, **properties):
    obj = bpy.data.objects.new(name, mesh if mesh is not None else box_mesh(SIZE))
    (collection or bpy.context.scene.collection).objects.link(obj)
    for key, value in properties.items():
        setattr(obj, key, value)
    return obj


def only_member():
    structure = structure_from_scene()
    assert len(structure) == 1
    return structure


def assert_box(structure, size=SIZE, center=(0, 0, 0), turn=None, i=0, tolerance=2e-5):
    """The member's corners are those of the wanted box, in any order."""
    rotation = np.array((turn or Euler()).to_matrix())
    wanted = np.array(center) + (0.5 * CORNER_SIGNS * size) @ rotation.T
    distance = np.linalg.norm(structure.corners[i][:, None] - wanted[None], axis=2)
    assert distance.min(axis=1).max() < tolerance
    assert 2 * structure.half[i] == pytest.approx(sorted(size, reverse=True), abs=tolerance)


# ---- one stud, modelled in every way -------------------------------------------------------------


def test_real_size():
    add(location=(1, 2, 3))
    structure = only_member()
    assert_box(structure, center=(1, 2, 3))
    assert structure.notes == ()
    assert structure.skipped == {}
    assert structure.findings == ()


def test_unapplied_scale():
    add(mesh=box_mesh(), scale=SIZE, location=(1, 2, 3), rotation_euler=TURN)
    assert_box(only_member(), center=(1, 2, 3), turn=TURN)


def test_negative_scale():
    add(mesh=box_mesh(), scale=(-0.038, 0.089, -2.4), rotation_euler=TURN)
    structure = only_member()
    assert_box(structure, turn=TURN)
    assert np.linalg.det(structure.axes[0]) == pytest.approx(1)


def test_origin_at_an_end_and_applied_location():
    add(mesh=box_mesh(SIZE, offset=(5, -4, 1.2)))
    assert_box(only_member(), center=(5, -4, 1.2))


def test_applied_rotation():
    """The box is fitted to the vertices: the local AABB would be three times as large."""
    add(mesh=box_mesh(SIZE, turn=TURN), location=(1, 0, 0))
    assert_box(only_member(), center=(1, 0, 0), turn=TURN)


def test_applied_rotation_under_an_uneven_scale_is_a_sheared_box():
    add(mesh=box_mesh(SIZE, turn=TURN), scale=(1, 2, 1))
    structure = only_member()
    assert len(structure.source["fill"]) == 1
    assert "smallest box" in structure.notes[0]


def test_parents():
    parent = add("Frame", mesh=None)
    bpy.context.scene.collection.objects.unlink(parent)
    empty = bpy.data.objects.new("Frame_empty", None)
    bpy.context.scene.collection.objects.link(empty)
    empty.location, empty.rotation_euler, empty.scale = (3, 1, 0), TURN, (2, 2, 2)
    add(mesh=box_mesh([s / 2 for s in SIZE]), parent=empty, location=(0, 0, 1))
    center = Matrix.LocRotScale((3, 1, 0), TURN, (2, 2, 2)) @ Vector((0, 0, 1))
    assert_box(only_member(), center=center, turn=TURN)


def test_parent_that_shears():
    empty = bpy.data.objects.new("Frame", None)
    bpy.context.scene.collection.objects.link(empty)
    empty.scale = (1, 1, 3)
    add(mesh=box_mesh(), parent=empty, rotation_euler=(0.5, 0, 0))
    structure = only_member()
    corners = np.array(
        [Matrix.Diagonal((1, 1, 3)) @ TURN_X @ Vector(c) for c in 0.5 * CORNER_SIGNS]
    )
    inside = np.abs((corners - structure.center[0]) @ structure.axes[0].T)
    assert (inside <= structure.half[0] + 1e-5).all()
    assert structure.source["fill"]["Stud_01"] < 0.98


TURN_X = Euler((0.5, 0, 0)).to_matrix()


def test_a_sheared_mesh_that_its_matrix_makes_a_box_again():
    empty = bpy.data.objects.new("Frame", None)
    bpy.context.scene.collection.objects.link(empty)
    empty.scale = (1, 1, 2)
    obj = add(mesh=box_mesh(SIZE), parent=empty, rotation_euler=(0.5, 0, 0))
    shear = (Matrix.Diagonal((1, 1, 2)) @ TURN_X).inverted()
    obj.data.transform(shear.to_4x4())
    structure = only_member()
    assert_box(structure, tolerance=1e-5)
    assert structure.source["fill"] == {}


@pytest.mark.parametrize("cuts", [1, 4, 30])
def test_subdivided_and_triangulated(cuts):
    import bmesh

    mesh = box_mesh(SIZE, turn=TURN)
    shape = bmesh.new()
    shape.from_mesh(mesh)
    bmesh.ops.subdivide_edges(shape, edges=shape.edges, cuts=cuts, use_grid_fill=True)
    bmesh.ops.triangulate(shape, faces=shape.faces)
    shape.to_mesh(mesh)
    add(mesh=mesh)
    structure = only_member()
    assert_box(structure, turn=TURN)
    assert structure.notes == ()


def test_bevel_modifier():
    obj = add(rotation_euler=TURN)
    bevel = obj.modifiers.new("Bevel", "BEVEL")
    bevel.width, bevel.segments = 0.003, 3
    structure = only_member()
    assert_box(structure, turn=TURN)
    assert structure.notes == ()


def test_modifier_that_makes_the_length():
    obj = add(mesh=box_mesh((0.038, 0.089, 0.6)))
    array = obj.modifiers.new("Array", "ARRAY")
    array.count = 4
    array.use_relative_offset = True
    array.relative_offset_displace = (0, 0, 1)
    assert_box(only_member(), center=(0, 0, 0.9))


def test_solidify_on_a_plane():
    mesh = bpy.data.meshes.new("plane")
    mesh.from_pydata([(0, 0, 0), (2, 0, 0), (2, 0.1, 0), (0, 0.1, 0)], [], [(0, 1, 2, 3)])
    add(mesh=mesh).modifiers.new("Solidify", "SOLIDIFY").thickness = 0.038
    assert_box(only_member(), size=(2, 0.1, 0.038), center=(1, 0.05, -0.019))


def test_shared_mesh_is_read_once():
    mesh = box_mesh()
    for i in range(5):
        add(f"Stud_{i}", mesh, location=(i, 0, 0), scale=(0.038, 0.089, 1 + i))
    structure = structure_from_scene()
    assert [2 * h[0] for h in structure.half] == pytest.approx([1, 2, 3, 4, 5], abs=1e-6)


def test_animated_object_is_read_at_the_current_frame():
    obj = add()
    obj.keyframe_insert("location", frame=1)
    obj.location.x = 10
    obj.keyframe_insert("location", frame=11)
    bpy.context.scene.frame_set(11)
    assert only_member().center[0, 0] == pytest.approx(10)


def test_edit_mode_is_read_as_it_stands():
    obj = add(mesh=box_mesh())
    bpy.context.view_layer.objects.active = obj
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.transform.resize(value=(4, 1, 1))
    before = scene_hash()
    structure = only_member()
    assert scene_hash() == before
    bpy.ops.object.mode_set(mode="OBJECT")
    assert 2 * structure.half[0] == pytest.approx([4, 1, 1])
    assert structure.notes == ("Read as it stands in Edit Mode: Stud_01.",)


# ---- instances -----------------------------------------------------------------------------------


def instance_of(collection, name="Truss_A", **properties):
    empty = bpy.data.objects.new(name, None)
    empty.instance_type, empty.instance_collection = "COLLECTION", collection
    bpy.context.scene.collection.objects.link(empty)
    for key, value in properties.items():
        setattr(empty, key, value)
    return empty


def test_collection_instances_have_stable_names():
    truss = bpy.data.collections.new("Truss")
    add("Rafter_01", collection=truss)
    add("Stud_01", collection=truss, location=(1, 0, 0))
    instance_of(truss, location=(10, 0, 0), rotation_euler=(0, 0, math.pi / 2))
    instance_of(truss, location=(20, 0, 0))
    structure = structure_from_scene()
    assert set(structure.names) == {
        "Truss_A/Rafter_01",
        "Truss_A/Stud_01",
        "Truss_A.001/Rafter_01",
        "Truss_A.001/Stud_01",
    }
    where = structure.center[structure.names.index("Truss_A/Stud_01")]
    assert where == pytest.approx([10, 1, 0], abs=1e-5)
    assert object_of_member("Truss_A/Stud_01", structure).name == "Truss_A"


def test_nested_instances_are_numbered():
    truss = bpy.data.collections.new("Truss")
    add("Rafter_01", collection=truss)
    bay = bpy.data.collections.new("Bay")
    for x in (0, 3):
        empty = instance_of(truss, "T", location=(x, 0, 0))
        bpy.context.scene.collection.objects.unlink(empty)
        bay.objects.link(empty)
    instance_of(bay, "Bay_A")
    structure = structure_from_scene()
    assert structure.names == ("Bay_A/Rafter_01", "Bay_A/Rafter_01#2")
    assert structure_from_scene().names == structure.names


def test_role_of_the_object_else_of_its_instancer():
    truss = bpy.data.collections.new("Truss")
    add("a", collection=truss)["plumbline_role"] = "Rafter"
    add("b", collection=truss)
    instance_of(truss)["plumbline_role"] = "Stud"
    add("Sill_01")
    structure = structure_from_scene()
    roles = dict(zip(structure.names, structure.explicit_roles, strict=True))
    assert roles == {"Truss_A/a": "Rafter", "Truss_A/b": "Stud", "Sill_01": None}


def test_role_that_is_no_text_is_said():
    add()["plumbline_role"] = 7
    structure = only_member()
    assert structure.explicit_roles == (None,)
    assert "holds no text" in structure.notes[0]


def test_vertex_instances():
    ground = bpy.data.meshes.new("points")
    ground.from_pydata([(0, 0, 0), (2, 0, 0), (4, 0, 0)], [], [])
    holder = add("Row", ground, instance_type="VERTS")
    add("Post", parent=holder, location=(0, 0, 0))
    names = structure_from_scene().names
    assert {"Row/Post", "Row/Post#2", "Row/Post#3"} <= set(names)


# ---- what is no member ---------------------------------------------------------------------------


def test_hidden_in_every_way_is_skipped_counted_and_said():
    layer = bpy.context.view_layer
    add("Stud_00")
    add("Stud_01").hide_set(True)
    add("Stud_02", hide_viewport=True)
    for name, key in (("A", "exclude"), ("B", "hide_viewport")):
        collection = bpy.data.collections.new(name)
        bpy.context.scene.collection.children.link(collection)
        add(f"Stud_{name}", collection=collection)
        setattr(layer.layer_collection.children[name], key, True)
    collection = bpy.data.collections.new("C")
    bpy.context.scene.collection.children.link(collection)
    add("Stud_C", collection=collection)
    collection.hide_viewport = True
    structure = only_member()
    assert structure.skipped == {"hidden": 5}
    (note,) = structure.notes
    for name in ("Stud_01", "Stud_02", "Stud_A", "Stud_B", "Stud_C"):
        assert name in note


def test_lights_cameras_and_labels_are_counted():
    collection = bpy.context.scene.collection
    for data in (
        bpy.data.lights.new("Sun", "SUN"),
        bpy.data.cameras.new("Camera"),
        None,
        bpy.data.curves.new("wire", "CURVE"),
        bpy.data.curves.new("label", "FONT"),
    ):
        collection.objects.link(bpy.data.objects.new("thing", data))
    bpy.data.curves["label"].body = "Stud"
    structure = structure_from_scene()
    assert len(structure) == 0
    assert structure.skipped == {"not a mesh": 4, "text": 1}
    assert "1 camera, 1 curve, 1 empty, 1 light" in structure.notes[0]


def test_a_curve_with_a_body_is_a_member():
    curve = bpy.data.curves.new("beam", "CURVE")
    curve.dimensions = "3D"
    curve.splines.new("POLY").points.add(1)
    curve.splines[0].points[1].co = (0, 0, 3, 1)
    curve.bevel_mode = "ROUND"
    curve.bevel_depth = 0.1
    curve.use_fill_caps = True
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("Post_01", curve))
    structure = only_member()
    assert structure.names == ("Post_01",)
    assert structure.half[0, 0] == pytest.approx(1.5)
    assert any("Post_01" in note and "curves" in note for note in structure.notes)


def pyramid():
    mesh = bpy.data.meshes.new("pyramid")
    mesh.from_pydata(
        [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0.5, 0.5, 1)],
        [],
        [(3, 2, 1, 0), (0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)],
    )
    return mesh


def test_an_odd_shape_is_boxed_and_named():
    add("Strut_01", pyramid())
    structure = only_member()
    assert structure.source["fill"]["Strut_01"] == pytest.approx(1 / 3, abs=1e-3)
    assert structure.notes == (
        "1 member is no plain box and judged as the smallest box round it: Strut_01 fills 33%.",
    )


def log_mesh(turn):
    """A round post of 40 sides, its rotation applied."""
    import bmesh

    mesh = bpy.data.meshes.new("log")
    shape = bmesh.new()
    bmesh.ops.create_cone(
        shape,
        cap_ends=True,
        segments=40,
        radius1=0.1,
        radius2=0.1,
        depth=3,
        matrix=turn.to_matrix().to_4x4(),
    )
    shape.to_mesh(mesh)
    return mesh


def test_a_log_is_searched_only_if_it_claims_a_role():
    mesh = log_mesh(TURN)
    add("Thing", mesh)
    level = structure_from_scene()
    add("Post_01", mesh)
    both = structure_from_scene()
    assert level.half[0, 0] < 1.45
    assert both.half[:, 0] == pytest.approx([1.5, 1.5], abs=0.002)
    assert both.source["fill"]["Post_01"] == pytest.approx(np.pi / 4, abs=0.01)


def nothing():
    return bpy.data.meshes.new("nothing")


def points_only():
    mesh = bpy.data.meshes.new("points")
    mesh.from_pydata((CORNER_SIGNS * 0.5).tolist(), [], [])
    return mesh


def plane():
    mesh = bpy.data.meshes.new("plane")
    mesh.from_pydata([(0, 0, 0), (9, 0, 0), (9, 9, 0), (0, 9, 0)], [], [(0, 1, 2, 3)])
    return mesh


def with_value(value, mesh=None):
    mesh = mesh or box_mesh(SIZE)
    positions = np.empty(3 * len(mesh.vertices), np.float32)
    data = mesh.attributes["position"].data
    data.foreach_get("vector", positions)
    positions[9] = value  # in bulk: one by one, Blender clamps infinity to the largest float
    data.foreach_set("vector", positions)
    return mesh


@pytest.mark.parametrize(
    ("make", "kind", "words"),
    [
        (nothing, "empty mesh", "has an empty mesh"),
        (points_only, "no faces", "has vertices but no faces"),
        (plane, "flat", "is flat, with no volume"),
        (lambda: box_mesh((1, 1, 0)), "flat", "is flat, with no volume"),
        (lambda: box_mesh((0, 0, 0)), "flat", "is flat, with no volume"),
        (lambda: box_mesh((0.038, 0.089, 1200)), "too long", "is longer than 1,000 m"),
    ],
)
def test_what_cannot_be_a_member(make, kind, words):
    """With a role in its name it is a fault of the source, without one a note."""
    add("Stud_00")
    add("Joist_07", make())
    structure = structure_from_scene()
    assert structure.names == ("Stud_00",)
    assert structure.skipped == {kind: 1}
    (finding,) = structure.findings
    assert (finding.check, finding.subject) == ("reading", "Joist_07")
    assert words in finding.message
    bpy.data.objects["Joist_07"].name = "Lawn"
    structure = structure_from_scene()
    assert structure.findings == ()
    assert structure.skipped == {kind: 1}
    assert "Lawn" in structure.notes[0]
    assert words in structure.notes[0]


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
@pytest.mark.parametrize("big", [False, True])
def test_vertices_that_are_no_numbers_are_always_a_fault(value, big):
    import bmesh

    mesh = box_mesh(SIZE)
    if big:
        shape = bmesh.new()
        shape.from_mesh(mesh)
        bmesh.ops.subdivide_edges(shape, edges=shape.edges, cuts=3, use_grid_fill=True)
        shape.to_mesh(mesh)
    add("Thing", with_value(value, mesh))
    add("Stud_00")
    structure = structure_from_scene()
    assert structure.names == ("Stud_00",)
    assert structure.skipped == {"not finite": 1}
    (finding,) = structure.findings
    assert finding.subject == "Thing"
    assert "no finite number" in finding.message


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ({"scale": (1, 1, 0)}, "flat"),
        ({"scale": (0, 0, 0)}, "flat"),
        ({"scale": (1, 1, 1e-7)}, "flat"),
        ({"location": (float("nan"), 0, 0)}, "not finite"),
        ({"location": (1e30, 0, 0)}, "too far"),
        ({"scale": (1, float("inf"), 1)}, "too long"),
        ({"scale": (1, 1, 1e30)}, "too long"),
    ],
)
def test_transforms_that_make_no_member(change, kind):
    add(**change)
    structure = structure_from_scene()
    assert len(structure) == 0
    assert structure.skipped == {kind: 1}
    assert len(structure.findings) == 1


def test_far_from_the_origin():
    add(location=(20_000, 0, 0))
    assert "coarser than 1 mm" in only_member().notes[0]


def test_empty_scene():
    structure = structure_from_scene()
    assert len(structure) == 0
    assert (structure.notes, structure.skipped, structure.findings) == ((), {}, ())


def test_names_are_kept_and_sentences_stay_on_one_line():
    add("Stud\n01 🏠", pyramid())
    structure = only_member()
    assert structure.names == ("Stud\n01 🏠",)
    assert "Stud\\n01 🏠 fills" in structure.notes[0]
    assert "\n" not in structure.notes[0]


def test_two_at_the_same_place_are_two():
    add("Stud_01")
    add("Stud_02")
    assert len(structure_from_scene()) == 2


# ---- scenes --------------------------------------------------------------------------------------


def test_unit_scale():
    bpy.context.scene.unit_settings.system = "IMPERIAL"
    bpy.context.scene.unit_settings.scale_length = 0.3048
    add(mesh=box_mesh((0.125, 0.292, 8)), location=(10, 0, 0))
    structure = only_member()
    assert structure.half[0, 0] == pytest.approx(4 * 0.3048)
    assert structure.center[0, 0] == pytest.approx(3.048)
    assert "0.3048 m" in structure.notes[0]


def test_no_unit_system_means_metres():
    bpy.context.scene.unit_settings.system = "NONE"
    bpy.context.scene.unit_settings.scale_length = 0.01
    add()
    assert only_member().half[0, 0] == pytest.approx(1.2)


def test_another_scene_than_the_open_one():
    other = bpy.data.scenes.new("Other")
    add("Stud_here")
    add("Stud_there", collection=other.collection)
    structure = structure_from_scene(other)
    assert structure.names == ("Stud_there",)
    assert bpy.context.scene.name == "Scene"


def test_only_some_objects():
    a = add("Stud_01")
    add("Stud_02")
    hidden = add("Stud_03")
    hidden.hide_set(True)
    assert structure_from_scene(only=[a]).names == ("Stud_01",)
    structure = structure_from_scene(only=["Stud_02", "Stud_03", "Stud_99"])
    assert structure.names == ("Stud_02",)
    assert structure.skipped == {"hidden": 1}
    assert any("Stud_99" in note for note in structure.notes)


def test_too_many_instances_are_cut_and_said(monkeypatch):
    monkeypatch.setattr("plumbline.addon.scene.gather.MOST_INSTANCES", 3)
    for i in range(5):
        add(f"Stud_{i}")
    structure = structure_from_scene()
    assert len(structure) == 3
    assert structure.skipped == {"beyond the limit": 2}
    assert "only the first 3" in structure.findings[0].message
    assert MOST_INSTANCES == 200_000


def test_reading_changes_nothing():
    truss = bpy.data.collections.new("Truss")
    add("Rafter_01", collection=truss)
    instance_of(truss)
    obj = add("Stud_01", mesh=box_mesh(), scale=SIZE)
    obj.modifiers.new("Bevel", "BEVEL")
    obj.select_set(True)
    add("Plane", plane()).hide_set(True)
    add("Broken", with_value(float("nan")))
    before = scene_hash()
    structure_from_scene()
    assert scene_hash() == before
