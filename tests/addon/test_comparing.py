# SPDX-License-Identifier: GPL-3.0-or-later
"""What differs between two attempts."""

from __future__ import annotations

import numpy as np
import pytest
from plumbline.addon.comparing import MOVED, Side, apart, compare
from plumbline.addon.runs.records import Result
from plumbline.checks.result import CheckResult, Finding, Judgement

CUBE = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)


def record(*checks, metrics=None, **said):
    judgement = Judgement("timber", "engineering", checks, metrics or {})
    return Result(judgement, timing={"total": 2.0}, **said).to_record()


def failed(check, *subjects, follows=None):
    found = tuple(Finding(check, s, f"{s} is wrong", follows=follows) for s in subjects)
    return CheckResult(check, "failed", found)


def boxes(*offsets):
    return np.array([CUBE + offset for offset in offsets])


def test_an_attempt_differs_in_nothing_from_itself():
    one = record(failed("clash", "Stud_01"), CheckResult("load_path", "passed"))
    same = compare(
        Side(one, ("Stud_01",), boxes((0, 0, 0))), Side(one, ("Stud_01",), boxes((0, 0, 0)))
    )
    assert same.same_verdict and same.same_findings and not same.figures
    assert all(pair.same for pair in same.checks) and len(same.both) == 1
    assert (same.members.only_a, same.members.moved, same.members.alike) == ((), (), 1)


def test_findings_are_told_apart_by_check_and_subject():
    a = record(failed("clash", "Stud_01", "Stud_02"))
    b = record(failed("clash", "Stud_02", "Stud_03"), failed("bearing", "Stud_01"))
    found = compare(Side(a), Side(b))
    assert [f["subject"] for f in found.only_a] == ["Stud_01"]
    assert {(f["check"], f["subject"]) for f in found.only_b} == {
        ("clash", "Stud_03"),
        ("bearing", "Stud_01"),
    }
    assert [f["subject"] for f in found.both] == ["Stud_02"]
    assert not found.same_findings and found.same_verdict


def test_roots_come_before_what_follows_from_them():
    a = record(
        failed("bearing", "Joist_01", follows="load_path:Beam_01"), failed("load_path", "Beam_01")
    )
    found = compare(Side(a), Side(record(CheckResult("load_path", "passed"))))
    assert [f["subject"] for f in found.only_a] == ["Beam_01", "Joist_01"]
    assert found.verdicts == ("failed", "passed")


def test_checks_of_other_rules_are_not_asked():
    a = record(CheckResult("load_path", "passed"), failed("clash", "A"))
    b = record(failed("clash", "A", "B"), CheckResult("lap", "not_run", reason="no SciPy"))
    pairs = {pair.check: pair for pair in compare(Side(a), Side(b)).checks}
    assert (pairs["load_path"].a, pairs["load_path"].b) == ("passed", None)
    assert (pairs["lap"].a, pairs["lap"].b) == (None, "not_run")
    assert (pairs["clash"].faults_a, pairs["clash"].faults_b) == (1, 2) and not pairs["clash"].same


def test_members_gone_come_and_moved():
    a = Side(record(), ("One", "Two", "Three"), boxes((0, 0, 0), (5, 0, 0), (9, 0, 0)))
    b = Side(record(), ("Three", "One", "Four"), boxes((9, 0, 0.25), (0, 0, 0), (1, 1, 1)))
    members = compare(a, b).members
    assert (members.only_a, members.only_b, members.alike) == (("Two",), ("Four",), 1)
    assert members.moved == (("Three", pytest.approx(0.25)),)


def test_the_furthest_moved_comes_first_and_a_missing_place_counts_as_moved():
    a = Side(record(), ("P", "Q", "R"), boxes((0, 0, 0), (0, 0, 0), (0, 0, 0)))
    b = Side(record(), ("P", "Q", "R"), boxes((0.1, 0, 0), (0.3, 0, 0), (np.nan, 0, 0)))
    moved = compare(a, b).members.moved
    assert [name for name, _ in moved] == ["R", "Q", "P"] and moved[0][1] == np.inf


def test_without_a_scene_members_are_unknown_not_equal():
    assert compare(Side(record(), ("One",), boxes((0, 0, 0))), Side(record())).members is None


def test_corners_have_no_order_and_a_hair_is_no_move():
    turned = CUBE[::-1][None]
    assert apart(CUBE[None], turned) == pytest.approx([0.0])
    assert apart(CUBE[None], CUBE[None] + [0, 0, MOVED / 2]) < MOVED
    assert apart(np.zeros((0, 8, 3)), np.zeros((0, 8, 3))).shape == (0,)
    # A longer box has moved at one end alone.
    longer = CUBE[None] * [1, 1, 1.5]
    assert apart(CUBE[None], longer) == pytest.approx([0.5])


def test_many_members_are_measured_in_pieces():
    rng = np.random.default_rng(3)
    offsets = rng.normal(size=(9000, 1, 3))
    moved = np.zeros((9000, 1, 3))
    moved[8999] = 2.0
    distance = apart(CUBE + offsets, CUBE + offsets + moved)
    assert (distance > MOVED).nonzero()[0].tolist() == [8999]


def test_figures_that_differ_with_what_it_cost():
    a = record(metrics={"members": 10, "S": 0.5, "flag": True}, usage={"tokens": 5, "cost": None})
    b = record(metrics={"members": 12, "S": 0.5}, usage={"tokens": 9, "cost": 0.25})
    figures = {figure.name: (figure.a, figure.b) for figure in compare(Side(a), Side(b)).figures}
    assert figures == {"members": (10, 12), "tokens": (5, 9), "cost": (None, 0.25)}
