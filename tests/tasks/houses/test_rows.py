# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of numbers as a person would write them."""

import pytest
from plumbline.tasks.houses.rows import number, period, runs, step_of, steps


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0"), (-0.0, "0"), (2, "2"), (0.038, "0.038"), (-1.25, "-1.25"), (3.2670001, "3.267"),
     (4.8719998, "4.872"), (0.1234567, "0.1234567"), (10.5, "10.5"), (1e-8, "0")],
)  # fmt: skip
def test_a_number_has_no_more_decimals_than_it_needs(value, text):
    assert number(value) == text
    assert float(text) == pytest.approx(value, abs=2.5e-7)


def test_steps_have_few_decimals_and_stay_near():
    values = [round(0.019 + i * 0.406, 6) for i in range(9)]
    assert step_of(values) == 0.406
    thirds = [round(i / 3, 7) for i in range(6)]
    step = step_of(thirds)
    assert step is not None and max(abs(i * step - v) for i, v in enumerate(thirds)) < 5e-7
    assert step_of([0.0, 0.4, 0.81]) is None
    assert step_of([1.0, 1.0, 1.0]) is None


def test_rows_of_equal_steps_are_found_among_others():
    assert runs([0.0, 0.1, 0.5, 0.9, 1.3, 1.7, 1.75]) == [[0.0], [0.1, 0.5, 0.9, 1.3, 1.7], [1.75]]


def test_expressions():
    assert steps([0.0, 0.4, 0.8]) == "steps(0, 0.4, 3)"
    assert steps([0.0, 0.4, 0.9]) == "[0, 0.4, 0.9]"
    row = [0.0, 0.1, 0.5, 0.9, 1.3, 1.75]
    assert steps(row, "every", "T", "at") == "at(T, 0) + every(T, 0.1, 0.4, 4) + at(T, 1.75)"


def test_a_grid_is_told_from_a_row():
    x, y = [0, 0, 1, 1, 2, 2], [5, 6, 5, 6, 5, 6]
    assert period([x, y, [9] * 6]) == (0, 1, 2)
    assert period([y, x, [9] * 6]) == (1, 0, 2)
    assert period([x, [5, 6, 5, 6, 5, 7], [9] * 6]) is None
    assert period([x, [5] * 6, [9] * 6]) is None
