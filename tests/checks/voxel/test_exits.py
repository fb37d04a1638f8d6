# SPDX-License-Identifier: GPL-3.0-or-later
"""Ways out of houses: level, upright and wide; and plain searches beside them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_voxel import gets_out, single_level
from voxel_samples import ask, box, room, structure

LEVEL, EXIT, WIDE = "shape.is_single_level", "shape.has_exit", "shape.has_wide_exit"

MATERIALS = st.sampled_from(["stone", "stone", "stone", "oak_door", "red_bed"])
SMALL = st.dictionaries(
    st.tuples(st.integers(0, 5), st.integers(-2, 2), st.integers(0, 4)),
    MATERIALS,
    min_size=1,
    max_size=90,
).map(lambda cells: [(*cell, material) for cell, material in cells.items()])


def with_bed(made, x=3, y=0, z=3):
    return [*made, (x, y, z, "red_bed")]


def test_a_door_leads_out_on_the_level():
    assert ask(with_bed(room()), LEVEL, start_material="bed").score == 1


def test_a_house_without_a_door_keeps_its_bed_in():
    check = ask(with_bed(room(door=False)), LEVEL, start_material="bed")
    assert check.score == 0 and check.findings[0].subject == "block (3, 0, 3)"
    assert len(check.findings[0].detail["air"]) == 25


def test_the_floor_must_be_level_with_the_outside():
    check = ask(with_bed(room(floor=0), y=1), LEVEL, start_material="bed")
    assert check.score == 0 and "y = 0" in check.findings[0].message
    assert all(b[1] == 0 for b in check.findings[0].detail["blocks"])


def test_a_bed_upstairs_is_off_level():
    made = [*with_bed(room(high=4)), *box((1, 5), (2, 2), (4, 5)), (4, 3, 4, "red_bed")]
    check = ask(made, LEVEL, start_material="bed")
    assert [f.subject for f in check.findings] == ["block (4, 3, 4)"]
    assert (check.findings[0].measured, check.findings[0].limit) == (3, 0)


def test_a_kerb_before_the_door_is_stepped_on_and_a_wall_is_not():
    kerb = [*with_bed(room()), (3, -1, -1, "stone"), (3, 0, -1, "stone")]
    assert ask(kerb, LEVEL, start_material="bed").score == 1  # onto one block
    wall = [*kerb, (3, 1, -1, "stone")]
    assert ask(wall, LEVEL, start_material="bed").score == 0


def test_no_room_over_the_bed():
    low = [*with_bed(room()), (3, 1, 3, "stone")]
    check = ask(low, LEVEL, start_material="bed")
    assert check.score == 0 and "no room for the head" in check.findings[0].message


def test_no_bed_is_no_fault():
    check = ask(room(), LEVEL, start_material="bed")
    assert (check.status, check.score, check.required) == ("vacuous", 1, False)


def test_one_cell_is_wide_enough_for_two_by_one_and_not_for_two_by_two():
    made = with_bed(room())
    for profile in ("paper", "code"):
        assert ask(made, EXIT, profile).score == 1
        check = ask(made, WIDE, profile)
        assert check.score == 0 and check.figures["body"] == "2 x 2 x 2"
        assert {tuple(c[::2]) for c in check.findings[0].detail["air"]} <= {
            (x, z) for x in range(1, 6) for z in range(1, 6)
        }
    double = [b for b in made if b[:3] not in ((4, 0, 0), (4, 1, 0))] + [(4, 0, 0, "oak_door")]
    assert ask(double, WIDE).score == 1
    assert ask(double, WIDE, width=3).score == 0
    assert "1 door is too narrow" in check.findings[0].message
    sides = [[2, 0, 0], [2, 1, 0], [4, 0, 0], [4, 1, 0]]
    assert check.findings[0].detail["blocks"][0] == [3, 0, 0]
    assert all(side in check.findings[0].detail["blocks"] for side in sides)


def test_a_body_too_tall_stays_in():
    assert ask(with_bed(room()), EXIT, height=2).score == 1
    assert ask(with_bed(room()), EXIT, height=3).score == 0


def test_no_room_at_the_start():
    check = ask(box((0, 6), (0, 6), (0, 6)), EXIT)
    assert check.score == 0 and "no room at (3, 3, 3)" in check.findings[0].message
    assert [3, 3, 3] in check.findings[0].detail["blocks"]


def test_an_exit_begins_in_the_middle_of_the_box_a_level_way_in_that_of_the_blocks():
    """A mast far off moves the box's middle out of the house, and not that of the blocks."""
    mast = [*room(door=False), *box((30, 30), (-1, 3), (3, 3))]
    for profile in ("paper", "code"):
        assert ask(mast, EXIT, profile).score == 1
    slab = [*box((0, 6), (-1, -1), (0, 6)), *box((20, 20), (-1, 1), (3, 3))]
    assert ask(slab, LEVEL, "code").findings[0].subject == "block (10, 0, 3)"
    assert ask(slab, LEVEL, "paper").findings[0].subject == "block (4, -1, 3)"


@settings(max_examples=50, deadline=None)
@given(SMALL, st.integers(1, 3), st.integers(1, 2), st.integers(1, 3))
def test_getting_out_as_in_a_plain_search(blocks, width, depth, height):
    made = structure(blocks)
    start = tuple(((made.low + made.high) // 2).tolist())
    mine = ask(made, EXIT, "code", width=width, depth=depth, height=height)
    assert (mine.score == 1) == gets_out(blocks, start, width, depth, height)


@settings(max_examples=60, deadline=None)
@given(SMALL, st.sampled_from(["bed", "door", "stone"]))
def test_the_level_way_as_in_a_plain_search(blocks, material):
    mine = ask(blocks, LEVEL, start_material=material)
    assert (mine.score == 1) == single_level(blocks, material)


@pytest.mark.parametrize("fn", [EXIT, WIDE])
def test_a_city_is_refused_in_words(fn):
    made = [(0, 0, 0, "stone"), (90_000, 0, 90_000, "stone")]
    check = ask(made, fn, "code")
    assert check.status == "not_run" and "remove blocks that stand far away" in check.reason
