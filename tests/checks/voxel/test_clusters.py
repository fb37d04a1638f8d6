# SPDX-License-Identifier: GPL-3.0-or-later
"""Clusters at one height: their number, the gaps between them, their radius and diameter."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_voxel import clusters, least_span
from plumbline.checks.voxel import clusters as clusters_module
from plumbline.checks.voxel.clusters import clusters_at, diameter
from voxel_samples import arch, ask, box, dome, flat_bridge, piles, structure

COUNT, SPAN = "shape.cluster_count_at_y_is", "shape.clusters_at_y_have_min_span"
RADIUS, DIAMETER = "shape.cluster_at_y_has_min_radius", "shape.cluster_at_y_has_min_diameter"

PLANE = st.sets(st.tuples(st.integers(-5, 5), st.integers(-4, 6)), min_size=1, max_size=50)


@pytest.mark.parametrize("count", [4, 5, 6])
@pytest.mark.parametrize("thick", [1, 2])
def test_piles_stand_apart_under_their_cap(count, thick):
    made, tip = piles(9, 9, thick, count), -4 - thick
    assert ask(made, COUNT, y=tip, expected_count=count).score == 1
    assert ask(made, COUNT, y=0, expected_count=1).score == 1
    assert ask(made, SPAN, y=tip, min_span=1).score == 1
    assert ask(made, "size.min_y_is_equal", expected_y=tip).score == 1


def test_blocks_across_a_corner_are_two_unless_asked():
    made = [(0, 0, 0, "a"), (1, 0, 1, "a")]
    assert ask(made, COUNT, y=0, expected_count=2).score == 1
    assert ask(made, COUNT, y=0, expected_count=1, use_8_neighbors=True).score == 1


def test_the_smallest_are_the_surplus():
    made = [*box((0, 1), (0, 0), (0, 1)), *box((5, 6), (0, 0), (0, 1)), (9, 0, 0, "stone")]
    check = ask(made, COUNT, y=0, expected_count=2)
    assert check.figures["clusters"] == 3 and check.findings[0].detail["blocks"] == [[9, 0, 0]]
    few = ask(made, COUNT, y=0, expected_count=4)
    assert few.findings[0].measured == 3 and len(few.findings[0].detail["clusters"]) == 3
    assert ask(made, COUNT, y=7, expected_count=0).score == 1
    assert ask(made, COUNT, y=7, expected_count=1).findings[0].location is None


def test_the_span_of_a_bridge_is_from_centre_to_centre():
    """Over 5 free cells the piers' nearest centres are 6 apart."""
    assert ask(flat_bridge(5), SPAN, y=0, min_span=6).score == 1
    check = ask(flat_bridge(5), SPAN, y=0, min_span=6.01)
    assert check.score == 0 and check.figures["span"] == 6
    finding = check.findings[0]
    assert (finding.measured, finding.limit) == (6, 6.01)
    assert sorted(b[0] for b in finding.detail["blocks"]) == [1, 7]


@pytest.mark.parametrize("made", [box((0, 3), (0, 0), (0, 3)), [(0, 5, 0, "stone")]])
def test_fewer_than_two_clusters_fail_the_paper_and_pass_the_code(made):
    paper, code = (ask(made, SPAN, profile, y=0, min_span=3) for profile in ("paper", "code"))
    assert (paper.status, paper.score) == ("failed", 0)
    assert (code.status, code.score, code.required) == ("vacuous", 1, False)


def test_every_pair_too_near_is_named():
    made = [(0, 0, 0, "a"), (3, 0, 0, "a"), (0, 0, 4, "a"), (20, 0, 20, "a")]
    check = ask(made, SPAN, y=0, min_span=5)
    assert [f.measured for f in check.findings] == [3, 4]  # the third pair is 5 apart
    crowd = [(2 * i, 0, 0, "a") for i in range(40)]
    check = ask(crowd, SPAN, y=0, min_span=3)
    assert len(check.findings) == 21 and "19 more" in check.findings[-1].message


@settings(max_examples=50, deadline=None)
@given(PLANE, st.booleans(), st.floats(0.5, 8))
def test_as_with_plain_loops(cells, eight, least):
    blocks = [(x, 2, z, "a") for x, z in sorted(cells)] + [(0, 3, 0, "a")]
    plain = clusters(blocks, 2, eight)
    made = structure(blocks)
    rows, label = clusters_at(made, 2, eight)
    mine = [
        set(map(tuple, made.positions[rows[label == i]][:, [0, 2]].tolist())) for i in set(label)
    ]
    assert sorted(map(sorted, mine)) == sorted(map(sorted, plain))
    check = ask(made, SPAN, y=2, min_span=least, use_8_neighbors=eight)
    if len(plain) < 2:
        assert check.score == 0
    else:
        span = least_span(plain)
        assert check.figures["span"] == pytest.approx(span)
        assert (check.score == 1) == (span >= least)


def test_very_many_cells_are_looked_at_step_by_step_with_the_same_pairs(monkeypatch):
    rng = np.random.default_rng(7)
    made = structure([(int(x), 0, int(z), "a") for x, z in rng.integers(0, 60, (300, 2))])
    brute = {least: ask(made, SPAN, y=0, min_span=least) for least in (1, 2.5, 4)}
    monkeypatch.setattr(clusters_module, "_MANY", 0)
    for least, check in brute.items():
        steps = ask(made, SPAN, y=0, min_span=least)
        assert steps.findings == check.findings and steps.score == check.score
        assert steps.figures.get("pairs") == check.figures.get("pairs")
    assert brute[4].figures["pairs"] > 20 and brute[1].score == 1


@settings(max_examples=40, deadline=None)
@given(PLANE)
def test_the_diameter_is_that_of_all_pairs(cells):
    value, pair = diameter(np.array(sorted(cells), dtype=float))
    assert value == pytest.approx(max(math.dist(a, b) for a in cells for b in cells))
    a, b = np.array(sorted(cells))[pair]
    assert math.dist(a, b) == pytest.approx(value)


def test_a_disc_five_wide_is_four_along_an_axis():
    plus = [(x, 0, 2, "a") for x in range(5)] + [(2, 0, z, "a") for z in (0, 1, 3, 4)]
    assert ask(plus, DIAMETER, y=0, min_diameter=4).score == 1
    check = ask(plus, DIAMETER, y=0, min_diameter=5)
    assert check.score == 0 and check.findings[0].measured == 4
    square = box((0, 4), (0, 0), (0, 4))  # reaches 5.66 on the diagonal
    assert ask(square, DIAMETER, y=0, min_diameter=5).score == 1
    assert ask(square, RADIUS, y=0, min_radius=2.5).score == 1
    assert ask(plus, RADIUS, y=0, min_radius=2.0).score == 1
    assert ask(plus, RADIUS, y=0, min_radius=2.5).findings[0].measured == 2


@pytest.mark.parametrize("size", [6, 8, 10])
def test_a_dome_one_wider_than_asked_has_its_radius(size):
    made = dome(size + 1)
    assert ask(made, COUNT, y=0, expected_count=1).score == 1
    assert ask(made, RADIUS, y=0, min_radius=size / 2).score == 1
    assert ask(made, DIAMETER, y=0, min_diameter=size).score == 1


def test_the_radius_is_that_of_one_cluster():
    for fn, limit in ((RADIUS, "min_radius"), (DIAMETER, "min_diameter")):
        check = ask(arch(), fn, y=0, **{limit: 1})
        assert check.score == 0 and check.findings[0].measured == 2  # two abutments
        lone = ask([(0, 0, 0, "a")], fn, y=0, **{limit: 0})
        assert lone.score == 1
