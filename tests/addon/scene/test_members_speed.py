# SPDX-License-Identifier: GPL-3.0-or-later
"""How long scenes take to read: houses of 1,500 members, and forests round a house."""

import bpy
import numpy as np
import pytest
from plumbline.addon.scene.members import structure_from_scene
from plumbline.checks.timber.structure import CORNER_SIGNS

FACES = [(0, 1, 2, 3), (4, 7, 6, 5), (0, 4, 5, 1), (3, 2, 6, 7), (0, 3, 7, 4), (1, 5, 6, 2)]

pytestmark = [pytest.mark.usefixtures("empty_scene"), pytest.mark.once]


def house(count: int, shared: bool) -> None:
    """Studs with meshes of their own, or one unit cube scaled; each turned another way."""
    rng = np.random.default_rng(0)
    cube = bpy.data.meshes.new("cube")
    cube.from_pydata((0.5 * CORNER_SIGNS).tolist(), [], FACES)
    for i in range(count):
        size = rng.uniform(0.03, 3, 3)
        mesh = cube
        if not shared:
            mesh = bpy.data.meshes.new(f"Stud_{i}")
            mesh.from_pydata((0.5 * CORNER_SIGNS * size).tolist(), [], FACES)
        obj = bpy.data.objects.new(f"Stud_{i}", mesh)
        obj.location, obj.rotation_euler = rng.normal(size=3) * 10, rng.uniform(0, 6, 3)
        obj.scale = size if shared else (1, 1, 1)
        bpy.context.scene.collection.objects.link(obj)


def plain_reading(depsgraph):
    """The same without batches: object by object, vertex by vertex, as add-ons usually do it."""
    members = []
    for instance in depsgraph.object_instances:
        obj, matrix = instance.object, instance.matrix_world
        corners = [matrix @ vertex.co for vertex in obj.data.vertices]
        first = corners[0]
        spokes = sorted((c - first for c in corners[1:]), key=lambda v: v.length)
        short = spokes[0]
        across = [v for v in spokes[1:] if abs(v.dot(short)) < 0.5 * short.length_squared]
        middle = across[0]
        long = short.cross(middle).normalized()
        center = sum(corners[1:], first.copy()) / len(corners)
        axes = (short.normalized(), middle.normalized(), long)
        size = [
            max(c.dot(axis) for c in corners) - min(c.dot(axis) for c in corners) for axis in axes
        ]
        members.append((obj.name, obj.get("plumbline_role"), center, axes, size))
    return members


@pytest.fixture(params=["own meshes", "one shared mesh"])
def depsgraph(request):
    house(1500, shared=request.param == "one shared mesh")
    depsgraph = bpy.context.evaluated_depsgraph_get()
    depsgraph.update()
    return depsgraph


@pytest.mark.benchmark(group="scene of 1,500 objects to members")
def test_batches(benchmark, depsgraph):
    """At most 80 ms after one depsgraph update."""
    structure = benchmark(structure_from_scene, None, depsgraph)
    assert len(structure) == 1500
    assert structure.notes == ()


@pytest.mark.benchmark(group="scene of 1,500 objects to members")
def test_plain_python(benchmark, depsgraph):
    members = benchmark(plain_reading, depsgraph)
    structure = structure_from_scene(None, depsgraph)
    sizes = np.sort([member[4] for member in members], axis=1)[:, ::-1]
    assert np.abs(sizes - 2 * structure.half).max() < 1e-4


def tree(rings: int, seed: int) -> bpy.types.Mesh:
    """A crown of ``rings`` × 20 vertices."""
    rng = np.random.default_rng(seed)
    angle = np.linspace(0, 2 * np.pi, 20, endpoint=False)
    height = np.linspace(0, 1, rings)
    radius = rng.uniform(0.5, 1.5, (rings, 20)) * np.sin(np.pi * height)[:, None]
    vertices = np.stack(
        [
            radius * np.cos(angle),
            radius * np.sin(angle),
            np.broadcast_to(height[:, None] * 4, radius.shape),
        ],
        axis=-1,
    ).reshape(-1, 3)
    ring, side = np.divmod(np.arange((rings - 1) * 20), 20)
    a, b = ring * 20 + side, ring * 20 + (side + 1) % 20
    faces = np.stack([a, b, b + 20, a + 20], axis=1)
    mesh = bpy.data.meshes.new("tree")
    mesh.from_pydata(vertices.tolist(), [], faces.tolist())
    return mesh


@pytest.mark.parametrize("kind", ["one tree of 20,000 vertices", "9,990 meshes of 60 vertices"])
def test_a_house_in_a_forest(kind):
    """10,000 objects of which 9,990 are trees: one sentence, and the house is read."""
    rng = np.random.default_rng(1)
    shared = tree(1000, 0) if kind.startswith("one") else None
    for i in range(9_990):
        obj = bpy.data.objects.new(f"Tree_{i}", shared or tree(3, i))
        obj.location, obj.rotation_euler.z = rng.normal(size=3) * 100, rng.uniform(0, 6)
        obj.scale = rng.uniform(0.5, 2, 3)
        bpy.context.scene.collection.objects.link(obj)
    house(10, shared=True)
    depsgraph = bpy.context.evaluated_depsgraph_get()
    depsgraph.update()
    structure = structure_from_scene(depsgraph=depsgraph)
    assert len(structure) == 10_000
    assert len([note for note in structure.notes if "no plain box" in note]) == 1
    assert len(structure.notes[0]) < 400
    assert len(structure.source["fill"]) == 9_990
