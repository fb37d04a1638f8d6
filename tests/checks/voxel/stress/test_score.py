# SPDX-License-Identifier: GPL-3.0-or-later
"""The check ``stress`` and the rule of its score."""

import functools
import sys
from pathlib import Path

import numpy as np
import pytest
from plumbline.checks.voxel import VoxelStructure
from plumbline.checks.voxel.stress import fem, score, solver, sph
from plumbline.checks.voxel.stress.solver import NotSolved

sys.path.insert(0, str(Path(__file__).parents[3] / "helpers"))
from voxel_layouts import arch, box, structure


@pytest.mark.parametrize(
    ("stresses", "value"),
    [
        ([50.0, 200.0], 0.5),
        ([100.0], 1.0),
        ([20.0], 1.0),
        ([], 0.0),
        ([0.0, 0.0], 0.0),
        ([1.0, np.nan], 0.0),
        ([1.0, np.inf], 0.0),
    ],
)
def test_score_is_the_reference_over_the_greatest(stresses, value):
    assert score.score(100.0, np.array(stresses)) == value


@pytest.mark.parametrize(("pascals", "text"), [(62e6, "62 MPa"), (8943, "8.94 kPa"), (3, "3 Pa")])
def test_stress_is_told_in_units_of_its_size(pascals, text):
    assert score.told(pascals) == text


def test_nothing_built_is_vacuous():
    result = score.stress(VoxelStructure.empty())
    assert result.status == "vacuous" and result.score == 0


def test_unknown_method_is_refused():
    with pytest.raises(ValueError, match="fem, sph"):
        score.stress(arch(), "fea")


@pytest.fixture
def no_scipy(monkeypatch):
    for name in [m for m in sys.modules if m.split(".")[0] == "scipy"] + ["scipy"]:
        monkeypatch.setitem(sys.modules, name, None)


def test_without_scipy_few_blocks_are_solved_all_the_same(no_scipy):
    found = fem.solve(arch())
    assert found.solver == "dense" and found.residual < 1e-10
    assert found.von_mises.max() == pytest.approx(222.92e3, rel=1e-4)
    assert found.reaction[:, 1].sum() == pytest.approx(found.weight, rel=1e-6)


def test_without_scipy_many_blocks_are_not_run_and_it_says_what_to_do(no_scipy, monkeypatch):
    monkeypatch.setattr(solver, "DENSE_NODES", 10)
    result = score.stress(arch())
    assert result.status == "not_run" and "pip install scipy" in result.reason
    assert "30 blocks" in result.reason


class TestFiniteElements:
    @pytest.fixture(autouse=True)
    def _scipy(self):
        pytest.importorskip("scipy", reason="the finite elements need SciPy")

    def test_stress_beyond_the_reference_names_the_worst_block(self):
        result = score.stress(arch(), reference=1e5, reference_name="the flat bridge")
        worst = fem.solve(arch()).worst
        cell = arch().positions[worst].tolist()
        (finding,) = result.findings
        assert result.status == "failed" and result.score == pytest.approx(
            1e5 / result.figures["greatest"]
        )
        assert finding.detail["blocks"] == [cell] and finding.margin < 0
        assert finding.clause is None  # the paper has no such check
        assert finding.location == (cell[0], -cell[2], cell[1])
        assert "223 kPa" in finding.message and "the flat bridge" in finding.message

    def test_stress_within_the_reference_passes_with_a_figure_for_every_block(self):
        result = score.stress(arch(), reference=1e6)
        assert result.status == "passed" and result.score == 1
        (measures,) = result.measures
        assert len(measures.subjects) == 30 and measures.utilisation.max() < 0.3
        assert result.figures["weight_N"] > 0 and result.figures["displacement_m"] > 0

    def test_without_a_reference_it_is_shown_and_not_judged(self):
        result = score.stress(arch())
        assert result.status == "inconclusive" and not result.required and result.score is None
        assert result.measures[0].utilisation.max() == 1

    def test_hanging_parts_fail_and_are_named(self):
        layout = structure([(0, 0, 0), (3, 2, 1)])
        result = score.stress(layout, reference=1e6)
        assert result.status == "failed" and result.score == 0
        assert result.findings[0].subject == "block (3, 2, 1)"
        assert "block (3, 2, 1) hangs on nothing" in result.findings[0].message
        assert result.findings[0].detail["blocks"] == [[3, 2, 1]]
        assert result.findings[0].clause is None

    def test_blocks_in_the_ground_have_no_stress_and_a_reason(self):
        result = score.stress(structure([(0, -2, 0), (0, -1, 0)]), reference=1e6)
        assert result.status == "inconclusive" and "lie in the ground" in result.reason

    def test_unknown_materials_are_told(self):
        assert "red_wool" in score.stress(structure([(0, 0, 0)], "red_wool")).reason

    def test_what_moves_by_more_than_a_block_is_told_to_be_out_of_bounds(self):
        post = [(0, y, 0) for y in range(4)]
        result = score.stress(structure(post + [(x, 3, 0) for x in range(1, 50)]), reference=1e9)
        assert result.degraded and "hardly moves" in result.reason

    def test_too_many_blocks_are_not_run(self, monkeypatch):
        monkeypatch.setattr(fem, "MOST_BLOCKS", 10)
        assert score.stress(arch()).status == "not_run"

    def test_figures_that_do_not_converge_decide_nothing(self, monkeypatch):
        monkeypatch.setattr(solver, "MOST_ITERATIONS", 3)
        monkeypatch.setattr(solver, "DIRECT_NODES", 0)
        with pytest.raises(NotSolved, match="of the load"):
            fem.solve(arch())
        assert score.stress(arch(), reference=1e9).status == "inconclusive"


class TestPublishedSolver:
    def test_score_is_measured_against_the_greatest(self, monkeypatch):
        monkeypatch.setattr(sph, "solve", functools.partial(sph.solve, steps=200))
        greatest = sph.solve(arch()).von_mises.max()
        result = score.stress(arch(), "sph", reference=greatest / 2)
        assert result.status == "failed" and result.score == pytest.approx(0.5)
        assert result.findings[0].clause == "MineCEraft, appendix G"
        assert score.stress(arch(), "sph", reference=greatest).status == "passed"
        assert not result.degraded and result.figures["touched"] == 0

    def test_flat_parts_degrade_the_result_and_a_bar_has_no_stress(self, monkeypatch):
        monkeypatch.setattr(sph, "solve", functools.partial(sph.solve, steps=50))
        result = score.stress(box(4, 1, 1, (0, 1, 0)), "sph", reference=3887)
        assert result.status == "inconclusive" and result.score == 0 and result.degraded
        assert result.figures["flat"] == [True] * 4 and "one block thick" in result.reason

    def test_too_many_blocks_are_not_run(self, monkeypatch):
        monkeypatch.setattr(sph, "MOST_BLOCKS", 10)
        result = score.stress(arch(), "sph")
        assert result.status == "not_run" and "finite elements" in result.reason
