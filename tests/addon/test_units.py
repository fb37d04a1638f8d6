# SPDX-License-Identifier: GPL-3.0-or-later
"""Lengths in the units that people choose."""

from __future__ import annotations

import pytest
from plumbline.addon.units import SYSTEMS, length_words, tape_or_decimals


@pytest.mark.parametrize(
    ("metres", "metric", "imperial"),
    [
        (3.9211, "3.92 m", "12' 10 3/8\""),
        (0.038, "38 mm", '1 1/2"'),
        (0.9994, "999 mm", "3' 3 3/8\""),
        (0.9996, "1.00 m", "3' 3 3/8\""),
        (0.3048, "305 mm", "1' 0\""),
        (0.0, "0 mm", '0"'),
        (-0.0254, "-25 mm", '-1"'),
    ],
)
def test_a_length_in_both_systems(metres, metric, imperial):
    assert length_words("metric")(metres) == metric
    assert length_words("imperial")(metres) == imperial


def test_an_unknown_system_is_named():
    with pytest.raises(ValueError, match="'scene': they are metric, imperial"):
        length_words("scene")
    assert all(length_words(system)(1.0) for system in SYSTEMS)


def test_decimals_only_where_a_sixteenth_does_not_tell_lengths_apart():
    assert tape_or_decimals([0.019, 0.038]) == ['3/4"', '1 1/2"']
    assert tape_or_decimals([0.0190, 0.0192]) == ['0.748"', '0.756"']
    assert tape_or_decimals([0.0191, 0.0191]) == ['3/4"', '3/4"']
