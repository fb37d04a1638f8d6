# SPDX-License-Identifier: GPL-3.0-or-later
"""How fast all probes judge a trajectory: the figure to reach is 5 s for 20 bodies of 240 frames.

Nothing is asserted on times. ``-s`` prints the probe that costs most. A hundred
bodies are there for what grows with the pairs.
"""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest
from falling_bodies import G, bounced, box, floor, recorded, spun
from plumbline.checks.reconstruction import ReconstructionBrief, Trajectory, judge
from plumbline.checks.reconstruction.brief import PROBES as IDS

pytestmark = pytest.mark.benchmark


def fallen_boxes(count: int, frames: int = 240) -> Trajectory:
    """Boxes in rows that touch, that fall, bounce, turn and come to rest on a floor."""
    rng = np.random.default_rng(5)
    side = int(np.ceil(np.sqrt(count)))
    placed, turned = [floor(200.0, restitution=1.0)], {}
    for k in range(count):
        heights = bounced(rng.uniform(1, 4), 0.4, 0.5, frames)
        places = np.zeros((frames, 3))
        places[:] = (k % side * 1.005, k // side * 1.005, 0)
        places[:, 2] = heights
        placed.append((box(f"box {k}", restitution=0.4), places))
        angles = np.where(heights > 0.51, rng.uniform(0, 0.2), 0.0)
        turned[f"box {k}"] = spun((0, 0, 1), angles)
    made = recorded(*placed, frames=frames, turned=turned)
    assert np.isclose(made.g, G)
    return made


def fresh(made: Trajectory) -> Trajectory:
    """The trajectory without what was measured on it before."""
    return replace(made)


@pytest.mark.parametrize("count", [20, 100])
def test_all_probes(benchmark, count):
    made = fallen_boxes(count, 240 if count == 20 else 40)
    judgement = benchmark.pedantic(lambda: judge(fresh(made)), rounds=2, warmup_rounds=0)
    assert [check.id for check in judgement.checks] == list(IDS)
    assert judgement.check("contact").figures["pairs"] >= count
    one = fresh(made)
    spent = {}
    for name in IDS:
        start = time.process_time()
        judge(one, ReconstructionBrief(not_applicable={n: "-" for n in IDS if n != name}))
        spent[name] = time.process_time() - start
    slowest = max(spent, key=lambda name: spent[name])
    print(f"\n{count} bodies, {len(made)} frames: {sum(spent.values()):.2f} s, most {slowest}")
    print({name: round(value, 3) for name, value in spent.items()})
