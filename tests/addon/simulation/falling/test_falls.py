# SPDX-License-Identifier: GPL-3.0-or-later
"""Real falls in Blender's rigid bodies: what stands, what breaks when, and nothing is left."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from plumbline.addon.simulation.falling.asked import WhatIf
from plumbline.addon.simulation.falling.model import GRAVITY, Contacts, Held, Model
from plumbline.addon.simulation.steps import SimulationError, finish
from plumbline.checks.timber.structure import TimberStructure
from plumbline.checks.voxel.structure import VoxelStructure

bpy = pytest.importorskip("bpy")
pytestmark = pytest.mark.once

STRENGTH = 1000.0


@pytest.fixture(autouse=True)
def nothing_left(empty_scene):
    """No scene, object, mesh or collection more than before."""
    kinds = ("scenes", "objects", "meshes", "collections", "worlds")
    before = {kind: len(getattr(bpy.data, kind)) for kind in kinds}
    scene = bpy.context.scene
    yield
    assert {kind: len(getattr(bpy.data, kind)) for kind in kinds} == before
    assert bpy.context.scene == scene and scene.rigidbody_world is None


def fall(model, seconds, **more):
    from plumbline.addon.simulation.falling.collapse import collapse
    from plumbline.addon.simulation.falling.damage import damage_of

    motion = finish(collapse(model, seconds, **more))
    return motion, damage_of(model, motion)


def hanging(newtons: float, joined: bool = True) -> Model:
    """A weight of ``newtons`` under a fixed block, on a joint of 1000 N."""
    one = np.ones(1)
    contacts = Contacts(
        np.array([0]), np.array([1]), np.array([[0.0, 0.0, 3.5]]), np.array([[0.0, 0.0, -1.0]]),
        one, one, np.zeros(1), np.ones(1, bool), ("end",), np.array([3], np.int8), np.zeros((1, 3)),
    )  # fmt: skip
    held = Held(*[STRENGTH * one * joined] * 4)
    return Model(
        "timber", ("Top", "Weight"), np.array([[0.0, 0.0, 4.0], [0.0, 0.0, 3.0]]),
        np.tile(np.eye(3), (2, 1, 1)), np.full((2, 3), 0.5), np.array([1.0, newtons / GRAVITY]),
        np.array([True, False]), 0.0, contacts, held, np.zeros(1, bool),
    )  # fmt: skip


@pytest.mark.parametrize(("share", "holds"), [(0.995, True), (1.005, False)])
def test_a_joint_breaks_at_its_strength(share, holds):
    """Within half a percent: a threshold is F dt, in N s."""
    _, damage = fall(hanging(share * STRENGTH), 0.4)
    assert (damage.first is None) == holds
    assert damage.broken == (() if holds else (("Top", "Weight"),))


def test_a_push_is_so_many_newtons_or_metres_a_second():
    free = replace(hanging(10 * GRAVITY, joined=False), gravity=np.zeros(3))
    push = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, -50.0]])
    motion, _ = fall(replace(free, force=push), 0.5)
    # 5 m/s2 for half a second, less Blender's damping of 4 % of the speed each second.
    assert motion.place[0, 1, 2] - motion.place[-1, 1, 2] == pytest.approx(0.625, rel=0.03)
    motion, _ = fall(replace(free, velocity=push / 25), 0.5)
    assert motion.place[0, 1, 2] - motion.place[-1, 1, 2] == pytest.approx(1.0, rel=0.03)


def test_repeats_are_equal_to_the_last_bit_in_however_many_pieces():
    motions = [fall(hanging(1500.0), 0.3, pieces=pieces)[0] for pieces in (1, 1, 5)]
    for other in motions[1:]:
        assert np.array_equal(motions[0].place, other.place)
        assert np.array_equal(motions[0].turn, other.turn)


def test_a_fall_that_is_called_off_leaves_nothing():
    from plumbline.addon.simulation.falling.collapse import collapse

    steps = collapse(hanging(1500.0), 2.0)
    for _ in range(4):
        next(steps)
    assert any(scene.name == "Fall" for scene in bpy.data.scenes)
    steps.close()
    with pytest.raises(SimulationError, match="can't be simulated; choose up to 20 s"):
        finish(collapse(hanging(1500.0), 100.0))


def frame(plate: float) -> TimberStructure:
    """A sill, three studs and a plate that is ``plate`` m too high."""
    boxes = {
        "Sill_01": ((0, 0, 0), (3, 0.089, 0.038)),
        "TopPlate_01": ((0, 0, 2.4 + plate), (3, 0.089, 2.438 + plate)),
        **{f"Stud_{i}": ((x, 0, 0.038), (x + 0.038, 0.089, 2.4))
           for i, x in enumerate((0.0, 1.481, 2.962))},
    }  # fmt: skip
    low, high = (np.array([box[k] for box in boxes.values()], float) for k in (0, 1))
    axes = np.tile(np.eye(3), (len(boxes), 1, 1))
    return TimberStructure.from_boxes(tuple(boxes), 0.5 * (low + high), axes, high - low)


def test_a_sound_frame_stands_and_a_plate_in_the_air_comes_down():
    from plumbline.addon.simulation.falling.answers import let_it_fall

    sound = finish(let_it_fall(frame(0.0), seconds=2.0))
    assert sound.damage.first is None and sound.motion.settled and sound.motion.seconds < 2.0
    loose = finish(let_it_fall(frame(0.4), seconds=0.4))
    assert loose.damage.moved == ("TopPlate_01",) and loose.to_plain()["first"] == "TopPlate_01"
    assert loose.damage.moments[0] == pytest.approx(np.sqrt(2 * 0.038 / GRAVITY), abs=0.02)


def test_what_if_tells_both_falls_and_their_difference():
    from plumbline.addon.simulation.falling.answers import what_if

    asked = [WhatIf("remove", ("Stud_1", "Stud_2"))]
    told = []
    steps = what_if(frame(0.0), asked, seconds=0.8)
    found = finish(steps, lambda done, total: told.append(done / total))
    assert told == sorted(told) and told[-1] <= 1.0
    assert found.baseline.damage.first is None
    assert found.only_altered[0] == "TopPlate_01" and not found.only_baseline
    assert found.says.startswith("If Stud_1 and Stud_2 aren't there: TopPlate_01 went first")
    assert found.to_plain()["altered"]["first"] == "TopPlate_01"
    again = finish(what_if(frame(0.0), asked, seconds=0.1, baseline=found.baseline))
    assert again.baseline is found.baseline
    with pytest.raises(SimulationError, match="nothing is otherwise"):
        finish(what_if(frame(0.0), []))


@pytest.mark.parametrize(
    ("cells", "first"),
    [
        ([(0, y, 0) for y in range(4)] + [(x, 4, 0) for x in range(4)], None),
        ([(0, 0, 0), (0, 1, 0), (0, 3, 0), (1, 3, 0)], "block (1, 3, 0)"),
    ],
    ids=["held", "floating"],
)
def test_blocks_stand_or_fall(cells, first):
    from plumbline.addon.simulation.falling.answers import let_it_fall

    structure = VoxelStructure.from_blocks([(*cell, "stone") for cell in cells])
    damage = finish(let_it_fall(structure, seconds=1.5)).damage
    assert (damage.first in {first, "block (0, 3, 0)"}) if first else damage.first is None


@pytest.mark.parametrize(("newtons", "breaks"), [(15_000.0, False), (45_000.0, True)])
def test_a_tower_of_blocks_breaks_where_its_wood_tears(newtons, breaks):
    """0.6 MPa across the grain and 1 m2: 100 kN m, and 45 kN at 3.5 m above the foot are 157."""
    from plumbline.addon.simulation.falling.answers import what_if

    tower = VoxelStructure.from_blocks([(0, y, 0, "oak_planks") for y in range(5)])
    push = WhatIf("push", ("block (0, 4, 0)",), vector=(newtons, 0.0, 0.0))
    found = finish(what_if(tower, [push], seconds=1.0))
    assert found.baseline.damage.first is None
    assert (found.altered.damage.first == "block (0, 4, 0)") == breaks


def test_a_thousand_blocks_are_one_body():
    from plumbline.addon.simulation.falling.answers import let_it_fall

    shell = [
        (x, y, z, "stone")
        for x in range(14) for y in range(14) for z in range(14)
        if {x, z} & {0, 13} or y in (0, 13)
    ]  # fmt: skip
    structure = VoxelStructure.from_blocks(shell)
    found = finish(let_it_fall(structure, seconds=0.2))
    assert len(shell) > 900 and found.damage.first is None and found.model.pieces.max() == 0


@pytest.mark.parametrize(
    ("twin", "root"),
    [("cabin/floating_collar_tie", "CollarTie_3"), ("shed_roof/low_foundation_wall", "Sill_W")],
)
def test_the_root_of_a_flawed_house_moves_first(twin, root, empty_scene):
    from pathlib import Path

    from plumbline.addon.scene.members import structure_from_scene
    from plumbline.addon.simulation.falling.answers import let_it_fall

    house, name = twin.split("/")
    folder = Path(__file__).parents[4] / "tasks" / "timber" / house
    made = set(bpy.data.objects)
    for file in (folder / "build.py", folder / "twins" / name / "patch.py"):
        exec(compile(file.read_text(), str(file), "exec"), {"__name__": "__main__"})
    bpy.context.view_layer.update()
    structure = structure_from_scene(bpy.context.scene)
    try:
        damage = finish(let_it_fall(structure, seconds=0.25)).damage
    finally:
        mine = set(bpy.data.objects) - made
        meshes = {obj.data for obj in mine}
        collections = [c for c in bpy.data.collections if not set(c.objects) - mine]
        bpy.data.batch_remove([*mine, *meshes, *collections])
    assert damage.moved == (root,)
