# SPDX-License-Identifier: GPL-3.0-or-later
"""Loads followed link by link to the ground, or to where the way breaks."""

import sys
from pathlib import Path

import numpy as np
import pytest
from plumbline.checks.timber import TimberBrief, judge
from plumbline.checks.timber.engineering.reactions import INTO_GROUND, Reactions
from plumbline.checks.timber.engineering.workings import Workings

sys.path.insert(0, str(Path(__file__).parents[3] / "helpers"))
import gables
import timber_samples
from carpentry import T, framed_floor, framed_wall, moved, without


def reactions(structure, **brief):
    return Reactions(Workings.of(structure, TimberBrief(**brief)))


def way(structure, name):
    return reactions(structure).way(structure.names.index(name))


def links(structure, found):
    """Names that a load passes, pair by pair."""
    names = [*structure.names, "ground"]
    return [(names[step.member], names[step.into]) for step in found]


def check_chain(structure, found, member):
    """Every step but those of the member itself begins where one before it ended."""
    ends = {(step.into, tuple(np.round(step.end, 4))) for step in found.sound}
    for step in found.sound:
        if step.member != member:
            assert (step.member, tuple(np.round(step.start, 4))) in ends
    reached = {step.into for step in found.sound} - {INTO_GROUND}
    assert reached <= {step.member for step in found.sound}, "nobody takes a load and keeps it"


def test_a_joist_gives_half_to_either_sill():
    floor = framed_floor(count=5, span=3.0)
    found = way(floor, "Joist_02")
    assert sorted(links(floor, found.sound)) == [
        ("Joist_02", "Sill_N"), ("Joist_02", "Sill_S"), ("Sill_N", "ground"), ("Sill_S", "ground"),
    ]  # fmt: skip
    own = [step for step in found.sound if floor.names[step.member] == "Joist_02"]
    assert all(step.start == pytest.approx(floor.center[step.member]) for step in own)
    # The middle of each bearing: the joist ends at the rim, 38 mm in from the sill's outer edge.
    assert sorted(step.end[1] for step in own) == pytest.approx(
        [(T + 0.14) / 2, 3.14 - (T + 0.14) / 2]
    )
    assert all(step.end[2] == pytest.approx(T) for step in own), "the sill's top"
    grounds = [step.end for step in found.sound if step.into == INTO_GROUND]
    assert [end[2] for end in grounds] == pytest.approx([0, 0])
    assert not found.breaks and not found.broken


def test_a_stud_stands_on_the_sill_straight_below_it():
    wall = framed_wall()
    found = way(wall, "Stud_03")
    assert links(wall, found.sound) == [("Stud_03", "Sill"), ("Sill", "ground")]
    at = wall.center[wall.names.index("Stud_03"), 0]
    assert all(step.end[0] == pytest.approx(at) for step in found.sound)


def test_a_cripple_goes_over_the_header_to_both_trimmers():
    wall = framed_wall((1.5, 2.7, None))
    found = way(wall, "Cripple_0_Over_0")
    names = links(wall, found.sound)
    assert names[0] == ("Cripple_0_Over_0", "Header_0")
    assert {into for name, into in names if name == "Header_0"} == {
        "TrimmerStud_0L",
        "TrimmerStud_0R",
    }


@pytest.mark.parametrize("pitch", [4 / 12, 1.0])
def test_a_rafter_of_a_couple_gives_all_to_its_foot(pitch):
    """The ridge is held by the rafters: it has nothing to hold them up with."""
    house = gables.gable(pitch)
    found = way(house, "Rafter_S_03")
    names = links(house, found.sound)
    assert names[0] == ("Rafter_S_03", "TopPlate_S_1")
    assert not any(into == "Ridge_01" for _, into in names)
    ridge = links(house, way(house, "Ridge_01").sound)
    assert ("Ridge_01", "Rafter_S_03") in ridge and ("Ridge_01", "Rafter_N_03") in ridge


@pytest.mark.parametrize("members", [300, 900])
def test_every_load_of_what_stands_reaches_the_ground(members):
    house = timber_samples.gable_house(members)
    traced = reactions(house)
    standing = np.flatnonzero(traced.path.supported)
    assert len(standing) > 0.95 * members
    for member in standing[::7].tolist():
        found = traced.way(member)
        check_chain(house, found, member)
        grounds = [step for step in found.sound if step.into == INTO_GROUND]
        assert grounds and not found.breaks
        assert [step.end[2] for step in grounds] == pytest.approx([0.0] * len(grounds))


def test_the_way_ends_at_the_member_that_stands_on_nothing():
    house = gables.gable(6 / 12)
    house = moved(house, "Sill_S", (0, 0, 0.5))  # it floats among the joists: nothing below
    broken = without(house, "Sill_S")
    traced = reactions(broken)
    rafter = broken.names.index("Rafter_S_03")
    found = traced.way(rafter)
    assert not traced.path.supported[rafter]
    (lost,) = found.breaks
    assert broken.names[lost.member].startswith(("Joist", "RimJoist_S"))
    assert found.broken[0].member == rafter and found.broken[-1].member == lost.member
    assert found.broken[0].start == pytest.approx(broken.center[rafter])
    for step, following in zip(found.broken, found.broken[1:], strict=False):
        assert step.into == following.member and step.end == pytest.approx(following.start)
    assert found.broken[-1].end == pytest.approx(lost.spot)
    assert lost.spot[2] == pytest.approx(T), "on the underside of joists and rims"
    assert lost.below[2] == 0.0 and lost.below[:2] == pytest.approx(lost.spot[:2])


def test_a_joist_with_one_end_in_the_air_still_gives_half_to_the_other():
    floor = without(framed_floor(count=5), "Sill_N|RimJoist_N")
    found = way(floor, "Joist_02")
    assert ("Joist_02", "Sill_S") in links(floor, found.sound)
    assert ("Sill_S", "ground") in links(floor, found.sound)
    (lost,) = found.breaks
    assert lost.spot == pytest.approx([2 * 0.406 + T / 2, 3.102, T], abs=1e-3)


def test_what_lies_on_the_way_is_the_nearest_thing_below():
    frame = gables.Frame()
    frame.box("Footing", (-0.3, -0.3, -0.1), (0.3, 0.3, 0.1))
    frame.box("Post", (-0.05, -0.05, 0.4), (0.05, 0.05, 2.4))
    (lost,) = way(frame.structure(), "Post").breaks
    assert lost.spot == pytest.approx([0, 0, 0.4]) and lost.below == pytest.approx([0, 0, 0.1])


def test_judging_hands_its_workings_on():
    house = timber_samples.gable_house(200)
    judgement = judge(house)
    again = Workings.of(house, TimberBrief())
    assert (judgement.workings.path.supported == again.path.supported).all()
    assert judge(house, TimberBrief(not_applicable={"load_path": "no"})).workings is None


def test_copies_are_left_out_of_the_workings():
    wall = framed_wall()
    doubled = wall.subset([*range(len(wall)), wall.names.index("Stud_03")])
    names = (*wall.names, "Stud_03.001")
    doubled = type(wall)(names, doubled.explicit_roles, doubled.center, doubled.axes, doubled.half)
    assert "Stud_03.001" not in Workings.of(doubled, TimberBrief()).joints.frame.names
    assert len(Workings.of(doubled, TimberBrief()).joints.frame) == len(wall)
