# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures as people write them."""

from __future__ import annotations

import pytest
from plumbline.addon.words import check_title, comparison, subject
from plumbline.checks.result import Finding


@pytest.mark.parametrize(
    ("measured", "limit", "unit", "text"),
    [
        (4.12, 3.9123, "m", "4.12 > 3.91 m"),
        (0.019, 0.038, "m", "19 < 38 mm"),
        (0.0125, 0.003, "m", "12 > 3 mm"),
        (0.0376, 0.038, "m", "37.6 < 38.0 mm"),
        (0.7, 1.2, "m", "0.70 < 1.20 m"),
        (19.0, 38.0, "mm", "19 < 38 mm"),
        (0.912, 0.98, None, "0.912 < 0.98"),
        (1.0, 1.0, "1", "1 = 1"),
        (2, 4, "members", "2 < 4 members"),
        (1234.5, 900.0, "cm3", "1,234 > 900 cm3"),
        (5.0, None, "mm", "5 mm"),
        (None, 3.0, "m", ""),
    ],
)
def test_comparison(measured, limit, unit, text):
    finding = Finding("c", "s", "m", measured=measured, limit=limit, unit=unit)
    assert comparison(finding) == text


@pytest.mark.parametrize(
    ("measured", "limit", "unit", "text"),
    [
        (4.12, 3.9123, "m", "13' 6 3/16\" > 12' 10\""),
        (0.019, 0.038, "m", '3/4" < 1 1/2"'),
        (19.0, 38.0, "mm", '3/4" < 1 1/2"'),
        (0.01900, 0.01905, "m", '0.748" < 0.750"'),
        (0.038, 0.038, "m", '1 1/2" = 1 1/2"'),
        (5.0, None, "mm", '3/16"'),
        (2, 4, "members", "2 < 4 members"),
        (0.912, 0.98, None, "0.912 < 0.98"),
    ],
)
def test_comparison_in_feet_and_inches(measured, limit, unit, text):
    finding = Finding("c", "s", "m", measured=measured, limit=limit, unit=unit)
    assert comparison(finding, "imperial") == text


def test_stress_is_compared_in_a_unit_of_its_size():
    told = [
        comparison(Finding("c", "s", "m", measured=a, limit=b, unit="Pa"))
        for a, b in ((3306965.0, 2e6), (5400.0, 3887.0), (90.0, None))
    ]
    assert told == ["3.31 > 2 MPa", "5.4 > 3.89 kPa", "90 Pa"]


def test_titles():
    assert check_title("clear_span") == "Clear span"
    assert check_title("dual_end_connection") == "Both ends connected"


def test_names_that_no_label_can_show_are_escaped():
    assert (
        subject(Finding("c", "Stud\n01 \N{HOUSE BUILDING}", "m")) == "Stud\\n01 \N{HOUSE BUILDING}"
    )
