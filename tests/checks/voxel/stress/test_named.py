# SPDX-License-Identifier: GPL-3.0-or-later
"""References by name, of a task, and as a figure."""

import sys
from pathlib import Path

import pytest
from plumbline.checks.voxel.brief import CheckCall, VoxelBrief
from plumbline.checks.voxel.stress.named import LAYOUTS, limit_of, stress_check
from plumbline.checks.voxel.stress.references import own
from plumbline.checks.voxel.structure import VoxelError

sys.path.insert(0, str(Path(__file__).parents[3] / "helpers"))
from voxel_layouts import arch


def task(value):
    call = CheckCall("structural_stability.stress_score", {"von_mises_stress": value})
    return VoxelBrief.of(CheckCall("size.total_blocks", {"n": 30}), call)


def test_a_layout_has_its_published_value_and_its_own():
    assert limit_of("arch_2_2", "sph").pascals == 3887
    assert limit_of("arch_2_2", "fem").pascals == own("arch_2_2") > 1e5
    assert limit_of("flat_bridge", "sph") == (7800.0, "the flat bridge")
    assert all(limit_of(name, "sph") for name in LAYOUTS)


def test_the_reference_of_a_task_holds_for_the_published_solver_and_its_layout_for_the_other():
    assert limit_of("task", "sph", task(3887.0)) == (3887.0, "the task")
    assert limit_of("task", "fem", task(3887.0)).pascals == own("arch_2_2")
    assert limit_of("task", "sph", task(123.0)).pascals == 123.0
    with pytest.raises(VoxelError, match=r"123 Pa holds .* of no known layout"):
        limit_of("task", "fem", task(123.0))


@pytest.mark.parametrize("choice", [None, "none"])
def test_no_reference(choice):
    assert limit_of(choice, "fem", task(3887.0)) is None
    assert limit_of("task", "fem", VoxelBrief()) is limit_of("task", "sph", None) is None


def test_a_figure_counts_as_it_is_and_nonsense_is_told():
    assert limit_of("8943", "fem").pascals == limit_of(8943, "sph").pascals == 8943
    for wrong in ("dome", "-3", "nan", 0.0, float("inf")):
        with pytest.raises(VoxelError, match=r"there is no reference .*; give one in Pa"):
            limit_of(wrong, "fem")


def test_the_check_names_its_reference():
    result = stress_check(LAYOUTS["arch_2_2"].structure(), "fem", "arch_2_2")
    assert result.status == "passed" and result.score == 1
    assert stress_check(arch(), "fem", "arch_2_2").score == pytest.approx(0.887, abs=1e-3)
    assert result.figures["reference_name"] == "the arch on supports of 2 x 2"
    assert stress_check(arch(), "fem").required is False
    assert "no reference 'dome'" in stress_check(arch(), "fem", "dome").reason
