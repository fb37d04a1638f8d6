# SPDX-License-Identifier: GPL-3.0-or-later
"""How a scene holds a house must not matter: units, transforms, collections."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import bpy
import numpy as np
import pytest
from mathutils import Matrix
from plumbline.addon.scene.house_objects import write_house
from plumbline.addon.scene.members import structure_from_scene
from plumbline.checks.timber import judge
from plumbline.tasks.defects.catalogue import DEFECTS
from plumbline.tasks.defects.metamorphic import Changed, differences
from plumbline.tasks.defects.reading import Reading
from plumbline.tasks.houses.generate import generate
from plumbline.tasks.houses.house import House

pytestmark = pytest.mark.once


def sound() -> House:
    return generate("Shotgun", 3)


def without_a_sill() -> House:
    house = sound()
    reading = Reading(house.structure, house.brief)
    defect = DEFECTS["missing_sill"]
    flawed = defect.inject(reading, defect.places(reading)[0], defect.severities[0])
    assert flawed is not None
    return replace(house, structure=flawed.structure)


def members() -> list[bpy.types.Object]:
    return [obj for obj in bpy.context.scene.objects if obj.type == "MESH"]


def in_feet(house: House) -> None:
    units = bpy.context.scene.unit_settings
    units.system, units.scale_length = "IMPERIAL", 0.3048
    write_house(house)


def scale_not_applied(house: House) -> None:
    """Unit cubes with their sizes in the objects' scale."""
    write_house(house)
    for obj in members():
        obj.data = obj.data.copy()
        size = np.array(obj.dimensions)
        obj.data.transform(Matrix.Diagonal((*(1.0 / size), 1.0)))
        obj.scale = size


def all_applied(house: House) -> None:
    """Everything in the meshes; all objects lie on the origin."""
    write_house(house)
    bpy.context.view_layer.update()
    for obj in members():
        obj.data = obj.data.copy()
        obj.data.transform(obj.matrix_world)
        obj.matrix_world = Matrix()


def in_other_collections(house: House) -> None:
    """Dealt into nested collections, whatever the members are."""
    whole = write_house(house)
    random, made = Random(3), [bpy.data.collections.new(f"Part {k}") for k in range(5)]
    for k, part in enumerate(made):
        (made[k - 1] if k % 2 else bpy.context.scene.collection).children.link(part)
    for obj in members():
        for old in obj.users_collection:
            old.objects.unlink(obj)
        made[int(5 * random.random())].objects.link(obj)
    bpy.data.collections.remove(whole)


@pytest.mark.parametrize("house", [sound, without_a_sill])
@pytest.mark.parametrize("way", [in_feet, scale_not_applied, all_applied, in_other_collections])
def test_the_same_is_said_of_it(
    empty_scene, way: Callable[[House], None], house: Callable[[], House]
) -> None:
    built = house()
    way(built)
    read = structure_from_scene()
    assert sorted(read.names) == sorted(built.structure.names)
    order = [read.names.index(name) for name in built.structure.names]
    np.testing.assert_allclose(read.center[order], built.structure.center, atol=1e-5)
    np.testing.assert_allclose(read.half[order], built.structure.half, atol=1e-5)
    before = judge(built.structure, built.brief)
    after = judge(read, built.brief)
    assert after.verdict == before.verdict
    unmoved = Changed(read, np.eye(3), np.zeros(3))
    assert differences(before.findings, after.findings, unmoved) == ((), ())
    assert len(after.findings) == len(before.findings)
