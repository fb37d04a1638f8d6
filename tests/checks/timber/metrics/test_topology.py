# SPDX-License-Identifier: GPL-3.0-or-later
"""Census, match rate, occupancy and T: against plain loops, and the laws that they must keep."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_metrics import (
    dense_match,
    dense_occupancy,
    every_choice,
    linear_sum_assignment,
    plain_occupied,
)
from plumbline.checks.timber.metrics.assignment import best_assignment
from plumbline.checks.timber.metrics.matching import CAP, match
from plumbline.checks.timber.metrics.members import counted
from plumbline.checks.timber.metrics.occupancy import OccupancyUnknown, occupancy, occupied
from plumbline.checks.timber.metrics.topology import WEIGHTS, topology
from plumbline.checks.timber.structure import StructureError, TimberStructure
from timber_samples import gable_house

HOUSE = gable_house(160)
ALL_ONE = pytest.approx({"C": 1.0, "M": 1.0, "V": 1.0, "T": 1.0})
SEEDS = st.integers(0, 2**32 - 1)
NAMES = ("Stud", "Joist", "Rafter", "Thing")


def made(names, center, axes=None, size=(0.038, 0.089, 1.0)):
    center = np.asarray(center, float).reshape(-1, 3)
    axes = np.broadcast_to(np.eye(3), (len(center), 3, 3)) if axes is None else axes
    return TimberStructure.from_boxes(names, center, axes, np.broadcast_to(size, center.shape))


def scattered(rng, n, room, turned=True):
    """Members of a few roles anywhere, some askew."""
    names = [f"{NAMES[k]}_{i}" for i, k in enumerate(rng.integers(0, len(NAMES), n))]
    axes, _ = np.linalg.qr(rng.normal(size=(n, 3, 3)) if n else np.zeros((0, 3, 3)))
    axes = np.where(rng.random(n)[:, None, None] < 0.5, axes, np.eye(3)) if turned else None
    size = rng.uniform(0.02, 0.9, (n, 3))
    return made(names, rng.uniform(0, room, (n, 3)), axes, size)


def moved(structure, by, rows=slice(None)):
    center = structure.center.copy()
    center[rows] += by
    return TimberStructure(
        structure.names, structure.explicit_roles, center, structure.axes, structure.half
    )


def test_what_equals_its_target_scores_one():
    assert topology(HOUSE, HOUSE).values == ALL_ONE


@settings(max_examples=8, deadline=None)
@given(seed=SEEDS)
def test_order_and_names_within_a_role_do_not_matter(seed):
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(HOUSE))
    other = HOUSE.subset(order)
    names = tuple(f"{name.split('_')[0]}_{k:05d}" for k, name in enumerate(other.names))
    renamed = TimberStructure(names, other.explicit_roles, other.center, other.axes, other.half)
    assert topology(HOUSE, renamed).values == ALL_ONE


@settings(max_examples=25, deadline=None)
@given(seed=SEEDS, room=st.sampled_from([0.5, 1.5, 4.0]))
def test_census_and_match_rate_are_symmetric(seed, room):
    rng = np.random.default_rng(seed)
    a, b = (scattered(rng, int(rng.integers(1, 30)), room, turned=False) for _ in range(2))
    one, other = topology(a, b).values, topology(b, a).values
    assert one["C"] == pytest.approx(other["C"])
    assert one["M"] == pytest.approx(other["M"])


@settings(max_examples=60, deadline=None)
@given(
    seed=SEEDS,
    room=st.sampled_from([0.3, 1.0, 3.0, 20.0]),
    sizes=st.tuples(*[st.integers(0, 40)] * 2),
)
def test_the_matching_is_the_dense_one(seed, room, sizes):
    rng = np.random.default_rng(seed)
    a, b = (counted(scattered(rng, n, room, turned=False)) for n in sizes)
    pairs = match(a, b)
    number, cost = dense_match(a, b)
    assert len(pairs) == number
    ours = pairs.distance.sum() + CAP * (max(0, _most(a, b)) - len(pairs))
    assert ours == pytest.approx(cost, abs=1e-5)
    assert len(set(pairs.target)) == len(set(pairs.candidate)) == len(pairs)
    assert all(a.roles[i] == b.roles[j] for i, j in zip(pairs.target, pairs.candidate, strict=True))


@pytest.mark.parametrize(("count", "noise"), [(200, 0.1), (400, 0.005)])
def test_long_chains_are_matched_like_short_ones(count, noise):
    a, b = map(counted, chain(count, noise))
    pairs = match(a, b)
    number, cost = dense_match(a, b)
    assert len(pairs) == number
    assert pairs.distance.sum() + CAP * (count - number) == pytest.approx(cost, abs=1e-5)


def _most(a, b):
    """Members to be paired or not: of each role the larger number."""
    return sum(max(a.roles.count(r), b.roles.count(r)) for r in {*a.roles, *b.roles})


@settings(max_examples=60, deadline=None)
@given(seed=SEEDS)
def test_of_equally_near_assignments_the_one_with_most_pairs_counts(seed):
    """Places on a lattice, where sums are equal all the time: 0.1 + a cap is 0.2 + 0.2."""
    rng = np.random.default_rng(seed)
    a, b = (0.1 * rng.integers(0, 5, (int(rng.integers(1, 6)), 3)) * [1, 0, 0] for _ in range(2))
    ours, theirs = (counted(made([f"Stud_{k}" for k in range(len(x))], x)) for x in (a, b))
    pairs = match(ours, theirs)
    cost, number = every_choice(a, b)
    assert len(pairs) == number
    assert pairs.distance.sum() + CAP * (max(len(a), len(b)) - number) == pytest.approx(
        cost, abs=1e-4
    )


@settings(max_examples=15, deadline=None)
@given(member=st.integers(0, len(HOUSE) - 1), beyond=st.floats(0.301, 3.0))
def test_one_member_moved_by_more_than_the_cap_loses_one_match(member, beyond):
    """Straight up, above the house, where no other member of its role is near."""
    up = [0.0, 0.0, 20.0 + beyond]
    lost = match(counted(HOUSE), counted(moved(HOUSE, up, member)))
    assert len(lost) == len(HOUSE) - 1


@pytest.mark.parametrize(("by", "pairs"), [(0.2999, 1), (0.3, 1), (0.3001, 0)])
def test_the_cap_itself_is_within(by, pairs):
    one = made(["Stud_1"], [0, 0, 0])
    assert len(match(counted(one), counted(moved(one, [by, 0, 0])))) == pairs


def test_members_of_another_role_are_no_match():
    a, b = made(["Stud_1"], [0, 0, 0]), made(["Post_1"], [0, 0, 0])
    assert topology(a, b).values == pytest.approx({"C": 0.0, "M": 0.0, "V": 1.0, "T": 0.3})


def test_the_census_is_the_mean_over_roles():
    """2 of 4 studs, 3 of 3 joists, a header too many: (0.5 + 1 + 0) / 3."""
    place = np.arange(4)[:, None] * [5.0, 0, 0]
    wanted = made(
        [*(f"Stud_{k}" for k in range(4)), *(f"Joist_{k}" for k in range(3))],
        np.vstack([place, place[:3] + 50]),
    )
    there = made(
        ["Stud_0", "Stud_1", *(f"Joist_{k}" for k in range(3)), "Header_1"],
        np.vstack([place[:2], place[:3] + 50, [[0, 0, 9]]]),
    )
    found = topology(wanted, there)
    assert found.values["C"] == pytest.approx(0.5)
    assert found.values["M"] == pytest.approx(5 / 7)
    assert found.values["T"] == pytest.approx(sum(WEIGHTS[k] * found.values[k] for k in WEIGHTS))


def test_accessories_are_not_counted_and_members_without_a_role_are():
    sheathed = made(["Stud_1", "Sheathing_1"], [[0, 0, 0], [0, 3, 0]])
    bare, odd = made(["Stud_1"], [0, 0, 0]), made(["Stud_1", "Thing"], [[0, 0, 0], [0, 3, 0]])
    assert topology(sheathed, bare).values == topology(bare, sheathed).values == ALL_ONE
    assert topology(bare, odd).values["C"] == 0.5
    assert topology(bare, odd).values["M"] == 0.5


def test_nothing_built_scores_nothing_and_an_empty_target_tells_nothing():
    empty = HOUSE.subset([])
    assert topology(HOUSE, empty).values == {"C": 0.0, "M": 0.0, "V": 0.0, "T": 0.0}
    for candidate in (HOUSE, empty):
        assert topology(empty, candidate).values == {}
        assert "target has no members" in topology(empty, candidate).note


def test_a_place_that_is_no_number_is_refused():
    with pytest.raises(StructureError, match="not finite"):
        moved(HOUSE, [np.nan, 0, 0], 3)


def chain(count, noise):
    """Studs a quarter of a metre apart, each within reach of two others: one component."""
    rng = np.random.default_rng(count)
    row = 0.25 * np.arange(count)[:, None] * [1.0, 0, 0]
    names = [f"Stud_{k}" for k in range(count)]
    return [made(names, row + rng.normal(0, noise, row.shape)) for _ in range(2)]


def test_without_scipy_the_figures_are_the_same(monkeypatch):
    pairs = [(HOUSE, moved(HOUSE, [0.2, 0.0, 0.1])), chain(60, 0.1)]
    with_it = [topology(*pair).values for pair in pairs]
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    assert [topology(*pair).values for pair in pairs] == with_it


def test_without_scipy_long_chains_have_no_match_rate_and_no_t_and_say_why(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    found = topology(*chain(400, 0.005))
    assert set(found.values) == {"C", "V"}
    assert found.pairs is None
    assert found.note.startswith("M and T are unknown: so many members")
    assert "`plumbline doctor` says how to get it" in found.note


@settings(max_examples=60, deadline=None)
@given(seed=SEEDS, shape=st.tuples(*[st.integers(1, 12)] * 2), whole=st.booleans())
def test_our_assignment_gains_as_much_as_scipys(seed, shape, whole):
    rng = np.random.default_rng(seed)
    value = rng.integers(0, 4, shape).astype(float) if whole else rng.uniform(0, 1, shape)
    rows, columns = best_assignment(value)
    assert len(rows) == len(set(rows)) == len(set(columns)) == min(shape)
    theirs = linear_sum_assignment(value, maximize=True)
    assert value[rows, columns].sum() == pytest.approx(value[theirs].sum())


def test_a_heap_of_members_is_no_match_rate():
    heap = made([f"Stud_{k}" for k in range(2300)], np.zeros((2300, 3)))
    found = topology(heap, heap)
    assert set(found.values) == {"C", "V"}
    assert "within reach of each other" in found.reasons["M"]


@settings(max_examples=12, deadline=None)
@given(seed=SEEDS, n=st.integers(1, 3))
def test_voxels_are_those_of_plain_loops(seed, n):
    rng = np.random.default_rng(seed)
    members = counted(scattered(rng, n, 1.0))
    origin = rng.uniform(-1, 1, 3)
    assert len(occupied(members, origin)) == len(plain_occupied(members, origin))


@pytest.mark.parametrize("by", [(0.0, 0.0, 0.0), (0.04, 0.0, 0.0), (0.0, 0.03, 0.31)])
def test_occupancy_is_that_of_plain_loops(by):
    rng = np.random.default_rng(5)
    target = scattered(rng, 4, 1.2)
    candidate = moved(target, by)
    ours = occupancy(counted(target), counted(candidate))
    assert ours == pytest.approx(dense_occupancy(counted(target), counted(candidate)), abs=1e-12)


def test_a_thin_member_fills_what_it_stands_in_and_a_face_on_the_grid_nothing_behind_it():
    """38 mm from 0: one cell wide, though no cell's middle is within; 0.2 m long: two cells."""
    stud = counted(made(["Stud_1"], [0.019, 0.019, 0.1], size=(0.038, 0.038, 0.2)))
    assert len(occupied(stud, np.zeros(3))) == 2
    wide = counted(made(["Stud_1"], [0.1, 0.05, 0.05], size=(0.2, 0.1, 0.1)))
    assert len(occupied(wide, np.zeros(3))) == 2
    assert len(occupied(wide, np.full(3, 1e-6))) == 2


