# SPDX-License-Identifier: GPL-3.0-or-later
"""Doors that can be passed, and blocks that share a face."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from plain_voxel import shut_doors
from voxel_samples import ask, room

DOORS, BESIDE = "shape.are_doors_passable", "shape.are_adjacent"

SMALL = st.dictionaries(
    st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)),
    st.sampled_from(["stone", "oak_door"]),
    min_size=1,
    max_size=50,
).map(lambda cells: [(*cell, material) for cell, material in cells.items()])


def test_a_door_in_a_wall_is_passable():
    check = ask(room(), DOORS)
    assert check.score == 1 and check.figures["doors"] == 1


def test_furniture_behind_a_door_shuts_it():
    shut = [*room(), (3, 1, 1, "bookshelf")]  # at the height of the door's upper half
    check = ask(shut, DOORS)
    finding = check.findings[0]
    assert check.score == 0 and finding.subject == "block (3, 0, 0)" and finding.measured == 3
    assert finding.detail["blocks"][0] == [3, 0, 0]
    assert sorted(finding.detail["blocks"][1:]) == [[2, 1, 0], [3, 1, 1], [4, 1, 0]]


def test_the_other_half_of_a_double_door_is_no_hindrance():
    made = [b for b in room() if b[:3] not in ((4, 0, 0), (4, 1, 0))] + [(4, 0, 0, "oak_door")]
    assert ask([*made, (3, 0, 1, "stone")], DOORS).score == 1


def test_no_door_is_no_fault():
    check = ask(room(door=False), DOORS)
    assert (check.status, check.score, check.required) == ("vacuous", 1, False)


def test_upstairs_the_code_looks_at_the_first_door_of_a_column_alone():
    upstairs = [(3, 4, 0, "oak_door"), (2, 4, 0, "stone"), (4, 4, 0, "stone"), (3, 4, 1, "stone")]
    made = [*room(), *upstairs]
    assert ask(made, DOORS, "code").score == 1
    paper = ask(made, DOORS, "paper")
    assert paper.score == 0 and paper.findings[0].subject == "block (3, 4, 0)"


@settings(max_examples=50, deadline=None)
@given(SMALL)
def test_as_with_plain_loops(blocks):
    for profile in ("paper", "code"):
        check = ask(blocks, DOORS, profile)
        mine = {tuple(f.detail["blocks"][0]) for f in check.findings}
        assert mine == shut_doors(blocks, profile == "paper")


def test_faces_are_shared_in_all_six_directions():
    for step in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)):
        made = [(0, 0, 0, "Oak_Door"), (*step, "sea_lantern")]
        assert ask(made, BESIDE, materials=["door", "sea_lantern"]).score == 1
    assert ask(made, BESIDE, materials=["door", "sea_lantern"], substring_match=False).score == 0


def test_the_nearest_two_are_named():
    made = [(0, 0, 0, "oak_door"), (1, 0, 1, "sea_lantern"), (5, 0, 0, "sea_lantern")]
    check = ask(made, BESIDE, materials=["door", "sea_lantern"])
    assert check.score == 0
    assert check.findings[0].detail["blocks"] == [[0, 0, 0], [1, 0, 1]]
    missing = ask(made[:1], BESIDE, materials=["door", "sea_lantern"])
    assert "no block of 'sea_lantern' to be beside a 'door'" in missing.findings[0].message
