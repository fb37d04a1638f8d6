# SPDX-License-Identifier: GPL-3.0-or-later
"""Floating blocks, the length of the way, and what is built before what."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_voxel import floating, in_order
from plumbline.checks.voxel.graph import components
from voxel_samples import arch, ask, box, lawnmower, row_by_row, structure

GROUND = "physical_plausibility.is_ground_connected"
WAY, ORDER = "efficiency.l1_dist", "dependency.material_sequence_order"

SMALL = st.dictionaries(
    st.tuples(st.integers(0, 4), st.integers(-1, 4), st.integers(0, 3)),
    st.sampled_from(["stone", "cobblestone", "oak_planks", "red_wool"]),
    min_size=1,
    max_size=40,
).map(lambda cells: [(*cell, material) for cell, material in cells.items()])


def test_each_floating_piece_is_named_the_largest_first():
    loose = [*arch(), (4, 6, 0, "glass"), (20, 3, 0, "stone"), (20, 4, 0, "stone")]
    check = ask(loose, GROUND)
    assert check.score == 0 and check.figures["floating"] == 3
    assert [f.measured for f in check.findings] == [2, 1]
    assert check.findings[0].detail["blocks"] == [[20, 3, 0], [20, 4, 0]]
    assert "1 glass" in check.findings[1].message


def test_across_an_edge_is_not_connected():
    made = [(0, 0, 0, "stone"), (1, 1, 0, "stone")]
    assert ask(made, GROUND).findings[0].subject == "block (1, 1, 0)"


def test_without_ground_all_floats():
    check = ask(box((0, 2), (1, 2), (0, 2)), GROUND)
    assert check.score == 0 and check.figures["floating"] == 18


def test_very_many_pieces_are_told_in_short():
    made = [(2 * i, 3, 0, "stone") for i in range(100)]
    check = ask(made, GROUND)
    assert len(check.findings) == 21
    assert sum(len(f.detail["blocks"]) for f in check.findings) == 100


@settings(max_examples=50, deadline=None)
@given(SMALL)
def test_what_floats_is_what_a_plain_search_leaves(blocks):
    check = ask(blocks, GROUND)
    mine = {tuple(b) for f in check.findings for b in f.detail["blocks"]}
    assert mine == floating(blocks)
    assert (check.score == 1) == (not mine)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 29), st.integers(0, 29)), max_size=40))
def test_components_are_those_of_a_plain_union(pairs):
    plain = list(range(30))
    for a, b in pairs:
        old, new = plain[a], plain[b]
        plain = [new if p == old else p for p in plain]
    mine = components(30, np.array(pairs, dtype=np.int64).reshape(-1, 2)).tolist()
    assert [[a == b for b in mine] for a in mine] == [[a == b for b in plain] for a in plain]


def test_a_long_snake_hangs_together():
    n = 3000
    snake = [(i, 0 if i == 0 else 1, 0, "stone") for i in range(n)] + [(0, 1, 0, "stone")]
    assert ask(snake, GROUND).score == 1


@pytest.mark.parametrize(("a", "b"), [(7, 7), (7, 10), (10, 10)])
def test_to_and_fro_is_the_shortest_way(a, b):
    assert ask(lawnmower(a, b), WAY).score == 1
    rows = ask(row_by_row(a, b), WAY)
    # Between rows the way leads back b - 1 cells and one over.
    assert rows.score == pytest.approx((a * b - 1) / (a * (b - 1) + (a - 1) * b))
    assert rows.status == "passed" and not rows.findings  # a score, without a limit
    assert rows.figures["moves"][0] == {"from": [0, 0, b - 1], "to": [1, 0, 0], "length": b}


def test_one_block_is_no_way():
    assert ask([(0, 0, 0, "stone")], WAY).score == 1


ORDERED = [(0, 0, 0, "stone"), (0, 1, 0, "oak_planks"), (1, 0, 0, "stone")]


def test_the_materials_are_begun_in_turn():
    assert ask(ORDERED, ORDER, material_sequence=["stone", "oak_planks"]).score == 1
    assert ask(ORDERED, ORDER, material_sequence=["stone", "oak", "stone"]).score == 1


def test_the_first_block_out_of_order_is_named():
    early = [*box((0, 2), (2, 2), (0, 0), "oak_planks"), *box((0, 2), (0, 1), (0, 0), "stone")]
    check = ask(early, ORDER, material_sequence=["stone", "oak_planks"])
    finding = check.findings[0]
    assert check.score == 0 and finding.subject == "block (0, 2, 0)"
    assert finding.detail["blocks"] == [[0, 2, 0], [1, 2, 0], [2, 2, 0]]
    assert finding.related == ("block (0, 0, 0)",)
    assert (finding.measured, finding.limit) == (1, 4)


def test_a_material_that_never_comes_is_a_place():
    check = ask(ORDERED, ORDER, material_sequence=["stone", "glass"])
    assert check.findings[0].subject_kind == "place" and "'glass'" in check.findings[0].message
    twice = ask(ORDERED[:1], ORDER, material_sequence=["stone", "stone"])
    assert "no further block" in twice.findings[0].message


def test_no_order_is_no_fault():
    check = ask(ORDERED, ORDER, material_sequence=[])
    assert (check.status, check.score, check.required) == ("vacuous", 1, False)


def test_names_are_contained_unless_they_must_be_whole():
    made = [(0, 0, 0, "cobblestone"), (1, 0, 0, "redstone_block")]
    assert ask(made, ORDER, material_sequence=["stone", "red"]).score == 1
    whole = ask(made, ORDER, material_sequence=["stone", "red"], use_substring_match=False)
    assert whole.score == 0


@settings(max_examples=50, deadline=None)
@given(SMALL, st.lists(st.sampled_from(["stone", "oak", "red", "cobble"]), min_size=1, max_size=5))
def test_as_the_published_pointer_scans(blocks, sequence):
    check = ask(blocks, ORDER, material_sequence=sequence)
    got = in_order(blocks, sequence)
    assert (check.score == 1) == (got == len(sequence))
    if got < len(sequence):
        assert len(check.figures["first"]) == got and check.figures["missing"] == sequence[got]


@pytest.mark.parametrize(("fn", "args"), [(WAY, {}), (ORDER, {"material_sequence": ["stone"]})])
def test_without_an_order_planning_is_not_judged(fn, args):
    check = ask(structure(ORDERED, ordered=False), fn, **args)
    assert check.status == "not_run" and check.score is None
    assert "order of their placement" in check.reason
