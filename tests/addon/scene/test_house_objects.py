# SPDX-License-Identifier: GPL-3.0-or-later
"""A house in a scene: read back as it was, in collections, every object readable on its own."""

import bpy
import gables
import numpy as np
import pytest
from framed_houses import framed, gable
from plumbline.addon.scene.house_objects import placed_boxes, write_house
from plumbline.addon.scene.members import structure_from_scene
from plumbline.checks.timber import TimberStructure, judge

pytestmark = [pytest.mark.usefixtures("empty_scene"), pytest.mark.once]


@pytest.fixture(scope="module")
def house():
    return gable(160)


def in_order(found, wanted):
    """``found`` with its members in the order of ``wanted``."""
    place = {name: i for i, name in enumerate(found.names)}
    return found.subset([place[name] for name in wanted.names])


@pytest.mark.parametrize("unit", [1.0, 0.3048])
def test_it_is_read_as_it_was(house, unit):
    bpy.context.scene.unit_settings.scale_length = unit
    write_house(house)
    found = structure_from_scene()
    assert len(found.notes) == (unit != 1.0)  # which says the unit
    assert found.findings == () and not found.skipped
    again, wanted = in_order(found, house.structure), house.structure
    assert again.names == wanted.names
    np.testing.assert_allclose(again.center, wanted.center, atol=1e-6 / unit)
    np.testing.assert_allclose(again.half, wanted.half, atol=1e-6)
    np.testing.assert_allclose(np.stack(again.aabb), np.stack(wanted.aabb), atol=2e-6)


def test_it_is_judged_as_it_was():
    house = framed(gables.gable(0.5))
    write_house(house)
    found = judge(structure_from_scene(), house.brief)
    assert found.verdict == "passed"
    assert [c.status for c in found.checks] == [
        c.status for c in judge(house.structure, house.brief).checks
    ]


def test_collections_and_what_is_known_of_a_member(house):
    whole = write_house(house)
    assert whole.name == "Gable house"
    assert [group.name for group in whole.children] == ["Foundation", "Floor", "Walls", "Roof"]
    assert sum(len(group.objects) for group in whole.children) == len(house)
    i = house.structure.names.index("Rafter_0003")
    rafter = whole.children["Roof"].objects["Rafter_0003"]
    assert rafter["plumbline_role"] == "Rafter" and rafter["plumbline_section"] == "2x8"
    assert rafter["plumbline_category"] == "roof"
    assert rafter["plumbline_parent"] == house.structure.names[house.parents[i]]
    assert "plumbline_parent" not in whole.children["Foundation"].objects["Sill_0001"]


def test_each_object_stands_at_its_centre_with_its_size_and_no_scale(house):
    """As the released harness reads it: location, dimensions, corners, with nothing evaluated."""
    objects = {o.name: o for group in write_house(house).children for o in group.objects}
    for i, name in enumerate(house.structure.names):
        obj = objects[name]
        assert tuple(obj.scale) == (1, 1, 1)
        assert tuple(obj.matrix_world.translation) == pytest.approx(
            house.structure.center[i], abs=1e-6
        )
        assert sorted(obj.dimensions) == pytest.approx(
            sorted(2 * house.structure.half[i]), abs=1e-6
        )
    stud, low, high = objects["Stud_0001"], *house.structure.aabb
    k = house.structure.names.index("Stud_0001")
    assert tuple(stud.rotation_euler) == (0, 0, 0)
    assert tuple(stud.dimensions) == pytest.approx(high[k] - low[k], abs=1e-6)


def test_equal_members_share_a_mesh(house):
    whole = write_house(house)
    studs = [o for o in whole.children["Walls"].objects if o.name.startswith("Stud")]
    assert len({o.data for o in studs if o.dimensions.y > 0.05}) == 1
    assert len(bpy.data.meshes) < len(house) / 4


def test_a_house_beside_another_keeps_its_names(house):
    write_house(house)
    second = write_house(house)
    assert second.children[0].objects[0]["plumbline_name"] == house.structure.names[0]


def test_boxes_turned_in_any_way_are_placed_as_they_are():
    rng = np.random.default_rng(5)
    axes = np.linalg.qr(rng.normal(size=(50, 3, 3)))[0]
    size = rng.uniform(0.03, 4.0, (50, 3))
    names = [f"Brace_{i:02d}" for i in range(50)]
    wanted = TimberStructure.from_boxes(names, rng.normal(size=(50, 3)), axes, size)
    found, matrices = placed_boxes(wanted)
    np.testing.assert_allclose(np.linalg.det(matrices[:, :3, :3]), 1.0)
    again = TimberStructure.from_boxes(
        names, matrices[:, :3, 3], matrices[:, :3, :3].transpose(0, 2, 1), found
    )
    for one, other in zip(again.corners, wanted.corners, strict=True):
        apart = np.linalg.norm(one[:, None] - other[None], axis=2)
        assert apart.min(axis=1).max() < 1e-9


def test_what_has_no_role_has_a_place_too():
    lone = TimberStructure.from_boxes(["Thing_1"], [(0, 0, 1)], [np.eye(3)], [(2.0, 0.1, 0.05)])
    whole = write_house(framed(lone, "Odd"))
    assert [group.name for group in whole.children] == ["Other"]
    assert "plumbline_role" not in whole.children[0].objects[0]
