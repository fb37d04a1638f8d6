# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures of agreement against published and hand-worked examples."""

import math
from itertools import product

import pytest
from plumbline.addon.annotations.agreement import (
    Share,
    cohen,
    fleiss,
    majority,
    mean_and_sd,
    weighted,
    words_for,
)

# Fleiss (1971), table 1: how many of six psychiatrists gave each of thirty patients one of five
# diagnoses; the published kappa is 0.430, agreement 0.5556 and by chance 0.2201.
DIAGNOSES = """
0 0 0 6 0 / 0 3 0 0 3 / 0 1 4 0 1 / 0 0 0 0 6 / 0 3 0 3 0 / 2 0 4 0 0
0 0 4 0 2 / 2 0 3 1 0 / 2 0 0 4 0 / 0 0 0 0 6 / 1 0 0 5 0 / 1 1 0 4 0
0 3 3 0 0 / 1 0 0 5 0 / 0 2 0 3 1 / 0 0 5 0 1 / 3 0 0 1 2 / 5 1 0 0 0
0 2 0 4 0 / 1 0 2 0 3 / 0 0 0 0 6 / 0 1 0 5 0 / 0 2 0 1 3 / 2 0 0 4 0
1 0 0 4 1 / 0 5 0 1 0 / 4 0 0 0 2 / 0 2 0 4 0 / 1 0 5 0 0 / 0 0 0 0 6
"""


def pairs(table):
    """A table of counts as pairs of ratings."""
    cells = product(range(len(table)), repeat=2)
    return [(i, j) for i, j in cells for _ in range(table[i][j])]


def items(counts):
    """Counts an item as ratings."""
    return [[c for c, n in enumerate(row) for _ in range(n)] for row in counts]


def test_two_psychiatrists():
    """Fleiss, Statistical Methods for Rates and Proportions, table of two raters and 100 subjects:
    kappa 0.68 with a standard error of 0.087."""
    found = cohen(pairs([[75, 1, 4], [5, 4, 1], [0, 0, 10]]))
    assert found.observed == pytest.approx(0.89)
    assert found.expected == pytest.approx(0.66)
    assert found.kappa == pytest.approx(0.23 / 0.34)
    low, high = found.interval
    assert (high - low) / 2 / 1.96 == pytest.approx(0.0877, abs=1e-4)


def test_two_readers_of_grants():
    """Worked by hand: 35 of 50 agree; margins 25/25 and 30/20 bring 0.5 by chance."""
    found = cohen(pairs([[20, 5], [10, 15]]))
    assert (found.observed, found.expected) == (0.7, 0.5)
    assert found.kappa == pytest.approx(0.4)
    assert found.items == 50


def test_six_psychiatrists():
    rows = [list(map(int, row.split())) for row in DIAGNOSES.replace("\n", "/").split("/") if row]
    rows = [row for row in rows if row]
    assert len(rows) == 30
    assert {sum(row) for row in rows} == {6}
    found = fleiss(items(rows))
    assert found.observed == pytest.approx(0.5556, abs=5e-4)
    assert found.expected == pytest.approx(0.2201, abs=5e-4)
    assert found.kappa == pytest.approx(0.430, abs=1e-3)
    low, high = found.interval
    assert 0.3 < low < found.kappa < high < 0.6


def test_more_raters_than_categories():
    """Ten subjects, fourteen raters, five categories: 0.210, worked by hand."""
    table = [
        *([0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1]),
        *([7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7]),
    ]
    found = fleiss(items(table))
    assert found.observed == pytest.approx(0.378, abs=5e-4)
    assert found.expected == pytest.approx(0.213, abs=5e-4)
    assert found.kappa == pytest.approx(0.210, abs=5e-4)


def test_numbers_of_raters_may_differ():
    """By hand: pairs that agree are 1 of 1, 1 of 3, 0 of 1; 4 of 7 ratings are a."""
    found = fleiss([["a", "a"], ["a", "b", "b"], ["a", "b"], ["c"], []])
    assert (found.items, found.ratings) == (3, 7)
    assert found.observed == pytest.approx((1 + 1 / 3 + 0) / 3)
    chance = (4 / 7) ** 2 + (3 / 7) ** 2
    assert found.kappa == pytest.approx((4 / 9 - chance) / (1 - chance))
    assert found.interval is None


def test_quadratic_weights():
    """By hand: on a scale of five a step apart counts 15/16, two steps 3/4, four steps nothing."""
    given = [(1, 1), (2, 3), (5, 5), (4, 2)]
    found = weighted(given)
    assert found.observed == pytest.approx((1 + 15 / 16 + 1 + 3 / 4) / 4)
    chance = [1 - (a - b) ** 2 / 16 for a in (1, 2, 5, 4) for b in (1, 3, 5, 2)]
    expected = sum(chance) / 16
    assert found.expected == pytest.approx(expected)
    assert found.kappa == pytest.approx((found.observed - expected) / (1 - expected))
    assert found.kappa > cohen(given).kappa


def test_complete_disagreement_and_agreement():
    assert cohen([(0, 1), (1, 0)]).kappa == pytest.approx(-1.0)
    agreed = cohen([(0, 0), (1, 1)])
    assert agreed.kappa == pytest.approx(1.0)
    assert agreed.interval is None


def test_the_order_of_raters_and_items_is_of_no_account():
    given = pairs([[20, 5, 1], [10, 15, 3], [0, 2, 9]])
    there, back = cohen(given), cohen([(b, a) for a, b in reversed(given)])
    assert there.kappa == pytest.approx(back.kappa)
    assert there.interval == pytest.approx(back.interval)


@pytest.mark.parametrize("found", [cohen([("a", "a")] * 9), fleiss([["a", "a"]] * 9)])
def test_one_category_only_is_not_defined(found):
    assert found.kappa is None
    assert found.interval is None
    assert found.observed == 1.0


@pytest.mark.parametrize("found", [cohen([]), fleiss([]), fleiss([["a"], ["b"]]), weighted([])])
def test_nothing_is_nothing(found):
    assert (found.items, found.observed, found.kappa, found.interval) == (0, None, None, None)


def test_intervals_are_the_same_every_time():
    ratings = items([[3, 1], [2, 2], [4, 0], [0, 4], [1, 3], [3, 1]])
    assert fleiss(ratings).interval == fleiss(ratings).interval


def test_wilsons_interval():
    """Newcombe (1998), table I: 81 of 263 gives 0.2553 to 0.3662; 0 of 20 gives 0 to 0.1611."""
    assert Share(81, 263).interval == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert Share(0, 20).interval == pytest.approx((0.0, 0.1611), abs=5e-5)
    assert Share(0, 0).value is None
    assert Share(0, 0).interval is None


def test_a_majority_is_more_than_anything_else():
    assert majority({"agree": 3, "unsure": 2}) == "agree"
    assert majority({"agree": 2, "unsure": 2, "disagree": 1}) is None
    assert majority({}) is None


def test_means():
    assert mean_and_sd([]) == (None, None)
    assert mean_and_sd([4]) == (4, None)
    assert mean_and_sd([2, 4, 4, 4, 5, 5, 7, 9]) == (5, pytest.approx(math.sqrt(32 / 7)))


def test_words_of_landis_and_koch():
    told = [words_for(k) for k in (None, -0.1, 0.0, 0.2, 0.21, 0.41, 0.61, 0.81, 1.0)]
    assert told == [
        *("", "poor", "slight", "slight", "fair", "moderate", "substantial"),
        *("almost perfect", "almost perfect"),
    ]
