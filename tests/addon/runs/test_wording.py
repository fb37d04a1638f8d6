# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures in carpenters' words, and names that can't speak to a terminal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plumbline.addon.runs import wording


@pytest.mark.parametrize(
    ("metres", "tape"),
    [
        (4.1148, "13' 6\""),  # the 2x8 joist at 12 in of the span tables
        (4.1177, "13' 6 1/8\""),
        (0.0381, '1 1/2"'),
        (0.3048, "1' 0\""),
        (0.3047, "1' 0\""),
        (0.0016, '1/16"'),
        (0.0, '0"'),
        (-0.0001, '0"'),
        (-0.019, '-3/4"'),
        (-4.1148, "-13' 6\""),
    ],
)
def test_a_tape_is_read_to_the_sixteenth(metres, tape):
    assert wording.feet_inches(metres) == tape


@given(st.floats(-100, 100))
def test_a_tape_is_never_off_by_more_than_half_a_sixteenth(metres):
    text = wording.feet_inches(metres)
    sign = -1 if text.startswith("-") else 1
    feet, _, inches = text.strip('-"').rpartition("' ")
    total = 12 * int(feet or 0)
    for part in inches.split():
        top, _, bottom = part.partition("/")
        total += int(top) / int(bottom or 1)
    assert sign * total * wording.INCH == pytest.approx(metres, abs=wording.INCH / 32 + 1e-9)


@pytest.mark.parametrize(
    ("value", "unit", "words"),
    [
        (4.1177, "m", "4.118 m (13' 6 1/8\")"),
        (0.0381, "m", '38.1 mm (1 1/2")'),
        (38.0, "mm", '38 mm (1 1/2")'),
        (-1e-9, "m", '0 mm (0")'),
        (12.3456, "cm3", "12.35 cm³"),
        (0.975, None, "0.975"),
        (0.5, "1", "0.5"),
        (33.69, "deg", "33.69°"),
        (1, "members", "1 member"),
        (-2, "ends", "-2 ends"),
        (1234567.0, "Pa", "1,234,567 Pa"),
        (None, "m", ""),
    ],
)
def test_a_figure_has_its_unit(value, unit, words):
    assert wording.quantity(value, unit) == words


def test_durations_places_and_tallies():
    assert [wording.seconds(s) for s in (0.314, 12.2, 185, 3725)] == [
        "0.31 s",
        "12 s",
        "3 min 05 s",
        "1 h 02 min",
    ]
    assert wording.place((1.0, -0.001, None)) == "1.00, 0.00, ?"
    assert wording.tally(0, 0) == "no faults"
    assert wording.tally(0, 0, "not_judged") == "no verdict"
    assert wording.tally(1, 2) == "1 fault, 1 more follows from it"
    assert wording.tally(2, 5002) == "2 faults, 5,000 more follow from them"


def test_escape_sequences_and_turned_text_are_shown_as_what_they_are():
    name = "Stud\x1b[2J\n\r\x9b31m\u202e\u2028\ud800 Ständer 😀"
    shown = wording.printable(name)
    assert shown == r"Stud\x1b[2J\n\r\x9b31m\u202e\u2028\ud800 Ständer 😀"


@given(st.text())
def test_nothing_printable_moves_the_cursor(text):
    assert wording.printable(text).isprintable()


@given(st.text(st.characters(exclude_categories=["C", "Z"])), st.integers(1, 30))
def test_clipped_text_fits(text, width):
    clipped = wording.clip(text, width)
    assert wording.display_width(clipped) <= width
    assert clipped == text or clipped.endswith("…")


def test_wide_letters_take_two_columns():
    assert wording.display_width("梁_01") == 5
    assert wording.clip("梁梁梁", 5) == "梁梁…"


def test_figures_and_usage_in_words():
    assert [wording.figure(x) for x in (True, False, 12, 0.45678912, "x")] == [
        "yes",
        "no",
        "12",
        "0.456789",
        "x",
    ]
    assert wording.usage({"tokens": 12345, "cost": 0.25}) == "12,345 tokens, $0.2500"
    assert wording.usage({"tokens": 1, "cost": None}) == "1 token, cost unknown"
