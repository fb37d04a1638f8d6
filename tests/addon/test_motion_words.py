# SPDX-License-Identifier: GPL-3.0-or-later
"""What became of a rubric in words: the same for the terminal, panels and reports."""

from __future__ import annotations

from plumbline.addon.motion_words import criteria_lines, validity_words

OPEN = {
    "criteria": {"M1": "passed", "M2": "passed", "M4": "failed", "M5": "unresolved"},
    "validity": [0.5, 0.75],
}


def test_criteria_are_told_by_what_became_of_them():
    assert criteria_lines(OPEN) == [
        "criteria: holds: M1, M2; broken: M4; not resolved: M5 (validity 0.50 to 0.75)"
    ]
    assert criteria_lines({"criteria": {"A": "passed"}, "validity": None}) == ["criteria: holds: A"]


def test_without_a_rubric_there_is_nothing_to_tell():
    assert criteria_lines({"bodies": 3}) == [] and validity_words({"bodies": 3}) == ""
    assert criteria_lines({"criteria": "damaged"}) == []
