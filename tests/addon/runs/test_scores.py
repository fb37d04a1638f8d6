# SPDX-License-Identifier: GPL-3.0-or-later
"""pass@k against its own definition, and rates whose denominator nothing moves."""

from itertools import combinations

import pytest
from plumbline.addon.runs.scores import pass_at_k, pass_rates, summary_of, usage_of_all


def record(task, verdict, epoch=1, **more):
    return {
        "task": task,
        "agent": "a",
        "variant": None,
        "epoch": epoch,
        "verdict": verdict,
        "metrics": {},
        "environment": None,
        **more,
    }


FAULT = {"environment": {"kind": "unreachable", "message": "no connection"}}


@pytest.mark.parametrize("n", range(1, 7))
def test_pass_at_k_is_the_share_of_all_choices(n):
    for passed in range(n + 1):
        tries = [True] * passed + [False] * (n - passed)
        for k in range(1, n + 1):
            chosen = [any(some) for some in combinations(tries, k)]
            assert pass_at_k(n, passed, k) == pytest.approx(sum(chosen) / len(chosen))


@pytest.mark.parametrize(("n", "c", "k"), [(3, 1, 0), (3, 1, 4), (3, 4, 1), (0, 0, 1)])
def test_what_cannot_be_told_is_not_told(n, c, k):
    with pytest.raises(ValueError, match="can't be told"):
        pass_at_k(n, c, k)


def test_rates_are_means_over_tasks_with_enough_attempts():
    records = [record("x", v, e) for e, v in enumerate(("passed", "failed", "failed"), 1)]
    records += [record("y", "passed"), record("y", "passed", 2)]
    found = [(rate["k"], rate["tasks"], rate["value"]) for rate in pass_rates(records)]
    assert found == [
        (1, 2, pytest.approx((1 / 3 + 1) / 2)),
        (2, 2, pytest.approx((2 / 3 + 1) / 2)),
        (3, 1, pytest.approx(1.0)),
    ]
    assert pass_rates([]) == []


def test_a_fault_of_the_environment_never_leaves_the_denominator():
    judged = [record("x", "passed"), record("x", "failed", 2)]
    faulty = [*judged, record("x", "not_judged", 3, **FAULT), record("x", "passed", 4)]
    summary = summary_of(faulty)
    assert summary["attempts"] == 4 and summary["pass_rate"] == 0.5
    assert summary["environment"] == {"unreachable": 1}
    assert summary["pass_at"][0]["value"] == pytest.approx(0.5)
    mended = summary_of([*faulty[:2], record("x", "passed", 3), faulty[3]])
    assert mended["attempts"] == 4 and mended["pass_rate"] == 0.75


def test_single_attempts_need_no_pass_at_k():
    assert "pass_at" not in summary_of([record("x", "passed"), record("y", "failed")])


def test_an_unknown_cost_makes_the_sum_unknown():
    known = {"tokens": 10, "input_tokens": 8, "output_tokens": 2, "cost": 0.25, "calls": 1}
    records = [record("x", "passed", usage=known), record("y", "passed", usage=None)]
    assert usage_of_all(records)["cost"] == 0.25
    unknown = record("z", "passed", usage={**known, "cost": None})
    total = usage_of_all([*records, unknown])
    assert total["cost"] is None and total["tokens"] == 20 and total["calls"] == 2
    assert usage_of_all([record("x", "passed", usage=None)]) is None


def test_joint_rates_are_over_all_attempts():
    alike = {"S": 0.5, "joint": {"0.3": True, "0.4": True, "0.6": False}}
    broken = {"S": 0.9, "joint": dict.fromkeys(("0.3", "0.4", "0.6"), False)}
    unknown = {"S": None, "joint": dict.fromkeys(("0.3", "0.4", "0.6"), None)}
    records = [
        record("x", "passed", metrics=alike),
        record("y", "failed", metrics=broken),
        record("z", "passed", metrics=unknown),
        record("w", "not_judged", **FAULT),
    ]
    similar = summary_of(records)["similarity"]
    assert similar["measured"] == 2 and similar["passed_mean"] == 0.5
    assert similar["all_mean"] == pytest.approx(0.7)
    assert similar["joint"] == {"0.3": 0.25, "0.4": 0.25, "0.6": 0.0}
    assert similar["joint_of_passed"]["0.4"] == 0.5
