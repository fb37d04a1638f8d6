# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures over the records of a run: how much passed, pass@k, what it cost.

The denominator of every rate is the number of attempts made. One that could not be judged for a
fault of the environment stays in it (and counts as not passed) instead of leaving it quietly, so a
rate can only rise when ``--resume`` makes good for the fault; the faults stand beside the rates.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

_TOKENS = ("input_tokens", "cached_tokens", "cache_write_tokens", "output_tokens", "tokens")


def pass_at_k(attempts: int, passed: int, k: int) -> float:
    """Chance that at least one of ``k`` attempts passes, from ``passed`` out of ``attempts``.

    The unbiased estimator of Chen et al. 2021 (arXiv:2107.03374, eq. 1), 1 - C(n-c, k) / C(n, k).
    Raises ``ValueError`` unless 1 <= k <= attempts and 0 <= passed <= attempts.
    """
    if not (1 <= k <= attempts and 0 <= passed <= attempts):
        raise ValueError(f"pass@{k} can't be told from {passed} of {attempts} attempts")
    return 1.0 - math.comb(attempts - passed, k) / math.comb(attempts, k)


def pass_rates(records: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """pass@k for k = 1, 2, ... up to the largest number of attempts that a task has.

    Each is the mean over the tasks with at least k attempts: ``{"k", "value", "tasks"}``, where
    ``tasks`` says over how many. A flawed twin counts as a task of its own.
    """
    tries: dict[tuple[Any, ...], list[bool]] = defaultdict(list)
    for record in records:
        name = (record.get("task"), record.get("agent"), record.get("variant"))
        tries[name].append(record["verdict"] == "passed")
    found = []
    for k in range(1, max(map(len, tries.values()), default=0) + 1):
        values = [pass_at_k(len(t), sum(t), k) for t in tries.values() if len(t) >= k]
        found.append({"k": k, "value": math.fsum(values) / len(values), "tasks": len(values)})
    return found


def usage_of_all(records: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """Tokens and cost of all attempts; ``None`` where no model was asked.

    The cost is ``None`` as soon as that of one attempt is unknown.
    """
    used = [usage for record in records if (usage := record.get("usage"))]
    if not used:
        return None
    costs = [one.get("cost") for one in used]
    known = [cost for cost in costs if isinstance(cost, (int, float))]
    total = {name: sum(int(one.get(name) or 0) for one in used) for name in _TOKENS}
    calls = sum(int(one.get("calls") or 0) for one in used)
    return {
        **total,
        "calls": calls,
        "cost": math.fsum(known) if len(known) == len(costs) else None,
    }


def summary_of(records: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The figures of a run: verdicts, faults of the environment beside them, planted defects."""
    verdicts = Counter(record["verdict"] for record in records)
    planted = [r["expectation"] for r in records if r.get("expectation")]
    faults = Counter(r["environment"]["kind"] for r in records if r.get("environment"))
    summary: dict[str, Any] = {
        "attempts": len(records),
        **{verdict: verdicts[verdict] for verdict in ("passed", "failed", "not_judged")},
        "environment": dict(faults),
        "pass_rate": verdicts["passed"] / len(records) if records else None,
    }
    if any(record.get("epoch", 1) > 1 for record in records):
        summary["pass_at"] = pass_rates(records)
    if usage := usage_of_all(records):
        summary["usage"] = usage
    if similar := similarity_of(records):
        summary["similarity"] = similar
    if near := topology_of(records):
        summary["topology"] = near
    if planted:
        summary["planted"] = {
            "twins": len(planted),
            "root_as_expected": sum(one["met"] for one in planted),
            "nothing_unexpected": sum(not one.get("differences") for one in planted),
        }
    return summary


def similarity_of(records: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """Mean S of what passed and of all, and joint rates; ``None`` where S was never measured.

    Joint rates are over all attempts and, labelled so, over those that passed (timber
    specification, section 6). An attempt whose S is unknown is no joint pass.
    """
    measured = [r["metrics"] for r in records if isinstance(r["metrics"].get("joint"), Mapping)]
    if not measured:
        return None
    passed = [r["metrics"] for r in records if r["verdict"] == "passed"]
    limits = list(dict.fromkeys(limit for one in measured for limit in one["joint"]))
    joint = {x: sum((one["joint"] or {}).get(x) is True for one in measured) for x in limits}
    return {
        "measured": sum(_number(one.get("S")) is not None for one in measured),
        "passed_mean": _mean(passed),
        "all_mean": _mean(measured),
        "joint": {limit: n / len(records) for limit, n in joint.items()},
        "joint_of_passed": {x: n / len(passed) for x, n in joint.items()} if passed else None,
    }


def topology_of(records: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """Mean T of what passed and of what failed, and C, M, V and T of all that were measured.

    ``None`` where T was never measured. T apart for passed and failed, since the one says little of
    the other (timber specification, section 6; the published method, section 3.3).
    """
    measured = [r for r in records if _number(r["metrics"].get("T")) is not None]
    if not measured:
        return None
    by_verdict = {
        verdict: [r["metrics"] for r in measured if r["verdict"] == verdict]
        for verdict in ("passed", "failed")
    }
    every = [record["metrics"] for record in measured]
    return {
        "measured": len(measured),
        "passed_mean": _mean(by_verdict["passed"], "T"),
        "failed_mean": _mean(by_verdict["failed"], "T"),
        "all_mean": {name: _mean(every, name) for name in ("C", "M", "V", "T")},
    }


def _mean(metrics: Sequence[Mapping[str, Any]], name: str = "S") -> float | None:
    values = [value for one in metrics if (value := _number(one.get(name))) is not None]
    return math.fsum(values) / len(values) if values else None


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, (int, float)) else None
