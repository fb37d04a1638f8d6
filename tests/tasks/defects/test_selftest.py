# SPDX-License-Identifier: GPL-3.0-or-later
"""Cases of the self-test: the same ones each time, counted right, and able to fail."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from plumbline.checks.timber import judge
from plumbline.tasks.defects.defect import WHOLE
from plumbline.tasks.defects.scorecard import markdown, plain, score
from plumbline.tasks.defects.selftest import A_HOUSE, Case, Job, Told, plan, run
from plumbline.tasks.houses.parameters import STYLES

pytestmark = pytest.mark.once


def test_cases_are_spread_evenly_over_the_styles() -> None:
    jobs = plan(2600, seed=1)
    counted: Counter[str] = Counter()
    for job in jobs:
        counted[job.style] += job.count
    assert counted == dict.fromkeys(STYLES, 200)
    assert max(job.count for job in jobs) == A_HOUSE
    seeds = [job.seed for job in jobs]
    assert len(set(seeds)) == len(seeds)
    assert plan(2600, seed=1) == jobs
    assert plan(2600, seed=2) != jobs
    assert set(plan(520, seed=1)) <= set(jobs)
    assert sum(job.count for job in plan(7, styles=("Ranch", "Barn"))) == 7


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return [*run(Job("Shotgun", 5, 0, 14)), *run(Job("Shotgun", 6, 100, 14))]


def test_a_job_gives_its_cases_each_of_another_kind(cases: list[Case]) -> None:
    assert len(cases) == 28
    kinds = Counter((case.seed, case.kind, case.severity) for case in cases)
    assert max(kinds.values()) == 1
    assert any(case.harmless for case in cases)
    assert any(case.kind.startswith("sound/") for case in cases)
    assert any(case.kind.startswith("flawed/") for case in cases)
    assert run(Job("Shotgun", 5, 0, 3)) == cases[:3]


def test_all_come_as_expected(cases: list[Case]) -> None:
    assert [case.name for case in cases if not case.exact] == []


def test_a_check_that_sees_nothing_is_told() -> None:
    """The self-test can fail: a planted broken check is missed, and only that one."""

    def blind(structure, brief):
        judged = judge(structure, brief)
        dull = [
            replace(check, status="passed", findings=()) if check.id == "load_path" else check
            for check in judged.checks
        ]
        return replace(judged, checks=tuple(dull))

    found = run(Job("Shotgun", 5, 0, 6), blind)
    missed = [case for case in found if not case.exact]
    assert {check for case in missed for check in case.missed} == {"load_path"}
    card = score(found)
    assert card.checks["load_path"].recall == 0.0
    assert not card.perfect


def test_a_check_that_sees_ghosts_is_told() -> None:
    def nervous(structure, brief):
        judged = judge(structure, brief)
        ghost = replace(judge_ghost, subject=structure.names[0])
        checks = [
            replace(check, status="failed", findings=(*check.findings, ghost))
            if check.id == "notching" and len(structure) < SIZE
            else check
            for check in judged.checks
        ]
        return replace(judged, checks=tuple(checks))

    from plumbline.checks.result import Finding
    from plumbline.tasks.houses.generate import generate

    SIZE = len(generate("Shotgun", 5))
    judge_ghost = Finding("notching", "", "Boo.")
    found = run(Job("Shotgun", 5, 0, 4), nervous)
    card = score(found)
    assert card.checks["notching"].strays > 0
    assert card.checks["notching"].precision == 0.0


def test_scores() -> None:
    ok = Case("Ranch", 1, "missing_stud", WHOLE[0].name, "spacing", "Gone.", ("spacing",))
    lost = replace(ok, seed=2, missed=("spacing",), verdict="passed")
    stray = replace(ok, seed=3, strays=(Told("clash", "Plate_1", "Wrong."),))
    card = score([stray, ok, lost])
    spacing, clash = card.checks["spacing"], card.checks["clash"]
    assert (spacing.cases, spacing.found, spacing.missed, spacing.strays) == (3, 2, 1, 0)
    assert spacing.precision == 1.0
    assert spacing.recall == pytest.approx(2 / 3)
    assert (clash.found, clash.strays, clash.precision, clash.recall) == (0, 1, 0.0, None)
    assert [case.seed for case in card.exceptions] == [2, 3]
    assert not card.perfect and not score([]).perfect and score([ok]).perfect


def test_the_page_names_every_exception() -> None:
    lost = Case("Ranch", 2, "missing_stud", "whole", "spacing", "Gone.", ("spacing",), ("spacing",))
    page = markdown(score([lost]), "plumbline selftest timber")
    assert "| spacing | 1 | 0 | 0 | 1 | 0 | - | 0.000 |" in page
    assert "* Ranch/2 missing_stud (whole): Gone. missed: spacing" in page
    assert plain(score([lost]))["exceptions"][0]["wrong"] == ["missed: spacing"]
