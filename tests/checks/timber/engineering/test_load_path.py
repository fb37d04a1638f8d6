# SPDX-License-Identifier: GPL-3.0-or-later
"""What stands and why: whole parts of a sound house are taken away, and the place is named."""

import re
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from plumbline.checks.timber import TimberBrief, TimberStructure
from plumbline.checks.timber.engineering.fixed_point import load_path
from plumbline.checks.timber.engineering.joints import Joints
from plumbline.checks.timber.engineering.load_path import load_path_check

sys.path.insert(0, str(Path(__file__).parents[3] / "helpers"))
import gables


@pytest.fixture(scope="module")
def house():
    return gables.gable(9 / 12)


def without(structure, pattern):
    keep = np.array([not re.fullmatch(pattern, name) for name in structure.names])
    assert not keep.all(), f"nothing is called {pattern}"
    return structure.subset(keep)


def moved(structure, name, offset):
    center = structure.center.copy()
    center[structure.names.index(name)] += offset
    return replace(structure, center=center)


def judged(structure):
    joints = Joints.of(structure, TimberBrief())
    return load_path_check(joints, load_path(joints)).findings


def roots(structure):
    return [f for f in judged(structure) if f.is_root]


def fallen(structure):
    return {f.subject for f in judged(structure) if not f.is_root}


def test_every_member_of_a_sound_house_has_a_path_to_the_ground(house):
    joints = Joints.of(house, TimberBrief())
    path = load_path(joints)
    assert path.supported.all()
    chain = [house.names[m] for m in path.path(house.names.index("Rafter_S_04"))]
    assert chain[0] == "Rafter_S_04"
    assert chain[1].startswith("TopPlate_S")
    assert chain[-1].startswith("Sill_S")


def test_a_sill_taken_away_is_one_place_under_all_joists(house):
    (root,) = roots(without(house, "Sill_S"))
    assert root.subject_kind == "place"
    assert root.location[1] == pytest.approx(0.05, abs=0.1)
    assert root.location[2] == pytest.approx(gables.T, abs=0.01)
    down = fallen(without(house, "Sill_S"))
    assert {f"Joist_{k:02d}" for k in range(gables.BAYS + 1)} <= down
    assert "Stud_S_04" in down and "Rafter_S_04" in down


def test_a_ridge_taken_away_is_missed_at_the_tops_of_all_rafters(house):
    (root,) = roots(without(house, "Ridge_01"))
    assert root.subject.startswith("place at the top of Rafter")
    assert root.location[1] == pytest.approx(gables.WIDTH / 2, abs=0.05)
    assert sum(name.startswith("Rafter") for name in fallen(without(house, "Ridge_01"))) == 18


def test_all_rafters_of_one_side_taken_away_leave_the_ridge_unheld(house):
    (root,) = roots(without(house, "Rafter_N.*"))
    assert root.subject == "Ridge_01"
    assert "one side" in root.message
    assert "Rafter_S_04" in fallen(without(house, "Rafter_N.*"))


def test_one_rafter_taken_away_leaves_only_the_one_opposite_unheld(house):
    (root,) = roots(without(house, "Rafter_N_04"))
    assert root.subject == "place at the top of Rafter_S_04"
    assert fallen(without(house, "Rafter_N_04")) == {"Rafter_S_04"}


def test_without_ties_no_couple_holds_the_ridge(house):
    (root,) = roots(without(house, "CeilingJoist.*"))
    assert "ceiling joists or rafter ties" in root.message
    assert root.clause == "IRC R802.5.2"
    assert {"Ridge_01", "Rafter_S_00", "Rafter_N_08"} <= fallen(without(house, "CeilingJoist.*"))


def test_a_low_roof_needs_posts_under_its_ridge():
    low = gables.gable(2.5 / 12)
    (root,) = roots(low)
    assert root.subject in ("Ridge_01", "place below Ridge_01")
    assert "Rafter_S_04" in fallen(low)


