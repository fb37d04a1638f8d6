# SPDX-License-Identifier: GPL-3.0-or-later
"""Models of structures that fall: who meets whom, who carries whom, and what it holds."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from plumbline.addon.simulation.falling import blocks, strengths
from plumbline.addon.simulation.falling.altered import altered_model, altered_structure
from plumbline.addon.simulation.falling.asked import WhatIf
from plumbline.addon.simulation.falling.blocks import model_of_blocks
from plumbline.addon.simulation.falling.damage import damage_of
from plumbline.addon.simulation.falling.model import GRAVITY
from plumbline.addon.simulation.falling.motion import Motion
from plumbline.addon.simulation.falling.timber import model_of_timber
from plumbline.addon.simulation.steps import SimulationError
from plumbline.checks.timber.brief import TimberBrief
from plumbline.checks.timber.structure import TimberStructure
from plumbline.checks.voxel.structure import VoxelStructure

BOXES = {
    "Sill_01": ((0, 0, 0), (3, 0.089, 0.038)),
    "Stud_01": ((0, 0, 0.038), (0.038, 0.089, 2.4)),
    "Stud_02": ((2.962, 0, 0.038), (3, 0.089, 2.4)),
    "TopPlate_01": ((0, 0, 2.4), (3, 0.089, 2.438)),
}


def frame(**other) -> TimberStructure:
    boxes = {**BOXES, **other}
    low, high = (np.array([box[k] for box in boxes.values()], float) for k in (0, 1))
    axes = np.tile(np.eye(3), (len(boxes), 1, 1))
    return TimberStructure.from_boxes(tuple(boxes), 0.5 * (low + high), axes, high - low)


def column(*materials: str) -> VoxelStructure:
    return VoxelStructure.from_blocks([(0, y, 0, name) for y, name in enumerate(materials)])


def test_a_frame_meets_where_its_checks_say_and_the_lower_carries_the_upper():
    model = model_of_timber(frame())
    c = model.contacts
    pairs = {(model.names[a], model.names[b]) for a, b in zip(c.first, c.second, strict=True)}
    assert pairs == {
        ("Sill_01", "Stud_01"), ("Sill_01", "Stud_02"),
        ("Stud_01", "TopPlate_01"), ("Stud_02", "TopPlate_01"),
    }  # fmt: skip
    assert set(c.kind) == {"upright"} and c.bears.all() and (c.carries == 1).all()
    assert c.area == pytest.approx(np.full(4, 0.038 * 0.089)) and (c.normal[:, 2] == 1).all()
    assert model.fixed.tolist() == [True, False, False, False] and model.ground == 0.0
    assert not model.loose.any() and len(model.joints) == 4


def test_members_weigh_what_wood_of_their_species_weighs():
    # NDS Supplement 3.1.3 by hand for G = 0.42 at 15 %: 28.5 lb/ft3.
    assert strengths.density("spruce-pine-fir") == pytest.approx(456.8, abs=0.5)
    model = model_of_timber(frame())
    assert model.mass[0] == pytest.approx(3 * 0.089 * 0.038 * 456.8, rel=1e-3)
    heavy = model_of_timber(frame(), TimberBrief(species="southern-pine"))
    assert (heavy.mass > 1.25 * model.mass).all()


def test_nails_hold_what_the_table_says():
    """Two 16d nails into end grain: 2 x 120 lb x 0.67 x 3.32 in shear, half of W in withdrawal."""
    model = model_of_timber(frame())
    assert model.held.shear == pytest.approx(np.full(4, 2 * 120 * 0.67 * 3.32 * 4.44822), rel=1e-5)
    withdrawal = 1380 * 0.42**2.5 * 0.162 * 2.0 * 3.32 * 4.44822
    assert model.held.pull == pytest.approx(np.full(4, 2 * 0.5 * withdrawal), rel=1e-5)
    assert model.held.moment == pytest.approx(model.held.pull * 0.089 / 2)
    assert model.breaking_force() == pytest.approx(model.held.shear), "what bears needs no pull"
    turned = replace(model, gravity=np.array([0.0, 0.0, GRAVITY]))
    assert turned.turned and turned.breaking_force() == pytest.approx(model.held.pull)
    aside = replace(model, gravity=np.array([GRAVITY, 0.0, 0.0]))
    assert aside.breaking_force() == pytest.approx(model.held.shear)


def test_a_frame_analysis_can_take_the_place_of_the_table():
    half = strengths.Nailed()
    model = model_of_timber(frame(), strengths=lambda c: half(c).scaled(np.full(len(c), 0.5)))
    assert model.held.shear == pytest.approx(0.5 * model_of_timber(frame()).held.shear)


def test_what_hangs_on_nothing_is_loose():
    model = model_of_timber(frame(Joist_01=((0, 1, 3), (3, 1.038, 3.2))))
    assert [model.names[i] for i in np.flatnonzero(model.loose)] == ["Joist_01"]


@pytest.mark.parametrize(
    ("structure", "why"),
    [
        (frame().subset([]), "no member that could fall"),
        (frame(Stud_03=((1, 0, 1), (1, 0.089, 2))), "Stud_03 has no volume"),
    ],
)
def test_what_can_t_fall_is_said(structure, why):
    with pytest.raises(SimulationError, match=why):
        model_of_timber(structure)
    with pytest.raises(SimulationError, match="no block"):
        model_of_blocks(VoxelStructure.empty())


def test_blocks_hold_face_to_face_by_the_weaker_of_two():
    model = model_of_blocks(column("stone", "oak_planks", "oak_planks"))
    assert model.held.pull.tolist() == [0.6e6, 0.6e6]
    assert model.mass.tolist() == [2700, 640, 640] and model.ground == -0.5
    assert set(model.pieces.tolist()) == {0} and not model.breaks_apart
    assert "frobnium: taken for stone" in model_of_blocks(column("frobnium")).notes


def test_what_floats_breaks_apart_and_what_stands_is_one_piece():
    cells = [(0, 0, 0), (0, 1, 0), (0, 3, 0), (1, 3, 0)]
    model = model_of_blocks(VoxelStructure.from_blocks([(*p, "stone") for p in cells]))
    assert model.loose.tolist() == [False, False, True, True]
    assert model.pieces.tolist() == [0, 0, 1, 2] and len(model.joints) == 1


def test_more_loose_blocks_than_can_break_apart_fall_in_one_piece(monkeypatch):
    from plumbline.addon.simulation.falling import model as module

    monkeypatch.setattr(module, "MOST_LOOSE", 1)
    cells = [(0, 0, 0), (0, 3, 0), (1, 3, 0)]
    model = model_of_blocks(VoxelStructure.from_blocks([(*p, "stone") for p in cells]))
    assert model.pieces.tolist() == [0, 1, 1]
    monkeypatch.setattr(blocks, "MOST", 2)
    with pytest.raises(SimulationError, match="3 blocks are more than can fall at once"):
        model_of_blocks(VoxelStructure.from_blocks([(*p, "stone") for p in cells]))


def test_what_is_removed_or_shifted_changes_the_structure():
    left = altered_structure(frame(), [WhatIf("remove", ("Stud_01",))])
    assert "Stud_01" not in left.names and len(left) == 3
    moved = altered_structure(frame(), [WhatIf("shift", ("Stud_01",), offset=(0.0, 0.5, 0.0))])
    assert len(model_of_timber(moved).contacts) == 2
    blocks = altered_structure(
        column("stone", "stone"), [WhatIf("shift", ("block (0, 1, 0)",), offset=(0.0, 0.0, 2.0))]
    )
    assert blocks.positions.tolist() == [[0, 0, 0], [0, 3, 0]]


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (WhatIf("remove", ("Beam_99",)), "no member 'Beam_99'"),
        (WhatIf("remove", tuple(BOXES)), "nothing is left"),
        (WhatIf("push", ("Sill_01",), vector=(1.0, 0.0, 0.0)), "held by the ground"),
        (WhatIf("cut", ("Sill_01", "TopPlate_01")), "have no joint"),
    ],
)
def test_what_can_t_be_otherwise_is_said(asked, why):
    with pytest.raises(SimulationError, match=why):
        altered_model(model_of_timber(altered_structure(frame(), [asked])), [asked])


@pytest.mark.parametrize(
    ("offset", "why"), [((0.0, 0.0, 0.5), "whole blocks"), ((0.0, 0.0, 1.0), "already")]
)
def test_blocks_shift_by_whole_blocks_into_empty_cells(offset, why):
    with pytest.raises(SimulationError, match=why):
        altered_structure(
            column("stone", "stone"), [WhatIf("shift", ("block (0, 0, 0)",), offset=offset)]
        )


def test_joints_are_weakened_and_cut_gravity_turned_and_members_pushed():
    model = model_of_timber(frame())
    weak = altered_model(model, [WhatIf("weaken", ("Stud_01",), factor=0.25)])
    assert (weak.held.shear / model.held.shear).tolist() == [0.25, 1, 0.25, 1]
    cut = altered_model(model, [WhatIf("cut", ("Stud_01", "TopPlate_01"))])
    assert (cut.held.shear > 0).tolist() == [True, True, False, True]
    light = altered_model(model, [WhatIf("gravity", vector=(0.0, 0.0, -0.5))])
    assert light.gravity.tolist() == [0.0, 0.0, -0.5 * GRAVITY] and not light.turned
    push = WhatIf("push", ("Stud_02",), vector=(0.0, 9.0, 0.0))
    assert altered_model(model, [push, push]).force[2].tolist() == [0.0, 18.0, 0.0]
    tower = model_of_blocks(column("stone", "stone", "stone"))
    cut = altered_model(tower, [WhatIf("cut", ("block (0, 0, 0)", "block (0, 1, 0)"))])
    assert cut.pieces.tolist() == [0, 1, 2] and len(cut.joints) == 2
    assert tower.pieces.max() == 0 and tower.fixed.tolist() == [True, False, False]
    turned = altered_model(tower, [WhatIf("gravity", vector=(1.0, 0.0, 0.0))])
    assert turned.pieces.tolist() == [0, 1, 2]


def fallen(model, drops: dict[str, float], frames: int = 25) -> Motion:
    """Members that begin to fall freely at a time, s; the others stand."""
    place = np.tile(model.center, (frames, 1, 1))
    for name, start in drops.items():
        t = np.maximum(np.arange(frames) / 24 - start, 0.0)
        place[:, model.names.index(name), 2] -= 0.5 * GRAVITY * t**2
    return Motion(24.0, np.tile(np.eye(3), (frames, len(model), 1, 1)), place)


def test_damage_tells_who_went_first_what_broke_and_how_far():
    model = model_of_timber(frame())
    damage = damage_of(model, fallen(model, {"TopPlate_01": 0.5, "Stud_02": 0.25}))
    assert damage.moved == ("Stud_02", "TopPlate_01") and damage.share == 0.5
    # Free fall through 38 mm takes 88 ms, through 20 mm 64 ms; frames are 42 ms apart.
    assert damage.moments == pytest.approx((0.338, 0.588), abs=0.01)
    assert damage.broken[0] in (("Sill_01", "Stud_02"), ("Stud_02", "TopPlate_01"))
    assert damage.breaks[0] == pytest.approx(0.314, abs=0.01) and len(damage.broken) == 3
    assert damage.drop == ("Stud_02", pytest.approx(0.5 * GRAVITY * 0.75**2))
    assert damage.says == (
        "Stud_02 went first, after 0.3 s; 2 of 4 members moved, 3 of 4 joints broke; "
        "Stud_02 came down 2.8 m."
    )
    first = damage.findings[0]
    assert first.subject == "Stud_02" and first.frame == 10 and first.margin < 0
    assert first.message == "Stud_02 moved first, after 0.34 s, and went 2.76 m."
    assert damage.findings[1].message.startswith("TopPlate_01 was the 2nd to move, after 0.59 s")
    assert first.location == pytest.approx((2.981, 0.0445, 1.219))
    plain = json.loads(json.dumps(damage.to_plain()))
    assert plain["first"] == "Stud_02" and plain["broken"][0]["seconds"] == pytest.approx(
        0.314, abs=0.01
    )


def test_what_stands_has_no_damage():
    model = model_of_timber(frame())
    damage = damage_of(model, fallen(model, {}))
    assert damage.first is None and damage.share == 0 and not damage.findings
    assert damage.says == "It stands: none of 4 members moved by more than 38 mm in 1.0 s."
