# SPDX-License-Identifier: GPL-3.0-or-later
"""A judgement in the words of the released harness: its ten keys, and our reasons beside them.

Its driver hands on ``tests``, ``all_passed``, ``stability_details`` and ``dual_end_details`` and
drops all else, so our reasons travel in ``stability_details["plumbline"]``. A key that it finds
missing counts as passed there: all ten are always given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...checks.result import CheckResult, Finding, Judgement
from ...checks.timber.release import KEYS, release_result
from ...checks.timber.roles import resolve
from ...checks.timber.structure import TimberStructure
from ..ranking import grouped, plain_finding
from ..runs import versions
from ..runs.records import clean

SCHEMA = "plumbline.harness/1"
#: Findings in one answer at most: the harness keeps every answer in memory.
MOST_FINDINGS = 200
#: Names of related members in one finding at most.
MOST_RELATED = 20

#: Which checks of a profile decide each key. Checks of ours that the harness has no word for join
#: the key of the same LoD 350 requirement (geometry, position, interfaces, load path).
CHECKS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "release": {key: (key,) for key in KEYS},
    "paper": {
        "load_path": ("load_path",),
        "span_limits": ("span_limits", "lumber_dimensions"),
        "deflection": ("deflection",),
        "roof_coverage": ("roof_coverage",),
        "gap_detection": ("gap_detection", "oc_spacing"),
        "cantilever": ("cantilever",),
        "stability_score": ("stability_index",),
        "dual_end_connection": ("dual_end",),
    },
    "engineering": {
        "completeness": ("completeness", "reading"),
        "load_path": ("load_path",),
        "span_limits": ("clear_span", "section", "orientation"),
        "deflection": ("clear_span",),  # its limit is the lesser of bending and deflection
        "roof_coverage": ("roof_coverage",),
        "gap_detection": ("spacing", "opening_header", "clash"),
        "point_load": ("point_load",),
        "cantilever": ("cantilever",),
        "stability_score": ("load_path",),
        "dual_end_connection": ("dual_end_connection", "bearing", "notching"),
    },
}


def worded(
    structure: TimberStructure, judgement: Judgement, basis: Judgement, task: str
) -> dict[str, Any]:
    """The harness's result: ``{task_id, all_passed, pass_rate, tests, ..._details}``.

    ``basis`` is the judgement whose checks decide the keys that the profile of ``judgement`` has no
    check for: that of ``release`` where the profile is ``paper``, else the same one.
    """
    own = CHECKS[judgement.profile]
    table = {key: own.get(key, (key,)) for key in KEYS}
    borrowed = [key for key in KEYS if key not in own]
    checks = (*judgement.checks, *map(basis.check, borrowed))
    left_out = _left_out(structure)
    tests = {key: key != "completeness" or not left_out for key in KEYS}
    for check in checks:
        passed = _passed(check, "release" if check.id in borrowed else judgement.profile)
        for key in _keys(table, check.id):
            tests[key] = tests[key] and passed
    return _result(
        task,
        tests,
        judgement.verdict == "passed" and all(tests.values()),
        _stability(judgement, basis),
        _ends(structure, judgement, basis),
        _reasons(judgement, checks, _said(table, checks, left_out)),
    )


def refused(sentence: str, profile: str, task: str) -> dict[str, Any]:
    """The result of a submission that can't be judged: every key fails, with the sentence."""
    finding = Finding("reading", "the submission", sentence, subject_kind="place")
    nothing = Judgement("timber", profile, (CheckResult("reading", "failed", (finding,)),))
    stability = {"score": 0.0, "total_members": 0, "grounded_members": 0}
    ends = ("rafters_checked", "rafters_failed", "studs_checked", "studs_failed")
    reasons = _reasons(nothing, nothing.checks, _said({}, nothing.checks, ()))
    return _result(
        task, dict.fromkeys(KEYS, False), False, stability, dict.fromkeys(ends, 0), reasons
    )


