# SPDX-License-Identifier: GPL-3.0-or-later
"""Openings on the grid, and where long members butt."""

from __future__ import annotations

import itertools
from random import Random

import pytest
from plumbline.tasks.houses.lines import OFFSET, SHORTEST, STOCK, joints
from plumbline.tasks.houses.openings import DOOR, DOUBLE, WINDOW, evenly, place, thinned

GRID, T = 0.406, 0.038


def test_openings_begin_and_end_at_studs_of_the_grid():
    (found,) = place("S", 1, 20, GRID, [(0.3, WINDOW)])
    assert (found.low - T) / GRID == pytest.approx(round((found.low - T) / GRID), abs=1e-4)
    assert found.high / GRID == pytest.approx(round(found.high / GRID), abs=1e-4)
    assert found.high - found.low == pytest.approx(WINDOW.width, abs=GRID / 2)


def test_those_named_first_are_served_first_and_none_overlap():
    found = place("S", 2, 16, GRID, [(0.5, DOUBLE), (0.5, DOOR), *evenly(6, WINDOW)])
    assert found[0].kind == "double door"
    spans = sorted((o.low, o.high) for o in found)
    # King, and king of the next, stand between: three plies at least.
    assert all(b - a >= 3 * T for (_, a), (b, _) in itertools.pairwise(spans))
    assert spans[0][0] > 2 * T and spans[-1][1] < 16 * GRID - T


@pytest.mark.parametrize("bays", range(9, 24))
def test_a_facade_is_symmetrical(bays):
    found = place("S", 1, bays, GRID, [(0.5, DOOR), *evenly(5, WINDOW)])
    length = bays * GRID + T
    spans = {(round(o.low, 3), round(o.high, 3)) for o in found}
    assert {(round(length - b, 3), round(length - a, 3)) for a, b in spans} == spans


def test_what_finds_no_room_is_left_out():
    assert place("W", 1, 3, GRID, [(0.5, DOUBLE)]) == []
    assert len(place("W", 1, 12, GRID, [(0.5, WINDOW)], taken=[(0, 12)])) == 0


def test_a_share_of_what_is_wanted_is_kept_in_order():
    wanted = evenly(10, WINDOW)
    kept = thinned(wanted, 0.4, Random("a"))
    assert len(kept) == 4 and kept == sorted(kept, key=wanted.index)
    assert thinned(wanted, 1.0, Random("a")) == wanted
    assert thinned(wanted, 0.0, Random("a")) == []


def test_lines_butt_at_spots_so_that_no_piece_is_longer_than_stock():
    spots = [i * GRID + T / 2 for i in range(1, 40)]
    at = joints(0.0, 16.0, spots)
    edges = [0.0, *at, 16.0]
    lengths = [b - a for a, b in itertools.pairwise(edges)]
    assert max(lengths) <= STOCK + GRID / 2 and min(lengths) >= SHORTEST
    assert set(at) <= set(spots)


def test_joints_of_the_upper_plate_are_far_from_those_of_the_lower():
    spots = [i * GRID + T / 2 for i in range(1, 30)]
    below = joints(0.0, 12.0, spots)
    above = joints(0.0, 12.0, spots, away=below)
    assert len(below) == len(above) == 2
    assert min(abs(a - b) for a in above for b in below) >= OFFSET


def test_short_lines_are_of_one_piece():
    assert joints(0.0, STOCK, [1.0, 2.0, 3.0]) == []
