# SPDX-License-Identifier: GPL-3.0-or-later
"""Candidate pairs and components against the plain all-pairs answer."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plumbline.checks.timber import broadphase


def boxes(rng, n, room=10.0):
    """Long thin boxes along the axes, as members are."""
    size = np.full((n, 3), 0.04)
    along = rng.integers(0, 3, n)
    size[np.arange(n), along] = rng.uniform(0.5, 6.0, n)
    size[np.arange(n), (along + 1) % 3] = 0.14
    centre = rng.uniform(0, room, (n, 3))
    return centre - size / 2, centre + size / 2


def near(lo_a, hi_a, lo_b, hi_b, margin):
    """Every pair tried: (n, m) bool."""
    gap = np.maximum(lo_a[:, None] - hi_b[None], lo_b[None] - hi_a[:, None])
    return (gap <= margin).all(axis=2)


def all_pairs(lo, hi, margin):
    return np.nonzero(np.triu(near(lo, hi, lo, hi, margin), 1))


@settings(max_examples=60, deadline=None)
@given(
    n=st.integers(0, 120),
    seed=st.integers(0, 2**32 - 1),
    room=st.sampled_from([0.0, 1.0, 10.0, 1e4]),
    margin=st.sampled_from([0.0, 0.05, 1.5]),
)
def test_pairs_are_those_of_all_pairs(n, seed, room, margin):
    lo, hi = boxes(np.random.default_rng(seed), n, room)
    i, j = broadphase.aabb_pairs(lo, hi, margin)
    want_i, want_j = all_pairs(lo, hi, margin)
    assert i.tolist() == want_i.tolist()
    assert j.tolist() == want_j.tolist()


@settings(max_examples=40, deadline=None)
@given(n=st.integers(0, 60), m=st.integers(0, 200), seed=st.integers(0, 2**32 - 1))
def test_pairs_between_two_sets(n, m, seed):
    rng = np.random.default_rng(seed)
    (lo_a, hi_a), (lo_b, hi_b) = boxes(rng, n), boxes(rng, m)
    i, j = broadphase.aabb_pairs_between(lo_a, hi_a, lo_b, hi_b, 0.05)
    want = np.nonzero(near(lo_a, hi_a, lo_b, hi_b, 0.05))
    assert (i.tolist(), j.tolist()) == (want[0].tolist(), want[1].tolist())


def test_huge_member_is_paired_with_everybody():
    lo, hi = boxes(np.random.default_rng(3), 500)
    lo[7], hi[7] = -1e6, 1e6
    i, j = broadphase.aabb_pairs(lo, hi)
    assert ((i == 7) | (j == 7)).sum() == 499


def test_boxes_at_one_place_are_all_paired():
    lo, hi = np.zeros((40, 3)), np.ones((40, 3))
    i, _ = broadphase.aabb_pairs(lo, hi)
    assert len(i) == 40 * 39 // 2


def test_crowd_is_refused_with_a_remedy_before_memory_is_gone():
    with pytest.raises(broadphase.CrowdedError, match="remove the duplicates"):
        broadphase.aabb_pairs(np.zeros((9000, 3)), np.ones((9000, 3)))


def test_batches_give_the_same_pairs(monkeypatch):
    lo, hi = boxes(np.random.default_rng(5), 300)
    whole = broadphase.aabb_pairs(lo, hi, 0.5)
    monkeypatch.setattr(broadphase, "_CHUNK", 17)
    parts = broadphase.aabb_pairs(lo, hi, 0.5)
    assert np.array_equal(whole, parts)


@settings(max_examples=60, deadline=None)
@given(n=st.integers(1, 60), edges=st.integers(0, 80), seed=st.integers(0, 2**32 - 1))
def test_components_against_a_plain_search(n, edges, seed):
    rng = np.random.default_rng(seed)
    i, j = rng.integers(0, n, edges), rng.integers(0, n, edges)
    label = list(range(n))
    for _ in range(n):
        for a, b in zip(i, j, strict=True):
            label[a] = label[b] = min(label[a], label[b])
    assert broadphase.components(n, i, j).tolist() == label


def test_components_of_a_long_chain():
    n = 200_000
    at = np.random.default_rng(0).permutation(n)
    root = broadphase.components(n, at[:-1], at[1:])
    assert (root == 0).all()