def test_plates_taken_away_are_one_place(house):
    (root,) = roots(without(house, "BottomPlate_S"))
    assert root.subject == "place below Stud_S_00 to Stud_S_08"
    (root,) = roots(without(house, "TopPlate_S.*"))
    assert root.subject_kind == "place"
    assert root.subject.startswith("place below Rafter_S")


def test_a_raised_sill_is_named_with_its_gap(house):
    (root,) = roots(moved(house, "Sill_S", (0, 0, 0.06)))
    assert (root.subject, root.subject_kind) == ("Sill_S", "member")
    assert root.measured == pytest.approx(0.06)
    assert root.margin == pytest.approx(-0.04)
    assert "lower it by 60 mm" in root.message


def test_a_stud_lying_on_the_lawn_is_no_foundation():
    lawn = TimberStructure.from_boxes(
        ["Stud_1", "Joist_1"],
        [[1.2, 0, 0.019], [1.2, 0, 0.155]],
        np.stack([np.eye(3)] * 2),
        [[2.4, 0.089, 0.038], [2.4, 0.038, 0.235]],
    )
    found = judged(lawn)
    assert {f.subject for f in found} == {"Stud_1", "Joist_1"}
    assert [f.subject for f in found if f.is_root] == ["Stud_1"]


def test_members_that_only_hold_each_other_do_not_stand():
    # Two beams whose ends butt into each other like a pinwheel of two, high up in the air.
    ring = TimberStructure.from_boxes(
        ["Beam_1", "Beam_2", "Beam_3", "Beam_4"],
        [[1.0, 0.0, 3.0], [2.0445 - 0.0445, 1.0, 3.0], [1.0, 2.0, 3.0], [0.0, 1.0, 3.0]],
        [np.eye(3), np.eye(3)[[1, 0, 2]], np.eye(3), np.eye(3)[[1, 0, 2]]],
        [[1.911, 0.089, 0.235]] * 4,
    )
    joints = Joints.of(ring, TimberBrief())
    assert not load_path(joints).supported.any()
    assert len(judged(ring)) >= 4


def test_a_floating_member_names_no_support(house):
    center = np.array([[20.0, 20.0, 5.0]])
    alone = TimberStructure.from_boxes(["Beam_x"], center, [np.eye(3)], [[2.0, 0.089, 0.235]])
    (root,) = roots(alone)
    assert root.subject == "Beam_x"
    assert root.measured is None


def test_the_verdict_does_not_depend_on_where_the_house_stands_or_how_it_is_turned(house):
    turn = np.array([[0, -1.0, 0], [1.0, 0, 0], [0, 0, 1]])
    broken = without(house, "Sill_S")
    turned = replace(
        broken, center=broken.center @ turn.T + [130.0, -55.0, 0], axes=broken.axes @ turn.T
    )
    assert fallen(turned) == fallen(broken)
    order = np.random.default_rng(1).permutation(len(broken))
    assert fallen(broken.subset(order)) == fallen(broken)


def test_a_heap_is_refused_in_words():
    from plumbline.checks.timber import judge

    n = 1000
    heap = TimberStructure.from_boxes(
        [f"Stud_{k}" for k in range(n)],
        np.random.default_rng(1).uniform(0, 0.02, (n, 3)),
        np.broadcast_to(np.eye(3), (n, 3, 3)),
        np.broadcast_to([0.038, 0.089, 2.4], (n, 3)),
    )
    result = judge(heap)
    assert result.verdict != "passed"
    assert all(c.status == "not_run" for c in result.checks if c.id not in ("reading", "clash"))
    assert "remove the duplicates" in result.checks[0].reason


