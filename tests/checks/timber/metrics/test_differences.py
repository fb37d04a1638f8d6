# SPDX-License-Identifier: GPL-3.0-or-later
"""What is missing, extra, displaced or of another size is told member by member."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from plumbline.checks.timber.metrics.findings import DIFFERENCES, OFF, differences, summary
from plumbline.checks.timber.metrics.topology import topology
from plumbline.checks.timber.structure import TimberStructure
from timber_samples import gable_house

HOUSE = gable_house(200)


def row(name):
    return HOUSE.names.index(name)


def changed(name=None, by=(0, 0, 0), half=(1, 1, 1), turn=None, without=(), rename=None):
    """The house with one member moved (m), resized (factors), turned (axes) or renamed."""
    names = [(rename or {}).get(n, n) for n in HOUSE.names]
    center, axes, halves = HOUSE.center.copy(), HOUSE.axes.copy(), HOUSE.half.copy()
    if name is not None:
        center[row(name)] += by
        halves[row(name)] *= half
        if turn is not None:
            axes[row(name)] = turn @ axes[row(name)]
    keep = [k for k, n in enumerate(HOUSE.names) if n not in without]
    made = TimberStructure(tuple(names), HOUSE.explicit_roles, center, axes, halves)
    return made.subset(keep)


def told(candidate, target=HOUSE):
    return differences(topology(target, candidate))


def test_nothing_differs_from_itself():
    assert told(HOUSE) == ()


def test_a_missing_member_is_a_place_with_its_box():
    (finding,) = told(changed(without=["Stud_0010"]))
    assert (finding.check, finding.subject, finding.subject_kind) == (
        "missing",
        "Stud_0010",
        "place",
    )
    assert np.allclose(finding.detail["missing"], HOUSE.corners[row("Stud_0010")])
    assert finding.location == pytest.approx(HOUSE.center[row("Stud_0010")])
    assert "stud of 38 × 89 × 2400 mm" in finding.message
    assert finding.related == ()


def test_a_member_that_is_too_much_is_told_with_the_numbers_of_its_role():
    rafters = sum(n.startswith("Rafter") for n in HOUSE.names)
    (finding,) = told(HOUSE, changed(without=["Rafter_0003"]))
    assert (finding.check, finding.subject) == ("extra", "Rafter_0003")
    assert f"{rafters - 1} rafter members where there are {rafters} here" in finding.message
    assert finding.margin < 0


@pytest.mark.parametrize("by", [(0.12, 0, -0.005), (0.0, 0.5, 0.0)])
def test_a_displaced_member_is_told_the_way_back_within_the_cap_and_beyond_it(by):
    (finding,) = told(changed("Ridge_0001", by))
    assert (finding.check, finding.subject) == ("displaced", "Ridge_0001")
    assert finding.measured == pytest.approx(np.linalg.norm(by))
    assert finding.limit == OFF
    back = np.subtract(finding.detail["to"], finding.detail["from"])
    assert back == pytest.approx(-np.array(by))
    said = {0.12: "(-120, 0, +5) mm", 0.0: "(0, -500, 0) mm"}[by[0]]
    assert f"move it by {said}, to where the target has Ridge_0001" in finding.message


def test_what_stands_too_far_away_is_missing_here_and_extra_there():
    gone, there = told(changed("Ridge_0001", (0, 0, 5.0)))
    assert (gone.check, gone.related) == ("missing", ("Ridge_0001",))
    assert "Ridge_0001 is the nearest that is left over, 5.00 m away" in gone.message
    assert there.check == "extra"


def test_a_small_shift_is_no_difference():
    assert told(changed("Ridge_0001", (0, 0, 0.019))) == ()


@pytest.mark.parametrize(
    ("half", "kind", "said", "figure"),
    [
        ((1, 0.8, 1), "wrong_section", "section is wrong: 38 × 188 × ", 0.047),
        ((0.9, 1, 1), "wrong_length", "length is wrong: 38 × 235 × ", 0.3562),
    ],
)
def test_another_size_is_told_with_both(half, kind, said, figure):
    (finding,) = told(changed("Joist_0003", half=half))
    assert finding.check == kind
    assert said in finding.message
    assert "where the target's Joist_0003 has 38 × 235 × 3562 mm" in finding.message
    assert finding.measured == pytest.approx(figure, abs=1e-3)


def test_a_joist_laid_flat_is_turned():
    flat = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])
    (finding,) = told(changed("Joist_0003", turn=flat))
    assert finding.check == "turned"
    assert finding.measured is None


@pytest.mark.parametrize(
    ("size", "turned"),
    [((0.4, 0.4, 0.2), 0), ((0.1, 0.1, 2.0), 0), ((0.4, 0.4, 0.4), 0), ((0.4, 0.5, 0.2), 1)],
)
def test_sides_of_equal_length_have_no_direction(size, turned):
    """A square pad, a square post and a cube by a quarter turn about z; a longer pad is turned."""
    quarter = np.array([[[0.0, 1, 0], [-1, 0, 0], [0, 0, 1]]])
    one, other = (
        TimberStructure.from_boxes(["Footing_1"], [[0, 0, 0]], axes, [size])
        for axes in (np.eye(3)[None], quarter)
    )
    assert [f.check for f in told(other, one)] == ["turned"] * turned


def test_place_and_size_are_one_finding():
    (finding,) = told(changed("Joist_0003", by=(0.1, 0, 0), half=(1, 0.8, 1)))
    assert finding.check == "displaced"
    assert "move it by (-100, 0, 0) mm" in finding.message
    assert "section is wrong" in finding.message


def test_without_a_role_a_member_is_extra_and_its_place_is_empty():
    gone, there = told(changed(rename={"Stud_0010": "Thing"}))
    assert (gone.check, gone.subject) == ("missing", "Stud_0010")
    assert (there.check, there.subject) == ("extra", "Thing")
    assert "no role by its name" in there.message


def test_summary_counts_by_kind_and_role():
    found = told(changed("Stud_0020", by=(0.1, 0, 0), without=["Rafter_0003", "Stud_0010"]))
    assert summary(found) == {"missing": {"Rafter": 1, "Stud": 1}, "displaced": {"Stud": 1}}
    nothing = told(HOUSE.subset([]))
    assert sum(summary(nothing)["missing"].values()) == len(HOUSE)
    assert list(summary(nothing)) == ["missing"]
    assert set(DIFFERENCES) >= set(summary(nothing))


def test_what_cannot_be_matched_has_no_differences(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    heap = HOUSE.subset([0] * 300)
    assert told(heap, heap) is None
