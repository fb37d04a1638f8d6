# SPDX-License-Identifier: GPL-3.0-or-later
"""The box round all blocks, and its lowest and highest level."""

from __future__ import annotations

import pytest
from voxel_samples import ask, box


def test_either_way_round():
    made = box((0, 6), (0, 1), (0, 9))
    for xz in ([7, 10], [10, 7]):
        assert ask(made, "size.is_equal", xz=xz, y=2).score == 1
        assert ask(made, "size.is_equal", xz=xz).score == 1  # any height
    check = ask(made, "size.is_equal", xz=[7, 9], y=3)
    assert [(f.subject, f.measured, f.limit) for f in check.findings] == [
        ("extent along z", 10, 9),
        ("extent along y", 2, 3),
    ]
    assert {b[2] for b in check.findings[0].detail["blocks"]} == {9}
    assert check.findings[1].detail["blocks"] == []


def test_the_longer_side_is_held_against_the_longer_one():
    made = box((0, 19), (0, 0), (0, 9))
    assert ask(made, "size.is_leq", xz=[10, 20]).score == 1
    assert ask(made, "size.is_leq", xz=[19, 19]).score == 0
    assert ask(made, "size.is_leq", xz=[20, 20], y=1).score == 1
    check = ask([*made, (0, 1, 0, "stone")], "size.is_leq", xz=[20, 20], y=1)
    assert check.findings[0].detail["blocks"] == [[0, 1, 0]]


@pytest.mark.parametrize(
    ("fn", "name", "passing", "failing"),
    [
        ("min_y_is_equal", "expected_y", [-5], [-6, -4]),
        ("min_y_is_leq", "max_y", [-5, -4], [-6]),
        ("max_y_is_geq", "min_y", [3, 2], [4]),
    ],
)
def test_levels(fn, name, passing, failing):
    made = box((0, 1), (-5, 3), (0, 1))
    for y in passing:
        assert ask(made, f"size.{fn}", **{name: y}).score == 1
    for y in failing:
        check = ask(made, f"size.{fn}", **{name: y})
        level = 3 if fn == "max_y_is_geq" else -5
        assert check.score == 0 and check.findings[0].measured == level
        assert all(b[1] == level for b in check.findings[0].detail["blocks"])


@pytest.mark.parametrize(("planks", "side"), [(56, 4), (98, 5), (152, 6), (218, 7)])
def test_the_largest_hollow_cube_of_so_many_planks(planks, side):
    last = side - 1
    shell = [b for b in box((0, last), (0, last), (0, last), "oak_planks") if {0, last} & {*b[:3]}]
    assert len(shell) == planks
    assert ask(shell, "size.all_dimensions_geq", min_size=side).score == 1
    assert ask(shell, "shape.has_rooms", room_cnt=1).score == 1
    assert (
        ask(
            shell,
            "material.is_block_cnt_leq",
            max_count=planks,
            expected_material="oak",
            use_substring_match=True,
        ).score
        == 1
    )
    check = ask([b for b in shell if b[1] < last], "size.all_dimensions_geq", min_size=side)
    assert [f.subject for f in check.findings] == ["extent along y"]