def _result(
    task: str,
    tests: Mapping[str, bool],
    sound: bool,
    stability: Mapping[str, Any],
    ends: Mapping[str, int],
    reasons: Mapping[str, Any],
) -> dict[str, Any]:
    result: dict[str, Any] = clean(
        {
            "task_id": task,
            "all_passed": sound,
            "pass_rate": sum(tests.values()) / len(tests),
            "tests": tests,
            # The driver takes each test from the top of what it gets.
            **tests,
            "stability_details": {**stability, "plumbline": reasons},
            "dual_end_details": ends,
        }
    )
    return result


def _passed(check: CheckResult, profile: str) -> bool:
    """Whether a check is no reason to fail: nothing to check is none where nothing is required.

    In ``release`` nothing to check counts as passed, as it does in the harness.
    """
    if check.status in ("vacuous", "not_applicable"):
        return profile == "release" or not check.required
    return check.status == "passed"


def _keys(table: Mapping[str, tuple[str, ...]], check: str) -> tuple[str, ...]:
    """The keys that a check decides; one that no key claims can't get lost."""
    return tuple(key for key, checks in table.items() if check in checks) or ("completeness",)


def _left_out(structure: TimberStructure) -> tuple[Finding, ...]:
    """Faults of members that could not be read at all, which no profile may pass over."""
    known = set(structure.names)
    return tuple(f for f in structure.findings if f.subject not in known)


def _said(
    table: Mapping[str, tuple[str, ...]],
    checks: Sequence[CheckResult],
    left_out: Sequence[Finding],
) -> list[dict[str, Any]]:
    """Every finding as plain data with the key that it fails: roots first, the worst first."""
    findings = [f for check in checks for f in check.findings]
    told = {(f.check, f.subject) for f in findings}
    findings += [f for f in left_out if (f.check, f.subject) not in told]
    groups = grouped(plain_finding(finding) for finding in findings)
    ordered = [g.root for g in groups] + [f for g in groups for f in g.followers]
    return [_short(_keys(table, finding["check"])[0], finding) for finding in ordered]


def _short(key: str, finding: Mapping[str, Any]) -> dict[str, Any]:
    """A finding without what only pictures use, and with no endless list of names."""
    kept = {name: value for name, value in finding.items() if name not in ("detail", "frame")}
    related = kept["related"]
    kept["related"], kept["more_related"] = related[:MOST_RELATED], len(related[MOST_RELATED:])
    return {"test": key, **kept}


def _reasons(
    judgement: Judgement, checks: Sequence[CheckResult], said: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """What the harness has no place for: our verdict, each check's status, findings, notes."""
    return {
        "schema": SCHEMA,
        "version": versions.plumbline(),
        "profile": judgement.profile,
        "verdict": judgement.verdict,
        "checks": {c.id: {"status": c.status, "reason": c.reason} for c in checks},
        "findings": said[:MOST_FINDINGS],
        "more_findings": len(said[MOST_FINDINGS:]),
        "notes": judgement.notes,
    }


def _stability(judgement: Judgement, basis: Judgement) -> Mapping[str, Any]:
    """Members that reach the ground by the rule of the profile."""
    if judgement.profile != "engineering":
        found: Mapping[str, Any] = release_result(basis, None)["stability_details"]
        return found
    figures = judgement.check("load_path").figures
    total, held = int(figures.get("members", 0)), int(figures.get("supported", 0))
    score = held / total if total else 0.0
    return {"score": score, "total_members": total, "grounded_members": held}


def _ends(structure: TimberStructure, judgement: Judgement, basis: Judgement) -> Mapping[str, int]:
    """Studs and rafters whose ends were checked, and those that failed."""
    if judgement.profile != "engineering":
        found: Mapping[str, int] = release_result(basis, None)["dual_end_details"]
        return found
    check = judgement.check("dual_end_connection")
    roles = dict(zip(structure.names, resolve(structure).role, strict=True))
    failed = {finding.subject for finding in check.findings}
    studs = sum("Stud" in str(roles.get(name)) for name in failed)
    return {
        "rafters_checked": int(check.figures.get("rafters", 0)),
        "rafters_failed": len(failed) - studs,
        "studs_checked": int(check.figures.get("studs", 0)),
        "studs_failed": studs,
    }
