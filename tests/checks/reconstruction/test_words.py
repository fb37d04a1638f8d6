# SPDX-License-Identifier: GPL-3.0-or-later
"""Lengths of one sentence are in one unit, and an intervention is named as people name it."""

from __future__ import annotations

import pytest
from plumbline.checks.reconstruction.words import alteration_words, lengths


@pytest.mark.parametrize(
    ("metres", "said"),
    [
        ((0.115, 0.002), ("115 mm", "2 mm")),
        ((0.0639, 0.0), ("63.9 mm", "0 mm")),
        ((1.2e-8, -1e-9, 0.0065), ("0 mm", "0 mm", "6.5 mm")),
        ((1.25, 0.002), ("1.25 m", "0.002 m")),
        ((-12345.6, 0.5), ("-12300 m", "0.5 m")),
    ],
)
def test_lengths_of_one_sentence_have_one_unit(metres, said):
    assert lengths(*metres) == said


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"kind": "release", "object": "marble"}, "Marble.001 released elsewhere"),
        ({"kind": "remove", "object": "dish"}, "without dish"),
        ({"kind": "gravity", "scale": 0}, "gravity off"),
        (
            {"kind": "remove_contact", "pair": ["marble", "dish"]},
            "no contact of Marble.001 and dish",
        ),
        ({"kind": "mass", "object": "marble", "scale": 2}, "other mass of Marble.001"),
    ],
)
def test_an_alteration_is_told_by_the_names_of_objects(told, said):
    assert alteration_words(told, lambda n: {"marble": "Marble.001"}.get(n, n)) == said
