# SPDX-License-Identifier: GPL-3.0-or-later
"""Findings against what a twin expects: the root first, its consequences, and nothing else."""

from __future__ import annotations

from plumbline.checks.result import Finding
from plumbline.tasks.expected import Expectation, ExpectedFinding

EXPECTED = Expectation.from_mapping(
    {
        "verdict": "failed",
        "root": {"check": "load_path", "line": [[0, 0, 0], [4, 0, 0]]},
        "consequences": [
            {"check": "load_path", "subject": "Joist_1"},
            {"check": "spacing", "place": [1, 2, 3]},
        ],
    }
)


def found(check: str, subject: str, at=None, follows: str | None = "load_path:gap") -> Finding:
    kind = "member" if at is None else "place"
    return Finding(
        check, subject, "Wrong.", subject_kind=kind, location=at or (9, 9, 9), follows=follows
    )


GAP = found("load_path", "gap", (3.0, 0.1, 0.1), None)
JOIST = found("load_path", "Joist_1")
BAY = found("spacing", "bay", (1.1, 2.0, 3.0))


def test_as_expected() -> None:
    assert EXPECTED.differences([GAP, JOIST, BAY], "failed") == []
    assert EXPECTED.differences([GAP, BAY, JOIST], "failed") == []


def test_nothing_found() -> None:
    told = EXPECTED.differences([], "passed")
    assert told == [
        "verdict is passed, not failed",
        "no finding at all, expected load_path: from (0.00, 0.00, 0.00) to (4.00, 0.00, 0.00)",
    ]


def test_root_must_come_first() -> None:
    told = EXPECTED.differences([JOIST, GAP, BAY], "failed")
    assert told == [
        "first finding is load_path: Joist_1, expected "
        "load_path: from (0.00, 0.00, 0.00) to (4.00, 0.00, 0.00)"
    ]


def test_unexpected_and_missing() -> None:
    stray = found("clash", "Plate_1")
    told = EXPECTED.differences([GAP, JOIST, stray], "failed")
    assert told == [
        "unexpected finding clash: Plate_1: Wrong.",
        "missing finding spacing: at (1.00, 2.00, 3.00)",
    ]


def test_each_finding_counts_once() -> None:
    told = EXPECTED.differences([GAP, JOIST, JOIST, BAY], "failed")
    assert told == ["unexpected finding load_path: Joist_1: Wrong."]


def test_second_root_is_told() -> None:
    own = found("load_path", "Joist_1", follows=None)
    told = EXPECTED.differences([GAP, own, BAY], "failed")
    assert told == ["load_path: Joist_1 is a root of its own, expected a consequence"]


def test_places_and_members_are_not_the_same() -> None:
    at = ExpectedFinding("spacing", line=((0, 0, 0), (0, 0, 0)))
    assert at.matches(found("spacing", "x", (0.0, 0.0, 0.19)))
    assert not at.matches(found("spacing", "x", (0.0, 0.0, 0.21)))
    assert not at.matches(found("clash", "x", (0.0, 0.0, 0.0)))
    assert not at.matches(found("spacing", "x"))
    assert not ExpectedFinding("spacing", subject="x").matches(found("spacing", "x", (0, 0, 0)))


def test_named_places_and_what_comes_beside_the_root() -> None:
    expected = Expectation.from_mapping(
        {
            "root": {"check": "shape.has_rooms", "named": "rooms at y = 1"},
            "also": [{"check": "size.is_equal", "subject": "block (1, 2, 3)"}],
        }
    )
    rooms = found("shape.has_rooms", "rooms at y = 1", (0, 0, 0), None)
    block = found("size.is_equal", "block (1, 2, 3)", follows=None)
    assert str(expected.root) == "shape.has_rooms: rooms at y = 1"
    assert expected.differences([rooms, block], "failed") == []
    assert expected.differences([rooms], "failed") == [
        "missing finding size.is_equal: block (1, 2, 3)"
    ]
    elsewhere = found("shape.has_rooms", "rooms at y = 2", (0, 0, 0), None)
    assert not expected.is_met([elsewhere]) and not expected.is_met([])
    assert expected.is_met([rooms])