def test_a_foundation_course_that_hangs_between_its_corners_is_missed_below():
    """R403.1: a foundation bears along its length, it does not span."""
    boxes = {
        "Footing_W": ((0, 0, 0), (0.4, 0.4, 0.2)),
        "Footing_E": ((4.6, 0, 0), (5.0, 0.4, 0.2)),
        "Foundation_1": ((0, 0.1, 0.2), (5.0, 0.3, 0.4)),
        "Sill_1": ((0, 0.1, 0.4), (5.0, 0.24, 0.438)),
        **{
            f"Stud_{k}": ((0.4 * k + 0.1, 0.1, 0.438), (0.4 * k + 0.138, 0.24, 2.8))
            for k in range(12)
        },
    }
    low, high = (np.array([b[k] for b in boxes.values()], float) for k in (0, 1))
    hung = TimberStructure.from_boxes(
        list(boxes), (low + high) / 2, np.stack([np.eye(3)] * len(boxes)), high - low
    )
    (root,) = roots(hung)
    assert root.subject == "place below Foundation_1"
    assert root.location[0] == pytest.approx(2.5, abs=0.1)
    assert "Stud_6" in fallen(hung) and "Stud_0" not in fallen(hung)


def test_a_sill_under_joists_and_the_end_of_a_rim_is_one_missing_member():
    frame = gables.Frame()
    sizes = {"S": 0.0, "M": 2.0, "N": 4.0}
    for tag, low in sizes.items():
        frame.box(f"Sill_{tag}", (0, low, 0), (3.0, low + 0.14, 0.038))
    for k in range(1, 7):
        frame.box(f"Joist_S_{k}", (k * 0.4, 0, 0.038), (k * 0.4 + 0.038, 2.07, 0.273))
        frame.box(f"Joist_N_{k}", (k * 0.4, 2.07, 0.038), (k * 0.4 + 0.038, 4.14, 0.273))
    frame.box("RimJoist_W", (0, 0, 0.038), (0.038, 4.14, 0.273))
    frame.box("BottomPlate_W", (0, 0, 0.273), (0.089, 4.14, 0.311))
    for k in range(10):
        frame.box(f"Stud_W_{k}", (0, k * 0.4, 0.311), (0.089, k * 0.4 + 0.038, 2.6))
    sound = frame.structure()
    assert judged(sound) == ()
    (root,) = roots(without(sound, "Sill_S"))
    assert {"Joist_S_1", "Joist_S_6", "RimJoist_W"} <= set(root.related)


def test_a_missing_ridge_is_missed_by_what_propped_it_as_well(house):
    """A brace under the ridge and the rafters against it lack one and the same member."""
    ridge = house.names.index("Ridge_01")
    low = house.aabb[0][ridge, 2]
    middle = house.center[ridge, 0]
    frame = gables.Frame()
    frame.box(
        "Post_M",
        (middle - 0.6, gables.WIDTH / 2 - 0.045, 0.038 + gables.JOIST),
        (middle - 0.511, gables.WIDTH / 2 + 0.045, low),
    )
    along = np.array([1.0, 0.0, 1.0]) / np.sqrt(2.0)
    length = 0.5
    tip = np.array([middle - 0.1, gables.WIDTH / 2, low])
    axes = np.array([along, [-along[2], 0.0, along[0]], [0.0, -1.0, 0.0]])
    frame.oriented("Brace_M", tip - along * length / 2, axes, (length, 0.089, 0.038))
    more = frame.structure()
    both = TimberStructure.from_boxes(
        (*house.names, *more.names),
        np.concatenate([house.center, more.center]),
        np.concatenate([house.axes, more.axes]),
        2.0 * np.concatenate([house.half, more.half]),
    )
    tops = [f for f in roots(without(both, "Ridge_01")) if f.location[2] > 3.5]
    assert [f.subject.startswith("place at the top of Rafter") for f in tops] == [True]


def test_a_lone_cripple_whose_header_is_gone_is_no_member_out_of_place():
    frame = gables.Frame()
    frame.box("Sill", (0, 0, 0), (3.0, 0.089, 0.038))
    for k, x in enumerate((0.0, 0.4, 0.8, 1.6, 2.0, 2.4, 2.962)):
        frame.box(f"Stud_{k}", (x, 0, 0.038), (x + 0.038, 0.089, 2.4))
    frame.box("TopPlate", (0, 0, 2.4), (3.0, 0.089, 2.438))
    frame.box("Cripple", (1.2, 0, 2.1), (1.238, 0.089, 2.4))
    (root,) = roots(frame.structure())
    assert root.subject == "place below Cripple"
    assert root.subject_kind == "place"
