# SPDX-License-Identifier: GPL-3.0-or-later
"""Colours of a stress: their range, units and legend, and what means nothing."""

import numpy as np
import pytest
from plumbline.addon.palette import STANDARD, UNKNOWN
from plumbline.addon.stress_scale import (
    Span,
    colours_of,
    fitting_span,
    legend_of,
    legend_of_hanging,
)
from plumbline.checks.voxel.stress.score import Field


def field(values, artefact=None, method="fem"):
    n = len(values)
    none = np.zeros(n, bool) if artefact is None else np.array(artefact)
    corners = np.zeros((n, 8, 3))
    return Field(method, np.array(values, float), corners, 0.0, none, None, False, {})


def test_the_range_goes_from_nothing_to_the_greatest():
    assert fitting_span(field([10.0, 250.0, 30.0])) == Span(0.0, 250.0)


def test_an_artefact_does_not_stretch_the_range_unless_there_is_nothing_else():
    assert fitting_span(field([5e3, 7e7], [False, True], "sph")) == Span(0.0, 5e3)
    assert fitting_span(field([6e7, 7e7], [True, True], "sph")) == Span(0.0, 7e7)
    assert fitting_span(field([0.0, np.nan])).high > 0


def test_colours_grow_lighter_with_the_stress_and_stop_at_the_ends():
    rgb = colours_of(np.array([0.0, 25.0, 50.0, 75.0, 100.0, 900.0, np.nan]), Span(0.0, 100.0))
    light = rgb @ (0.2126, 0.7152, 0.0722)
    assert (np.diff(light[:5]) > 0.05).all()
    assert rgb[5] == pytest.approx(rgb[4]) and rgb[6] == pytest.approx(UNKNOWN)
    assert colours_of(np.array([3.0]), Span(3.0, 3.0)).shape == (1, 3)


def test_the_legend_has_a_unit_that_fits_and_says_what_is_beyond():
    legend = legend_of(field([1e3, 223e3]), Span(0.0, 223e3))
    assert legend.title == "Von Mises stress, kPa" and not legend.entries
    assert [words for _, words in legend.ramp.marks] == ["0", "112", "223"]
    narrow = legend_of(field([1e3, 223e3]), Span(1e3, 1e5))
    assert narrow.ramp.marks[-1][1] == "100 and more"


def test_the_legend_says_how_far_a_shape_is_deformed():
    told = [legend_of(field([1e3]), Span(0.0, 1e3), scale).note for scale in (0.0, 2.5, 6774.0)]
    assert told == ["", "deformed, 2.5 times enlarged", "deformed, 6,770 times enlarged"]


def test_the_legend_counts_what_means_nothing():
    legend = legend_of(field([5e3, 7e7, 6e7], [False, True, True], "sph"), Span(0.0, 5e3))
    assert "sph" in legend.title
    assert [(entry.words, entry.count) for entry in legend.entries] == [("means nothing here", 2)]


def test_hanging_parts_have_a_legend_without_figures():
    legend = legend_of_hanging(3, 40, STANDARD)
    assert legend.ramp is None
    assert [entry.count for entry in legend.entries] == [3, 37]
    assert len(legend_of_hanging(4, 4, STANDARD).entries) == 1
