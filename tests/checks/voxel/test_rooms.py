# SPDX-License-Identifier: GPL-3.0-or-later
"""Rooms by the flood from outside, and the corner that lets it in."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_voxel import SIDES, pieces, rooms
from plumbline.checks.voxel.graph import enclosed
from voxel_samples import ask, box, room, rooms_in_a_row, structure

ROOMS = "shape.has_rooms"
CELLS = st.sets(st.tuples(st.integers(-4, 4), st.integers(-3, 5)), max_size=60)


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
def test_rooms_in_a_row(count):
    made = rooms_in_a_row(count)
    for asked in range(1, count + 1):
        assert ask(made, ROOMS, room_cnt=asked, y=1).score == 1
    more = ask(made, ROOMS, room_cnt=count + 1, y=1)
    assert more.score == 0 and more.figures["rooms"] == count
    assert sorted(len(cells) for cells in more.findings[0].detail["rooms"]) == [25] * count


def test_the_level_is_the_profile_s_where_the_task_names_none():
    low = room(high=2)  # walls at y = 0 and 1, the roof at y = 2
    assert ask(low, ROOMS, room_cnt=1).figures["y"] == 1
    assert ask(low, ROOMS, "paper", room_cnt=1).score == 1
    code = ask(low, ROOMS, "code", room_cnt=1)
    assert (code.figures["y"], code.score) == (2, 0)
    assert ask(low, ROOMS, "paper", room_cnt=1, y=2).score == 0


def test_a_door_closes_the_cell_above_it_too():
    made = room(floor=0)  # door block at y = 1, its upper half at y = 2 is nowhere recorded
    assert ask(made, ROOMS, room_cnt=1, y=1).score == 1
    assert ask(made, ROOMS, room_cnt=1, y=2).score == 1
    doorless = [b for b in made if "door" not in b[3]]
    assert ask(doorless, ROOMS, room_cnt=1, y=2).score == 0


def test_a_gap_across_a_corner_leaks_and_is_named():
    made = [b for b in room() if (b[0], b[2]) != (0, 0)]
    check = ask(made, ROOMS, room_cnt=1, y=1)
    assert check.score == 0 and check.figures["rooms"] == 0
    leak = check.findings[1]
    assert leak.detail["blocks"] in ([[0, 1, 1], [1, 1, 0]], [[1, 1, 0], [0, 1, 1]])
    assert "fill (0, 1, 0)" in leak.message
    assert len(leak.detail["air"]) == 25 and leak.location == (0.0, 0.0, 1.0)


def test_a_hole_in_the_wall_is_no_corner():
    made = [b for b in room(door=False) if b[:3] != (0, 1, 3)]
    check = ask(made, ROOMS, room_cnt=1, y=1)
    assert check.score == 0 and len(check.findings) == 1


def test_two_rooms_that_meet_at_a_corner_are_one():
    made = rooms_in_a_row(2, door=False)
    made = [b for b in made if not (b[1] == 1 and b[0] == 6 and 0 < b[2] < 6)]
    wall = [(6, 1, z, "stone") for z in (1, 2, 3)] + [(7, 1, 4, "stone"), (7, 1, 5, "stone")]
    check = ask(made + wall, ROOMS, room_cnt=2, y=1)
    assert check.figures["rooms"] == 1 and len(check.findings) == 2
    assert "open across the corner" in check.findings[1].message


def test_nothing_at_the_level():
    check = ask(box((0, 4), (0, 0), (0, 4)), ROOMS, room_cnt=1, y=1)
    assert check.score == 0 and "no block at y = 1" in check.findings[0].message


def test_no_room_asked_for_is_no_fault():
    check = ask(box((0, 1), (0, 0), (0, 1)), ROOMS, room_cnt=0)
    assert (check.status, check.score, check.required) == ("vacuous", 1, False)


@settings(max_examples=60, deadline=None)
@given(CELLS)
def test_as_with_a_plain_flood(cells):
    blocks = [(x, 1, z, "stone") for x, z in sorted(cells)]
    plain = rooms(blocks, 1)
    found = enclosed(structure(blocks).positions[:, [0, 2]])
    mine = sorted(sorted(map(tuple, found.cells(i).tolist())) for i in range(found.total))
    assert mine == sorted(sorted(room) for room in plain)


@settings(max_examples=40, deadline=None)
@given(CELLS)
def test_without_corners_it_closes_over_sides(cells):
    found = enclosed(structure([(x, 1, z, "a") for x, z in cells]).positions[:, [0, 2]], False)
    if not cells:
        assert found.total == 0
        return
    lo = [min(c[k] for c in cells) - 1 for k in (0, 1)]
    hi = [max(c[k] for c in cells) + 1 for k in (0, 1)]
    box_ = {(x, z) for x in range(lo[0], hi[0] + 1) for z in range(lo[1], hi[1] + 1)}
    plain = [p for p in pieces(box_ - cells, SIDES) if tuple(lo) not in p]
    assert sum(len(p) for p in plain) == sum(len(found.cells(i)) for i in range(found.total))
    assert len(plain) == found.total


def test_walls_far_apart_are_no_matter():
    """The plane is looked at in runs, so that its area does not count."""
    far = [(0, 1, 0, "stone"), (900_000, 1, 5, "stone"), (0, 1, 90_000, "stone")]
    assert ask([*room(door=False), *far], ROOMS, room_cnt=1, y=1).score == 1
