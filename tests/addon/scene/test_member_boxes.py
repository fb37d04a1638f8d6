# SPDX-License-Identifier: GPL-3.0-or-later
"""Where members go that are put in by hand: exact to the last digit that a check reads."""

from __future__ import annotations

import math

import numpy as np
import pytest
from plumbline.addon.scene.member_boxes import (
    MOST_COPIES,
    MemberError,
    along,
    between,
    highest,
    next_name,
    row,
    section,
)
from plumbline.checks.timber import lumber
from plumbline.checks.timber.roles import ROLES, resolve_names

INCH = 0.0254
STUD = section("2x4")


def extent(box):
    low, high = box.aabb
    return (high - low).tolist()


@pytest.mark.parametrize("size", lumber.SIZES)
def test_sections_are_the_dressed_sizes(size):
    box = along((0, 0, 0), (2, 0, 0), *section(size))
    assert box.size.tolist() == [2.0, lumber.SIZES[size][1], lumber.SIZES[size][0]]
    assert section(size, 3) == (3 * lumber.SIZES[size][0], lumber.SIZES[size][1])


def test_an_unknown_size_is_said():
    with pytest.raises(MemberError, match="no lumber of size '7x9'"):
        section("7x9")


@pytest.mark.parametrize("direction", [(1, 0, 0), (0, 1, 0), (-1, 0, 0), (3, 2, 0), (4, 0, 3)])
@pytest.mark.parametrize("flat", [False, True])
def test_a_member_lies_under_its_line_and_is_right_handed(direction, flat):
    start, end = np.array([1.0, 2.0, 0.5]), np.array([1.0, 2.0, 0.5]) + direction
    box = along(start, end, *STUD, flat=flat)
    assert np.allclose(box.axes @ box.axes.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(box.axes) == pytest.approx(1.0)
    assert box.size[0] == pytest.approx(math.dist(start, end))
    high = STUD[0] if flat else STUD[1]
    up = box.axes[2 if flat else 1]
    assert up[2] > 0
    assert np.allclose(box.center - 0.5 * high * up, 0.5 * (start + end))


def test_upright_members_stand_on_their_line_and_turn():
    stud = along((0, 0, 0.1), (0, 0, 2.5), *STUD)
    assert extent(stud) == pytest.approx([STUD[0], STUD[1], 2.4])
    assert stud.aabb[0][2] == pytest.approx(0.1)
    assert extent(along((0, 0, 0), (0, 0, 2), *STUD, flat=True))[:2] == pytest.approx(STUD[::-1])
    across = along((0, 0, 0), (0, 0, 2), *STUD, across=(1, 0, 0))
    assert extent(across)[:2] == pytest.approx(STUD[::-1])


@pytest.mark.parametrize("end", [(0, 0, 0), (0, 0, 0.005), (math.nan, 0, 0)])
def test_a_member_needs_a_length(end):
    with pytest.raises(MemberError, match="needs a length"):
        along((0, 0, 0), end, *STUD)


def plates(along_x=True):
    end = (4, 0, 0) if along_x else (0, 4, 0)
    bottom = along((0, 0, 0), end, *STUD, flat=True)
    top = along((0, 0, 2.4), np.add(end, (0, 0, 2.4)), *STUD, flat=True)
    return bottom, top


@pytest.mark.parametrize("along_x", [True, False])
@pytest.mark.parametrize("order", [1, -1])
def test_a_stud_fills_the_room_between_two_plates(along_x, order):
    pair = plates(along_x)[::order]
    at = np.array([1.3, 7.0, 9.0] if along_x else [7.0, 1.3, 9.0])
    stud = between(*pair, at, *STUD)
    low, high = stud.aabb
    assert (low[2], high[2]) == (pytest.approx(1.5 * INCH), pytest.approx(2.4))
    wall = 0 if along_x else 1
    assert stud.center[wall] == pytest.approx(1.3)
    assert stud.center[1 - wall] == pytest.approx(0.0), "moved onto the plates"
    assert extent(stud)[wall] == pytest.approx(STUD[0])
    assert extent(stud)[1 - wall] == pytest.approx(STUD[1]), "its depth lies across the wall"


def test_beyond_the_end_of_a_plate_it_is_flush_with_it():
    stud = between(*plates(), np.array([99.0, 0, 0]), *STUD)
    assert stud.aabb[1][0] == pytest.approx(4.0)


def test_a_joist_between_two_rims_has_their_top():
    ten = section("2x10")
    rims = [along((0, y, 0.3), (4, y, 0.3), *ten) for y in (0.0, 3.0)]
    joist = between(*rims, np.array([2.0, 1.0, 0.0]), *ten)
    assert extent(joist) == pytest.approx([ten[0], 3.0 - ten[0], ten[1]])
    assert joist.aabb[0][2] == pytest.approx(0.3) and joist.center[0] == pytest.approx(2.0)


def test_under_a_rafter_one_edge_touches_and_nothing_runs_into_it():
    bottom, _ = plates()
    rafter = along((0, 0, 2.0), (4, 0, 4.0), *section("2x8"))
    stud = between(bottom, rafter, np.array([2.0, 0, 0]), *STUD)
    top = stud.aabb[1][2]
    # The lower edge of the stud's section is 19 mm before its middle; the roof rises 1 in 2.
    assert top == pytest.approx(3.0 - 0.5 * 0.5 * STUD[0], abs=1e-4)


def test_where_there_is_no_room_it_is_said():
    bottom, top = plates()
    with pytest.raises(MemberError, match="touch or overlap"):
        between(bottom, bottom, np.zeros(3), *STUD)
    away = along((0, 5, 2.4), (4, 5, 2.4), *STUD, flat=True)
    with pytest.raises(MemberError, match="don't face each other"):
        between(bottom, away, np.zeros(3), *STUD)
    assert top.center[2] > bottom.center[2]


def test_rows():
    assert row(0.4, count=3) == pytest.approx([0.4, 0.8, 1.2])
    assert row(0.4, length=1.0) == pytest.approx([0.4, 0.8, 1.0])
    assert row(0.4, length=0.8) == pytest.approx([0.4, 0.8]), "none twice in one place"
    assert row(0.4, length=0.3) == pytest.approx([0.3])


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"spacing": 0.0, "count": 3}, "spacing must be more"),
        ({"spacing": math.nan, "count": 3}, "spacing must be more"),
        ({"spacing": 0.4, "count": 0}, "no copies"),
        ({"spacing": 0.4, "length": -1.0}, "no copies"),
        ({"spacing": 0.4, "count": MOST_COPIES + 1}, "may have 500 copies"),
        ({"spacing": 0.011, "length": 1e9}, "may have 500 copies"),
    ],
)
def test_rows_that_make_no_sense(given, sentence):
    with pytest.raises(MemberError, match=sentence):
        row(**given)


@pytest.mark.parametrize("convention", ["engineering", "paper", "release"])
def test_every_name_says_its_role_in_every_convention(convention):
    names = [next_name(role, ()) for role in ROLES]
    assert resolve_names(names, [None] * len(names), convention) == ROLES


def test_numbers_go_on_where_they_stopped():
    taken = ["Stud_01", "Stud_07.003", "KingStud_90", "Stud_x", "Stud_9999999"]
    assert next_name("Stud", taken) == "Stud_08" and highest("Joist", taken) == 0
    assert next_name("Stud", ["Stud_99"]) == "Stud_100"
