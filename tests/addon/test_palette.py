# SPDX-License-Identifier: GPL-3.0-or-later
"""Colours that can be told apart, with figures (CIE 1976; 2.3 is what one just notices)."""

from __future__ import annotations

import numpy as np
import pytest
from colour_vision import EYES, differences, lab, lightness
from plumbline.addon.palette import (
    COLOUR_BLIND_SAFE,
    HEAT_END,
    PALETTES,
    STANDARD,
    UNKNOWN,
    categories,
    heat,
    palette,
)

TONES = ("fault", "related", "sound", "flow", "allowed", "plain")

# Ground of Blender's view: its dark theme's, and its light one's.
GROUNDS = [(0.24, 0.24, 0.24), (0.70, 0.70, 0.70)]


def tones(chosen):
    return [chosen.tone(name) for name in TONES]


def test_the_measure_is_right():
    assert lightness([[1, 1, 1], [0, 0, 0]]) == pytest.approx([100, 0], abs=1e-3)
    # Red of sRGB: 53.24, 80.09, 67.20 (its usual value in CIE L*a*b*, D65).
    assert lab([[1, 0, 0]])[0] == pytest.approx([53.24, 80.09, 67.20], abs=0.05)
    red, green = (0.8, 0.2, 0.2), (0.35, 0.50, 0.1)
    assert differences([red, green], "deuteranopia") < 0.4 * differences([red, green])


@pytest.mark.parametrize("eyes", EYES)
def test_tones_of_the_colour_blind_safe_set_are_far_apart_for_all_eyes(eyes):
    assert differences(tones(COLOUR_BLIND_SAFE), eyes).min() >= 30


def test_and_differ_in_lightness():
    steps = np.diff(np.sort(lightness(tones(COLOUR_BLIND_SAFE))))
    assert steps.min() >= 7.5


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("name", ["standard", "colour_blind_safe"])
def test_every_tone_stands_out_from_the_ground_of_the_view(name, ground):
    for colour in tones(PALETTES[name]):
        assert differences([colour, ground]).min() >= 25, colour


def test_the_standard_tones_are_apart_for_usual_eyes_and_fault_from_related_for_all():
    assert differences(tones(STANDARD)).min() >= 20
    for eyes in EYES:
        assert differences([STANDARD.fault, STANDARD.related], eyes).min() >= 30


def test_own_colours_replace_two_of_the_standard_ones():
    mine = palette("own", fault=(0.1, 0.2, 0.9), related=(0.9, 0.9, 0.1))
    assert (mine.fault, mine.related, mine.sound) == (
        (0.1, 0.2, 0.9),
        (0.9, 0.9, 0.1),
        STANDARD.sound,
    )
    assert palette("standard", fault=(0.1, 0.2, 0.9)) == STANDARD
    assert palette("own", sound=(0.0, 0.0, 1.0)).sound == (0.0, 0.0, 1.0)
    with pytest.raises(AttributeError):
        mine.tone("loud")


def test_heat_becomes_darker_all_the_way_with_a_leap_at_the_limit():
    used = np.linspace(0.0, HEAT_END, 241)
    light = lightness(heat(used))
    assert (np.diff(light) < 0).all()
    leap = light[used <= 1.0][-1] - light[used > 1.0][0]
    assert leap > 20
    usual = np.abs(np.diff(light))[np.r_[True, used[1:-1] < 0.99]].max()
    assert leap > 15 * usual


@pytest.mark.parametrize("eyes", EYES)
def test_the_leap_is_seen_by_all_eyes(eyes):
    assert differences(heat([1.0, 1.0001]), eyes).min() > 25


def test_heat_of_the_unknown_the_endless_and_the_negative():
    assert (heat([np.nan])[0] == UNKNOWN).all()
    assert (heat([np.inf, 7.0]) == heat([HEAT_END])).all()
    assert (heat([-0.5]) == heat([0.0])).all()
    assert heat(0.5).shape == (1, 3) and heat([]).shape == (0, 3)
    known = heat(np.linspace(0.0, HEAT_END, 241))
    for eyes in EYES:
        apart = np.linalg.norm(lab(known, eyes) - lab([UNKNOWN], eyes), axis=-1)
        assert apart.min() > 15, eyes


@pytest.mark.parametrize(("k", "least"), [(8, 30), (12, 28), (24, 16)])
def test_categories_are_apart(k, least):
    assert differences(categories(k)).min() >= least


@pytest.mark.parametrize("eyes", EYES)
def test_the_first_categories_are_apart_for_all_eyes(eyes):
    assert differences(categories(12), eyes).min() >= 16


def test_more_groups_than_colours_still_differ():
    many = categories(60)
    assert many.shape == (60, 3) and many.min() >= 0 and many.max() <= 1
    assert (many[:24] == categories(24)).all()
    assert len({tuple(colour) for colour in many}) == 60
    assert categories(0).shape == (0, 3)
