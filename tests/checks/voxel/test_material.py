# SPDX-License-Identifier: GPL-3.0-or-later
"""One material for all, counts and shares of regions, with the blocks at fault."""

from __future__ import annotations

import pytest
from voxel_samples import ask, box, piles, room

HOUSE = room(wide=5, deep=4)


def blocks(check):
    return [tuple(b) for f in check.findings for b in f.detail["blocks"]]


def test_uniform_and_not():
    slab = box((0, 6), (0, 0), (0, 6))
    assert ask(slab, "material.is_all_material_equal_to", expected_material="stone").score == 1
    mixed = [*slab, (3, 1, 3, "dirt"), (4, 1, 3, "cobblestone")]
    check = ask(mixed, "material.is_all_material_equal_to", expected_material="stone")
    assert check.status == "failed" and check.score == 0
    assert blocks(check) == [(3, 1, 3), (4, 1, 3)]
    assert check.findings[0].subject == "block (3, 1, 3)"
    assert check.findings[0].location == (3.0, -3.0, 1.0)
    assert "1 dirt, 1 cobblestone" in check.findings[0].message
    check = ask(
        mixed,
        "material.is_all_material_equal_to",
        expected_material="stone",
        use_substring_match=True,
    )
    assert blocks(check) == [(3, 1, 3)]  # "stone" is contained in "cobblestone"


@pytest.mark.parametrize("n", [4, 5, 6])
@pytest.mark.parametrize("thick", [1, 2])
def test_the_count_of_a_deep_foundation(n, thick):
    """a*b*t + 5n, as in the task list."""
    made = piles(7, 9, thick, n)
    count = 7 * 9 * thick + 5 * n
    assert ask(made, "material.is_block_cnt_equal_to", expected_count=count).score == 1
    few = ask(made[1:], "material.is_block_cnt_equal_to", expected_count=count)
    assert few.score == 0 and few.findings[0].measured == count - 1
    assert few.findings[0].subject_kind == "place" and not blocks(few)


@pytest.mark.parametrize(
    ("fn", "name", "passing", "failing"),
    [
        ("is_block_cnt_equal_to", "expected_count", [5], [4, 6, 0]),
        ("is_block_cnt_larger_than", "cnt", [4, 0, -1], [5, 6]),
        ("is_block_cnt_geq", "min_count", [5, 4], [6]),
        ("is_block_cnt_leq", "max_count", [5, 9], [4, 0]),
    ],
)
def test_counts_on_both_sides_of_the_limit(fn, name, passing, failing):
    made = [*box((0, 4), (0, 0), (0, 0), "oak_door"), (9, 0, 0, "stone"), (9, 1, 0, "stone")]
    only = {"expected_material": "door", "use_substring_match": True}
    for limit in passing:
        assert ask(made, f"material.{fn}", **{name: limit}, **only).status == "passed"
    for limit in failing:
        check = ask(made, f"material.{fn}", **{name: limit}, **only)
        assert check.status == "failed" and check.findings[0].measured == 5
    assert ask(made, f"material.{fn}", **{name: passing[0]}, expected_material="door").score == (
        fn == "is_block_cnt_leq"
    )  # an exact match finds none


def test_what_came_after_the_limit_was_reached_is_too_much():
    made = box((0, 4), (0, 0), (0, 0))
    check = ask(made, "material.is_block_cnt_leq", max_count=3)
    assert blocks(check) == [(3, 0, 0), (4, 0, 0)]
    assert check.findings[0].margin == -2


def test_corners_are_what_attains_a_diagonal():
    made = [b for b in HOUSE if b[1] != 2] + [
        (x, y, z, "stone" if (x in (0, 6) and z in (0, 5)) else m) for x, y, z, m in HOUSE if y == 2
    ]
    ask_corner = "material.is_corner_material_equal_to"
    check = ask(made, ask_corner, expected_material="stone")
    assert check.score == 1 and check.figures["blocks"] == 4
    check = ask(HOUSE, ask_corner, expected_material="stone")
    assert sorted(blocks(check)) == [(0, 2, 0), (0, 2, 5), (6, 2, 0), (6, 2, 5)]
    # A cut corner has two: each of them attains the diagonal.
    cut = [b for b in made if b[:3] != (0, 2, 0)]
    check = ask(cut, ask_corner, expected_material="stone")
    assert check.figures["blocks"] == 5 and check.figures["share"] == 0.6


def test_half_of_a_wall_is_enough():
    wall = [(0, 2, z, "dirt" if z < 2 else "stone") for z in range(4)] + box((5, 5), (2, 2), (0, 3))
    west = "material.is_min_x_material_equal_to"
    assert ask(wall, west, expected_material="dirt").figures["share"] == 0.5
    assert ask(wall, west, expected_material="dirt").status == "passed"
    check = ask(wall, west, expected_material="dirt", ratio_threshold=0.75)
    assert blocks(check) == [(0, 2, 2), (0, 2, 3)]
    assert (check.findings[0].measured, check.findings[0].limit) == (0.5, 0.75)
    assert ask(wall, west, expected_material="dirt", height_y=1).status == "failed"  # none there


def test_each_wall_is_its_own():
    sides = {(0, 1): "a", (2, 1): "b", (1, 0): "c", (1, 2): "d"}
    ring = [(x, 2, z, m) for (x, z), m in sides.items()]
    found = {
        side: next(
            m
            for m in "abcd"
            if ask(ring, f"material.is_{side}_material_equal_to", expected_material=m).score
        )
        for side in ("min_x", "max_x", "min_z", "max_z")
    }
    assert found == {"min_x": "a", "max_x": "b", "min_z": "c", "max_z": "d"}


def test_the_top_layer():
    top = "material.is_highest_block_material_equal_to"
    assert ask(HOUSE, top, expected_material="red", use_substring_match=True).score == 1
    assert ask(HOUSE, top, expected_material="red").score == 0
    check = ask([*HOUSE, (3, 9, 3, "torch")], top, expected_material="red_wool")
    assert blocks(check) == [(3, 9, 3)]


@pytest.mark.parametrize(
    ("fn", "args"),
    [
        ("material.is_all_material_equal_to", {"expected_material": "b" * 10**6}),
        ("material.is_all_material_equal_to", {"expected_material": "stone"}),
        ("dependency.material_sequence_order", {"material_sequence": ["b" * 10**6]}),
    ],
)
def test_names_without_end_are_cut(fn, args):
    check = ask([(0, 0, 0, "a" * 10**6), (1, 0, 0, "stone")], fn, **args)
    assert check.status == "failed"
    assert all(len(f.message) < 2100 and len(f.subject) < 210 for f in check.findings)
