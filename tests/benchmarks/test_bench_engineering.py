# SPDX-License-Identifier: GPL-3.0-or-later
"""Speed of the ``engineering`` profile beside plain Python over all pairs, in one run.

The plain side only finds which members touch; the product also cuts, traces and judges. Figures
of interest: 1,548 members at most 350 ms, and the curve to 20,000 members (``-k curve -s``).
"""

import math
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from plumbline.checks.timber import TimberStructure, judge
from plumbline.checks.timber.engineering.contact import find_pairs
from plumbline.checks.timber.engineering.frame import Frame

sys.path.insert(0, str(Path(__file__).parents[1] / "helpers"))
import plain_contact
import timber_samples

pytestmark = pytest.mark.benchmark


@pytest.fixture(scope="module")
def house():
    return timber_samples.gable_house(1548)


@pytest.mark.benchmark(group="engineering, 1548 members")
def test_engineering(benchmark, house):
    result = benchmark(judge, house, None, "engineering")
    assert len(result.checks) >= 14


@pytest.mark.benchmark(group="engineering, 1548 members")
def test_plain_python_all_pairs(benchmark, house):
    plain = benchmark.pedantic(plain_contact.connected_pairs, (house,), rounds=1)
    pairs = find_pairs(Frame.of(house))
    ours = {
        (int(i), int(j)): float(g)
        for i, j, g in zip(pairs.i, pairs.j, pairs.gap, strict=True)
        if g <= 0.021
    }
    assert ours.keys() == plain.keys()
    assert max(abs(ours[k] - plain[k]) for k in plain) < 1e-9


def crowded(house: TimberStructure, clashes: int) -> TimberStructure:
    """The same house with ``clashes`` of its members doubled a little askew, to be clipped."""
    rng = np.random.default_rng(0)
    extra = rng.choice(len(house), clashes, replace=False)
    turn = np.array(
        [[math.cos(0.1), -math.sin(0.1), 0], [math.sin(0.1), math.cos(0.1), 0], [0, 0, 1]]
    )
    return TimberStructure.from_boxes(
        [*house.names, *(f"{house.names[k]}_copy" for k in extra)],
        np.concatenate([house.center, house.center[extra] + 0.01]),
        np.concatenate([house.axes, house.axes[extra] @ turn]),
        2 * np.concatenate([house.half, house.half[extra]]),
    )


@pytest.mark.benchmark(group="engineering with 300 clashes")
def test_engineering_with_clashes(benchmark, house):
    broken = crowded(house, 300)
    result = benchmark(judge, broken, None, "engineering")
    assert len(result.check("clash").findings) >= 300


def test_curve(rounds, capsys):
    """Time grows about as n log n: the last column should hardly rise."""
    sizes, times = [625, 1250, 2500, 5000, 10000, 20000], []
    for size in sizes:
        house = timber_samples.gable_house(size)
        took = []
        for _ in range(rounds(3) if size < 10_000 else 1):
            start = time.process_time()
            judge(house)
            took.append(time.process_time() - start)
        times.append(min(took))
    with capsys.disabled():
        print("\nmembers   ms   us a member")
        for size, seconds in zip(sizes, times, strict=True):
            print(f"{size:7d} {seconds * 1e3:7.0f} {seconds / size * 1e6:7.1f}")
