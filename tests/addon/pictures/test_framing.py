# SPDX-License-Identifier: GPL-3.0-or-later
"""How near the view goes to a finding."""

from __future__ import annotations

import math

import pytest
from plumbline.addon.pictures.framing import radius_of
from plumbline.checks.result import Finding


def radius(check="load_path", kind="member", **detail):
    return radius_of(Finding(check, "Joist_1", "Something.", subject_kind=kind, detail=detail))


def square(side):
    return [[0, 0, 0], [side, 0, 0], [side, side, 0], [0, side, 0]]


def test_whole_members_are_framed_by_themselves():
    assert radius() is None and radius("clear_span", **{"from": [0, 0, 0], "to": [4, 0, 0]}) is None
    assert radius("point_load", **{"from": [0, 0, 0], "to": [0, 0, 2]}) is None


def test_what_is_small_is_seen_from_near():
    assert radius("bearing", needed=square(0.038)) == pytest.approx(0.28)
    assert radius("opening_header", needed=square(0.2)) == pytest.approx(0.4)
    assert radius("clash", solid=square(0.1)) == pytest.approx(0.7)
    assert radius("point_load", **{"from": [0, 0, 0], "to": [0.05, 0, 0]}) == pytest.approx(0.7)


def test_what_spreads_is_seen_from_far_but_never_from_another_street():
    assert radius(kind="place") == pytest.approx(1.6)
    row = [[x, 0, 0] for x in range(9)]
    assert radius(kind="place", places=row) == pytest.approx(0.8 * 4 + 0.8)
    assert radius(kind="place", places=[[0, 0, 0], [100, 0, 0]]) == pytest.approx(6.0)
    assert radius("roof_coverage", kind="place", cells=[square(1), square(6)]) > 1.6


@pytest.mark.parametrize("odd", ["x", 3, None, [], [1, 2], [[1, math.nan, 0]], [["a", 0, 0]], {}])
def test_odd_details_change_nothing(odd):
    for key in ("solid", "needed", "cut", "places", "cells", "from"):
        assert radius(**{key: odd}) is None
        assert radius(kind="place", **{key: odd}) == pytest.approx(1.6)


def test_blocks_are_seen_in_the_whole_that_they_are_part_of():
    from plumbline.addon.pictures.framing import aim_of
    from plumbline.checks.voxel.structure import VoxelStructure

    def ask(check, blocks=(), structure=None):
        found = Finding(check, "block (1, 2, 3)", ".", detail={"blocks": [list(b) for b in blocks]})
        return aim_of(found, structure)

    small = VoxelStructure.from_blocks([(x, 0, 0, "stone") for x in range(5)])
    large = VoxelStructure.from_blocks([(x, 0, 0, "stone") for x in (0, 100)])
    assert ask("shape.has_rooms", [(1, 2, 3)]) == ((1, -3, 2), 6.0)
    assert ask("shape.has_rooms", [(1, 2, 3)], large) == ((1, -3, 2), 12.0)
    assert ask("shape.has_rooms", (), small) == ((2, 0, 0), 6.0)
    assert ask("size.is_equal", [(4, 0, 0)], small)[0] == (2, 0, 0)
    assert ask("turn2.size.is_equal#2", [(100, 0, 0)], large) == ((50, 0, 0), 52.5)
    assert ask("shape.has_rooms") is None