def test_members_without_size_fill_nothing():
    flat = made(["Stud_1"], [0, 0, 0], size=(0.0, 0.0, 0.0))
    found = topology(flat, flat)
    assert found.values == {"C": 1.0, "M": 1.0}
    assert found.note == "V and T are unknown: neither fills any space"


@settings(max_examples=10, deadline=None)
@given(by=st.tuples(*[st.floats(-50, 50)] * 3))
def test_moving_both_changes_nothing(by):
    away = moved(HOUSE, [0.12, 0.0, 0.07])
    before, after = topology(HOUSE, away), topology(moved(HOUSE, by), moved(away, by))
    assert after.values == pytest.approx(before.values, abs=2e-3)


@pytest.mark.parametrize(
    ("center", "size", "said"),
    [((0, 0, 2e6), (0.04, 0.1, 2.0), "100 km"), ((0, 0, 0), (900.0, 900.0, 900.0), "more voxels")],
)
def test_what_has_no_place_on_the_grid_is_named(center, size, said):
    odd = made(["Stud_1"], center, size=size)
    with pytest.raises(OccupancyUnknown, match=said):
        occupancy(counted(HOUSE), counted(odd))
    found = topology(HOUSE, odd)
    assert set(found.values) == {"C", "M"}
    assert said in found.note
    turned = made(["Stud_1"], center, np.linalg.qr(np.ones((3, 3)) + np.eye(3))[0][None], size)
    with pytest.raises(OccupancyUnknown, match=said):
        occupancy(counted(HOUSE), counted(turned))
