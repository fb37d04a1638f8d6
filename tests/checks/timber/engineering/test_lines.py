# SPDX-License-Identifier: GPL-3.0-or-later
"""Who is next to whom: rows of parallel members and the bays between them."""

import itertools
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plumbline.checks.timber.engineering.eaves import edges
from plumbline.checks.timber.engineering.lines import cluster, find_bays, joist_rows, rafter_rows
from plumbline.checks.timber.engineering.places import merge
from plumbline.checks.timber.engineering.tributary import strips
from plumbline.checks.timber.engineering.walls import find_walls, wall_gaps

sys.path.insert(0, str(Path(__file__).parents[3] / "helpers"))
import gables
from carpentry import GRID, T, framed_floor, framed_wall, hip_roof, joints_of, without


def bays(across, spans, half=0.019):
    k = len(across)
    spans = np.asarray(spans, float).reshape(k, 2)
    return find_bays(
        np.arange(k), np.zeros(k, np.intp), np.asarray(across, float), np.full(k, half), spans
    )


def test_cluster_splits_at_gaps_and_keeps_old_groups_apart():
    labels = cluster(np.array([0.0, 0.9, 0.05, 1.0, 0.1]), 0.2, np.array([0, 0, 0, 0, 1]))
    assert labels[0] == labels[2]
    assert labels[1] == labels[3]
    assert len({labels[0], labels[1], labels[4]}) == 3


def test_a_short_neighbour_leaves_the_rest_of_the_bay_to_the_next():
    found = bays([0.0, 0.4, 0.8], [(0, 3), (1, 2), (0, 3)])
    rows = {
        (int(i), int(j), float(a), float(b))
        for i, j, a, b in zip(found.first, found.second, found.low, found.high, strict=True)
    }
    assert rows == {(0, 1, 1.0, 2.0), (1, 2, 1.0, 2.0), (0, 2, 0.0, 1.0), (0, 2, 2.0, 3.0)}


def test_wide_members_are_measured_near_their_faces():
    found = find_bays(
        np.arange(2), np.zeros(2, np.intp), np.array([0.0, 1.0]), np.array([0.019, 0.143]),
        np.array([[0.0, 1.0], [0.0, 1.0]]),
    )  # fmt: skip
    assert found.clear[0] == pytest.approx(1 - 0.019 - 0.143)
    assert found.width[0] == pytest.approx(found.clear[0] + 0.019 + 0.0445)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 40), st.integers(0, 20), st.integers(1, 20), st.integers(0, 1)),
        min_size=1,
        max_size=14,
        unique_by=lambda m: (m[0], m[3]),
    )
)
def test_bays_are_what_a_walk_over_all_heights_finds(members):
    across = np.array([m[0] * 0.1 for m in members])
    span = np.array([(m[1] * 0.2, m[1] * 0.2 + m[2] * 0.2) for m in members])
    row = np.array([m[3] for m in members], dtype=np.intp)
    found = find_bays(np.arange(len(members)), row, across, np.full(len(members), 0.019), span)
    expected = set()
    for step in range(200):
        height = 0.1 + 0.2 * step
        for group in (0, 1):
            here = [
                k for k in range(len(members))
                if row[k] == group and span[k, 0] < height < span[k, 1]
            ]  # fmt: skip
            here.sort(key=lambda k: across[k])
            expected |= {(a, b, step) for a, b in itertools.pairwise(here)}
    got = set()
    for i, j, low, high in zip(found.first, found.second, found.low, found.high, strict=True):
        for step in range(round(low / 0.2), round(high / 0.2)):
            got.add((int(i), int(j), step))
    assert got == expected


def test_large_rows():
    k = 20_000
    found = bays(np.arange(k) * 0.4, [(0, 3)] * k)
    assert len(found) == k - 1


def test_places_less_than_50_mm_apart_are_one():
    places = merge(
        np.array([3, 1, 1, 1]), np.array([0.0, 0.5, -1.0, 0.62]), np.array([0.1, 0.58, -0.9, 0.7])
    )
    assert places.member.tolist() == [1, 1, 3]
    assert places.low.tolist() == [-1.0, 0.5, 0.0]
    assert places.high == pytest.approx([-0.9, 0.7, 0.1])
    assert places.next.tolist() == [True, False, False]
    assert places.first.tolist() == [True, False, True]


def test_strips_are_half_the_bays_on_both_sides():
    joints = joints_of(framed_floor())
    rows = joist_rows(joints)
    strip = dict(zip(rows.member.tolist(), strips(joints, rows).tolist(), strict=True))
    names = joints.frame.names
    for k in range(9):
        assert strip[names.index(f"Joist_{k:02d}")] == pytest.approx(GRID)
    lone = joints_of(without(framed_floor(), "Joist_0[0-35-8]"))
    rows = joist_rows(lone)
    at = rows.member.tolist().index(lone.frame.names.index("Joist_04"))
    assert strips(lone, rows)[at] == pytest.approx(0.406)


def test_each_roof_plane_is_a_row():
    joints = joints_of(hip_roof())
    rows = rafter_rows(joints)
    sides = {}
    for member, row in zip(rows.member, rows.row, strict=True):
        sides.setdefault(int(row), set()).add(joints.frame.names[member].split("_")[1])
    assert sorted(map(tuple, sides.values())) == [("E",), ("N",), ("S",), ("W",)]


def test_edges_of_a_hip_roof_are_hips_and_those_of_a_gable_are_bare():
    bays_at_hips, strips_at_ends = edges(joints_of(hip_roof()))
    assert len(bays_at_hips) == 8
    assert strips_at_ends == ()
    assert edges(joints_of(gables.gable(0.5))) == ((), ())


def test_a_wall_is_one_row_of_uprights_with_its_openings():
    joints = joints_of(framed_wall((1.0, 2.2, 0.9)), spacing=GRID)
    walls = find_walls(joints)
    assert set(walls.wall.tolist()) == {0}
    uprights = int(joints.frame.upright.sum())
    assert len(walls.member) == uprights
    (gap,) = wall_gaps(joints)
    assert gap.opening
    assert [joints.frame.names[h] for h in gap.headers] == ["Header_0"]
    assert gap.clear == pytest.approx(1.2)
    assert (gap.low, gap.high) == pytest.approx((0.9 + T, 2.038))


def test_two_storeys_are_two_walls():
    frame = gables.Frame()
    for storey, z in (("A", 0.0), ("B", 3.0)):
        frame.box(f"BottomPlate_{storey}", (0, 0, z), (2, 0.089, z + T))
        frame.box(f"TopPlate_{storey}", (0, 0, z + 2.4), (2, 0.089, z + 2.4 + T))
        for k in range(5):
            low = (k * GRID, 0, z + T)
            frame.box(f"Stud_{storey}_{k}", low, (k * GRID + T, 0.089, z + 2.4))
    walls = find_walls(joints_of(frame.structure()))
    assert len(set(walls.wall.tolist())) == 2
