# SPDX-License-Identifier: GPL-3.0-or-later
"""Design values, size factors and dressed sizes."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plumbline.checks.timber import lumber
from plumbline.checks.timber.brief import INCH, PSI, TimberBrief


def test_brief_default_is_in_the_tables():
    brief = TimberBrief()
    assert brief.species in lumber.SPECIES
    assert brief.grade in lumber.GRADES


@pytest.mark.parametrize(
    ("alias", "key"),
    [
        ("SPF", "spruce-pine-fir"),
        ("DF-L", "douglas-fir-larch"),
        ("SP", "southern-pine"),
        ("HF", "hem-fir"),
        ("Hem Fir", "hem-fir"),
        ("SOUTHERN_PINE", "southern-pine"),
    ],
)
def test_aliases(alias, key):
    assert lumber.canonical_species(alias) == key


@pytest.mark.parametrize("text", ["2", "No. 2", "no.2", "#2", "No 2"])
def test_ways_of_writing_a_grade(text):
    assert lumber.canonical_grade(text) == "2"


def test_select_structural():
    assert lumber.canonical_grade("Select Structural") == "SS"


@pytest.mark.parametrize(
    "call",
    [lambda: lumber.design_values("oak", "2"), lambda: lumber.design_values("SPF", "stud")],
)
def test_unknown_wood_is_refused_with_what_there_is(call):
    with pytest.raises(lumber.LumberError, match="known: "):
        call()


@pytest.mark.parametrize("table", [lumber.DIMENSION_LUMBER, lumber.TIMBERS])
def test_emin_is_what_the_nds_derives_from_e(table):
    """NDS appendix D: Emin = E (1 - 1.645 COV) 1.03 / 1.66, COV 0.25, printed to 10 ksi."""
    for grades in table.values():
        for row in grades.values():
            derived = row.modulus * (1 - 1.645 * 0.25) * 1.03 / 1.66
            assert row.modulus_min == pytest.approx(derived, abs=8e3 * PSI)


def test_better_grades_are_stronger_and_stiffer():
    for table in (lumber.DIMENSION_LUMBER, lumber.TIMBERS):
        for grades in table.values():
            rows = [grades[g] for g in lumber.GRADES if g in grades]
            for better, worse in itertools.pairwise(rows):
                assert better.modulus >= worse.modulus
                for (_, high), (_, low) in zip(better.bending, worse.bending, strict=True):
                    assert high >= low


def test_size_factors_by_depth():
    depth = np.array([3.5, 5.5, 7.25, 9.25, 11.25, 13.25]) * INCH
    assert lumber.size_factor(1.5 * INCH, depth).tolist() == [1.5, 1.3, 1.2, 1.1, 1.0, 0.9]
    assert lumber.size_factor(3.5 * INCH, depth).tolist() == [1.5, 1.3, 1.3, 1.2, 1.1, 1.0]


def test_size_factor_between_two_sizes_is_that_of_the_larger():
    assert lumber.size_factor(0.038, 0.200) == lumber.size_factor(0.038, 0.235)


def test_southern_pine_bending_comes_by_size_without_a_size_factor():
    depth = np.array([0.089, 0.140, 0.184, 0.235, 0.286, 0.337])
    psi = lumber.bending_value(0.038, depth, "SP", "2") / PSI
    assert psi == pytest.approx([1100, 1000, 925, 800, 750, 675])


def test_thick_southern_pine():
    assert lumber.bending_value(0.089, 0.235, "SP", "2") / PSI == pytest.approx(880)
    assert lumber.bending_value(0.089, 0.140, "SP", "2") / PSI == pytest.approx(1000)


def test_three_plies_are_three_2x_and_no_timber():
    whole = 3 * 0.038
    assert lumber.bending_value(whole, 0.235, "SPF", "2", plies=3) / PSI == pytest.approx(962.5)
    assert not lumber.is_timber(whole / 3)
    assert lumber.is_timber(0.140)


def test_timbers_have_values_of_their_own():
    assert lumber.bending_value(0.140, 0.235, "SPF", "2") / PSI == pytest.approx(600)
    assert lumber.modulus(0.140, "SPF", "2") / PSI == pytest.approx(1.0e6)
    assert lumber.shear_value(0.140, "SPF", "2") / PSI == pytest.approx(125)
    deep = lumber.bending_value(0.140, 24 * INCH, "SPF", "2") / PSI
    assert deep == pytest.approx(600 * 0.5 ** (1 / 9))


@pytest.mark.parametrize(
    ("width", "depth", "name", "plies"),
    [
        (0.038, 0.089, "2x4", 1),
        (0.0381, 0.1397, "2x6", 1),
        (0.286, 0.038, "2x12", 1),
        (0.089, 0.089, "4x4", 1),
        (0.140, 0.140, "6x6", 1),
        (0.019, 0.140, "1x6", 1),
        (0.076, 0.235, "2x10", 2),
        (0.114, 0.184, "2x8", 3),
        (0.152, 0.286, "2x12", 4),
    ],
)
def test_sections_and_what_they_stand_for(width, depth, name, plies):
    index, count = lumber.match_size([width], [depth])
    assert (lumber.size_name(int(index[0])), int(count[0])) == (name, plies)


@pytest.mark.parametrize("section", [(0.050, 0.200), (0.042, 0.089), (0.038, 0.150), (0.3, 0.3)])
def test_sections_that_no_yard_sells(section):
    index, plies = lumber.match_size([section[0]], [section[1]])
    assert (int(index[0]), int(plies[0])) == (-1, 0)


def test_drawn_in_round_millimetres_means_the_dressed_size():
    width, depth = lumber.dressed([0.038, 0.140, 0.050], [0.140, 0.038, 0.200])
    assert width == pytest.approx([0.0381, 0.1397, 0.050])
    assert depth == pytest.approx([0.1397, 0.0381, 0.200])


def test_dressed_plies():
    width, depth = lumber.dressed(0.076, 0.235)
    assert (float(width), float(depth)) == pytest.approx((0.0762, 0.23495))


@given(
    st.floats(0.0, 2.0, allow_nan=False),
    st.floats(0.0, 2.0, allow_nan=False),
)
def test_dressed_never_moves_a_side_by_more_than_the_tolerance(width, depth):
    thin, deep = lumber.dressed(width, depth)
    assert abs(float(thin) - width) <= lumber.SIZE_TOLERANCE + 1e-9
    assert abs(float(deep) - depth) <= lumber.SIZE_TOLERANCE + 1e-9
