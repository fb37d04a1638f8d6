# SPDX-License-Identifier: GPL-3.0-or-later
"""Colours of block ids: plausible by their words, stable for all others."""

import numpy as np
import pytest
from plumbline.addon.block_colours import clear_share, colour_of


@pytest.mark.parametrize(
    ("one", "same"),
    [
        ("oak_stairs", "oak_planks"),
        ("red_wool", "red_concrete"),
        ("cobblestone_wall", "cobblestone"),
        ("STONE", "stone"),
    ],
)
def test_alike_by_their_words(one, same):
    assert colour_of(one) == colour_of(same)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("dark_oak_planks", "oak_planks"),
        ("redstone_block", "red_wool"),
        ("red_sandstone", "red_wool"),
        ("light_blue_wool", "blue_wool"),
        ("red_stained_glass", "red_wool"),
        ("bedrock", "red_bed"),
        ("cobblestone", "stone"),
    ],
)
def test_told_apart(one, other):
    assert np.abs(np.subtract(colour_of(one), colour_of(other))).max() > 0.02


def test_stone_is_grey_oak_is_brown_and_red_is_red():
    assert np.ptp(colour_of("stone")) < 0.02
    red, green, blue = colour_of("oak_planks")
    assert red > green > blue
    red, green, blue = colour_of("red_wool")
    assert red > 3 * max(green, blue)


def test_any_other_id_has_a_colour_that_lasts():
    assert colour_of("zorblat") == pytest.approx((0.7998, 0.7832, 0.3289), abs=1e-4)
    assert colour_of("zorblat") != colour_of("zorblit")
    for name in ("", "ü" * 300, "zorblat", "\ud800"):
        assert all(0.0 <= part <= 1.0 for part in colour_of(name))


def test_glass_is_clear_and_stone_is_not():
    assert clear_share("red_stained_glass") > 0.5
    assert clear_share("stone") == 0.0
