# SPDX-License-Identifier: GPL-3.0-or-later
"""How fast the topological metrics are on the largest published size, beside dense matrices.

The figure to reach for M is 1 s; nothing is asserted on times. ``-s`` prints what else was measured
in the same run: the whole assignment of each role at once, and every cell of the boxes' boxes.
"""

from __future__ import annotations

import time

import numpy as np
import pytest
from plain_metrics import dense_match, dense_occupancy
from plumbline.checks.timber.metrics.matching import match
from plumbline.checks.timber.metrics.members import counted
from plumbline.checks.timber.metrics.occupancy import occupancy
from plumbline.checks.timber.metrics.topology import topology
from plumbline.checks.timber.structure import TimberStructure
from timber_samples import gable_house

pytestmark = pytest.mark.benchmark

LARGEST_PUBLISHED = 1548  # members of the largest structure of the data set


def built_badly(house):
    """The house with every member a little off its place and a tenth of them gone."""
    rng = np.random.default_rng(1)
    center = house.center + rng.normal(0.0, 0.12, house.center.shape)
    keep = rng.random(len(house)) > 0.1
    return TimberStructure(
        house.names, house.explicit_roles, center, house.axes, house.half
    ).subset(keep)


@pytest.fixture(scope="module")
def house():
    return gable_house(LARGEST_PUBLISHED)


def test_match_rate(benchmark, house, capsys):
    a, b = counted(house), counted(built_badly(house))
    pairs = benchmark.pedantic(match, (a, b), rounds=10, warmup_rounds=1)
    began = time.perf_counter()
    number, _ = dense_match(a, b)
    dense = time.perf_counter() - began
    assert len(pairs) == number
    with capsys.disabled():
        print(f"\nM, {len(house)} members, {number} pairs: dense matrices {1000 * dense:.0f} ms")


def test_occupancy(benchmark, house):
    a, b = counted(house), counted(built_badly(house))
    found = benchmark.pedantic(occupancy, (a, b), rounds=5, warmup_rounds=1)
    assert 0.0 < found < 1.0


def test_occupancy_beside_plain_loops(capsys):
    """On the smallest house alone: plain loops over every cell take minutes on the largest."""
    small = gable_house(140)
    rows = np.arange(0, len(small), 12)
    a, b = counted(small.subset(rows)), counted(built_badly(small.subset(rows)))
    began = time.perf_counter()
    found = occupancy(a, b)
    ours = time.perf_counter() - began
    plain = dense_occupancy(a, b)
    loops = time.perf_counter() - began - ours
    assert found == pytest.approx(plain, abs=1e-12)
    with capsys.disabled():
        print(f"\nV, {len(rows)} members: {1000 * ours:.0f} ms, plain loops {1000 * loops:.0f} ms")


def test_all_of_them(benchmark, house):
    found = benchmark.pedantic(topology, (house, built_badly(house)), rounds=3, warmup_rounds=1)
    assert set(found.values) == set("CMVT")
