# SPDX-License-Identifier: GPL-3.0-or-later
"""Concave surfaces, the two rules for the bottom, and plain chords beside them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_voxel import concave, soffit_is_concave, surface_is_concave
from voxel_samples import arch, ask, box, dome, flat_bridge, profile_along_x

TOP, BOTTOM = "shape.is_top_surface_concave", "shape.is_bottom_surface_concave"

STRICT = st.sampled_from([False, True, "non-flat"])
HEIGHTS = st.lists(st.integers(0, 4), min_size=1, max_size=7)


def line(heights):
    return [(x, y, 0, "stone") for x, y in enumerate(heights)]


@pytest.mark.parametrize(
    ("heights", "passing"),
    [
        ([1, 2, 1], {False, True, "non-flat"}),
        ([0, 1, 1, 0], {False, "non-flat"}),
        ([2, 2, 2], {False}),
        ([0, 1, 2], {False, "non-flat"}),
        ([2, 1, 2], set()),
        ([0, 0, 1, 2, 1], set()),  # an abutment two blocks long bends the other way
        ([5], {False}),
        ([0, 3], {False, True, "non-flat"}),
        ([3, 3], {False}),
    ],
)
def test_profiles(heights, passing):
    """Crosswise every slice is one column, so that only a flat or lone one can pass it."""
    for strict in (False, True, "non-flat"):
        wanted = strict in passing
        assert concave(heights, strict) == wanted
        # Lone columns across pass without strictness, as published.
        assert (ask(line(heights), TOP, strict=strict).score == 1) == (wanted or strict is False)


@settings(max_examples=60, deadline=None)
@given(st.lists(HEIGHTS, min_size=1, max_size=4), STRICT)
def test_as_with_every_chord_of_every_slice(rows, strict):
    made = [(x, y, z, "stone") for z, row in enumerate(rows) for x, y in enumerate(row)]
    assert (ask(made, TOP, strict=strict).score == 1) == surface_is_concave(made, True, strict)
    belly = ask(made, BOTTOM, strict=strict, bottom="belly")
    assert (belly.score == 1) == surface_is_concave(made, False, strict)
    soffit = ask(made, BOTTOM, strict=strict, bottom="soffit")
    assert (soffit.score == 1) == soffit_is_concave(made, strict)


def test_the_published_arch_has_a_soffit_and_no_belly():
    assert len(arch()) == 30
    assert ask(arch(), TOP, strict="non-flat").score == 1
    soffit = ask(arch(), BOTTOM, strict="non-flat")
    assert soffit.score == 1 and soffit.figures["bottom"] == "soffit"
    for belly in (
        ask(arch(), BOTTOM, "code", strict="non-flat"),
        ask(arch(), BOTTOM, strict="non-flat", bottom="belly"),
    ):
        assert belly.score == 0 and belly.figures["bottom"] == "belly"
    assert ask(arch(), BOTTOM, "code", strict="non-flat", bottom="soffit").score == 1


def test_a_flat_bridge_is_no_arch():
    for surface in (TOP, BOTTOM):
        check = ask(flat_bridge(), surface, strict="non-flat")
        assert check.score == 0 and "it is flat" in check.findings[0].message
        assert ask(flat_bridge(), surface).score == 1  # level is allowed unless asked otherwise


def test_a_hanging_deck_is_a_belly():
    hanging = profile_along_x([(3, 4), (2, 4), (1, 4), (2, 4), (3, 4)])
    assert ask(hanging, BOTTOM, "code", strict="non-flat").score == 1
    check = ask(hanging, BOTTOM, strict="non-flat")  # one support, at the lowest column
    assert check.score == 0 and "nothing spans" in check.findings[0].message


def test_the_slice_that_comes_nearest_is_named_with_its_dip():
    dented = [b for b in arch() if b[:2] != (4, 3)] + [(4, 2, z, "stone") for z in (0, 1)]
    check = ask(dented, TOP, strict="non-flat")
    finding = check.findings[0]
    assert check.score == 0 and "slice z = 0 comes nearest" in finding.message
    assert finding.detail["blocks"] == [[4, 2, 0]]
    assert [c[0] for c in finding.detail["slice"]] == list(range(9))


def test_two_spans_both_count():
    good = [(0, 0), (1, 2), (2, 2), (1, 2), (0, 0)]
    flat = [(2, 2), (2, 2), (2, 2), (0, 0)]
    assert ask(profile_along_x(good + good[1:]), BOTTOM, strict="non-flat").score == 1
    check = ask(profile_along_x(good + flat), BOTTOM, strict="non-flat")
    assert check.score == 0
    assert {c[0] for c in check.findings[0].detail["slice"]} == {5, 6, 7}


def test_a_cantilever_beyond_the_supports_spans_nothing():
    overhang = [(0, 0), (1, 2), (2, 2), (1, 2), (0, 0), (5, 5), (5, 5)]
    assert ask(profile_along_x(overhang), BOTTOM, strict="non-flat").score == 1


@pytest.mark.parametrize("diameter", range(5, 11))
def test_domes_bulge(diameter):
    assert ask(dome(diameter), TOP, strict="non-flat").score == 1


def test_one_footway_is_enough_between_parapets():
    footway = [(x, y, 1, "stone") for x, y in enumerate([0, 1, 2, 1, 0])]
    parapets = [(x, y, z, "stone") for z in (0, 2) for x, y in enumerate([5, 6, 5, 6, 5])]
    check = ask(footway + parapets, TOP, strict="non-flat")
    assert check.score == 1 and check.figures["slice"] == "slice z = 1"


def test_a_slab_is_concave_unless_it_must_not_be_flat():
    slab = box((0, 4), (0, 0), (0, 4))
    assert ask(slab, TOP).score == 1
    assert ask(slab, TOP, strict=True).score == ask(slab, TOP, strict="non-flat").score == 0
