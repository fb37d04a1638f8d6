# SPDX-License-Identifier: GPL-3.0-or-later
"""How fast the published profiles judge, beside plain loops over all pairs, and how that grows.

The figure to reach for ``paper`` is 60 ms for the largest structure; nothing is asserted on times.

Run by itself: ``pytest tests/benchmarks/test_bench_paper.py -s`` prints the table and the curve.
Figures are processor time of this process, the best of several runs: other programs on the machine
shall not decide.
"""

from __future__ import annotations

import json
import math
import time

import plain_paper
import pytest
from plumbline.addon.scene.submission import structure_from_submission
from plumbline.checks.timber import judge
from plumbline.checks.timber.paper import judge_paper
from plumbline.checks.timber.release import judge_release
from plumbline.checks.timber.structure import TimberStructure
from timber_samples import as_submission, gable_house

pytestmark = pytest.mark.benchmark

LARGEST_PUBLISHED = 1548  # members of the largest structure of the data set
MEAN_PUBLISHED = 673
CURVE = (156, 312, 625, 1250, 2500, 5000, 10_000, 20_000)


def fresh(structure):
    """The same members without anything computed before."""
    s = structure
    return TimberStructure(s.names, s.explicit_roles, s.center, s.axes, s.half)


def best(run, prepare, times):
    """Least processor time of ``run(prepare())`` in s; only ``run`` counts."""
    least = math.inf
    for _ in range(times):
        made = prepare()
        began = time.process_time()
        run(made)
        least = min(least, time.process_time() - began)
    return least


def plain_form(judgement):
    """A judgement in the form of :mod:`plain_paper`."""
    form = {}
    for check in judgement.checks:
        if check.status == "vacuous":
            form[check.id] = None
        elif check.id in ("roof_coverage", "gap_detection"):
            form[check.id] = {check.score} if check.findings else set()
        else:
            form[check.id] = {f.subject for f in check.findings}
    return form


def broken(house):
    """The house with a few faults, so that the comparison isn't one of empty sets."""
    center, half = house.center.copy(), house.half.copy()
    for k, name in enumerate(house.names):
        if name in ("Stud_0040", "Rafter_0020"):
            center[k, 2] += 0.4
        if name == "Stud_0050":
            center[k, 2] += 20.0
        if name == "Joist_0010":
            half[k, 0] *= 1.4
    return TimberStructure(house.names, house.explicit_roles, center, house.axes, half)


@pytest.mark.parametrize("members", [MEAN_PUBLISHED, LARGEST_PUBLISHED])
def test_beside_plain_loops_over_all_pairs(members, rounds, capsys):
    """Same verdicts, side by side in one run."""
    house = broken(gable_house(members))
    began = time.process_time()
    plain = plain_paper.judge(house)
    loops = time.process_time() - began
    arrays = best(judge_paper, lambda: fresh(house), rounds(10))
    assert plain == plain_form(judge_paper(fresh(house)))
    assert plain["load_path"]
    assert plain["span_limits"]
    with capsys.disabled():
        print(
            f"\npaper, {members} members: {1000 * arrays:.1f} ms; plain loops over all pairs "
            f"{1000 * loops:.0f} ms ({loops / arrays:.0f} times as long), same findings"
        )


@pytest.mark.parametrize("profile", [judge_paper, judge_release])
def test_largest_published_structure(benchmark, profile):
    house = gable_house(LARGEST_PUBLISHED)
    judgement = benchmark.pedantic(
        profile, setup=lambda: ((fresh(house),), {}), rounds=15, warmup_rounds=1
    )
    assert judgement.verdict == "passed"


def test_growth_is_near_n_log_n(rounds, capsys):
    spent = {}
    for members in CURVE:
        house = gable_house(members)
        spent[members] = best(judge_paper, lambda house=house: fresh(house), rounds(5))
    with capsys.disabled():
        print("\npaper, growth:\n members       ms   us / (n log2 n)")
        for n, s in spent.items():
            print(f"{n:8d} {1000 * s:8.1f} {1e6 * s / (n * math.log2(n)):8.3f}")
        # Slope in the logarithmic picture over the upper half, where fixed costs are small.
        low, high = CURVE[3], CURVE[-1]
        exponent = math.log(spent[high] / spent[low]) / math.log(high / low)
        print(f"time goes with the {exponent:.2f}th power of the members")


@pytest.mark.parametrize("profile", ["paper", "engineering"])
def test_submission_to_verdict(rounds, capsys, profile):
    """Submission JSON of 673 members to a verdict: 15 and 6 a second are the figures to reach."""
    text = json.dumps(as_submission(gable_house(MEAN_PUBLISHED)))

    def whole(submission):
        structure = structure_from_submission(json.loads(submission))
        assert judge(structure, None, profile).checks

    spent = best(whole, lambda: text, rounds(10))
    with capsys.disabled():
        print(
            f"\nsubmission of {MEAN_PUBLISHED} members to verdict, {profile}: "
            f"{1 / spent:.0f} a second"
        )
