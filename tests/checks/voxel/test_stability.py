# SPDX-License-Identifier: GPL-3.0-or-later
"""Stability against references by name: of the task, of a layout, of the paper's flat bridge."""

import pytest
from plumbline.checks.voxel.brief import BriefError, CheckCall, VoxelBrief
from plumbline.checks.voxel.profiles import judge
from plumbline.checks.voxel.rules import PROFILES
from plumbline.checks.voxel.stability import _limit
from plumbline.checks.voxel.stress.references import FLAT_BRIDGE, REFERENCES, of_value, own
from plumbline.checks.voxel.structure import VoxelStructure

PUBLISHED, OURS = "structural_stability.stress_score", "structural_stability.fem_score"
ARCH = REFERENCES["arch_2_2"].structure()


def judged(fn, args, blocks=ARCH, profile="paper", **brief):
    (check,) = judge(blocks, VoxelBrief.of(CheckCall(fn, args), **brief), profile).checks
    return check


@pytest.mark.parametrize("profile", ["paper", "code"])
def test_the_result_names_the_layout_of_the_tasks_reference(profile):
    check = judged(PUBLISHED, {"von_mises_stress": 3887}, profile=profile)
    assert check.status == "passed" and check.score == 1
    assert check.figures["reference"] == 3887
    assert check.figures["reference_name"] == "the task's arch on supports of 2 x 2"


def test_an_arch_may_be_asked_to_beat_the_flat_bridge_of_the_paper():
    flat = judged(PUBLISHED, {"von_mises_stress": 3887}, arch_reference="flat_bridge")
    assert flat.score == 1 and flat.figures["reference"] == FLAT_BRIDGE
    assert flat.figures["reference_name"] == "the flat bridge of the paper's figure 3"
    # Of what is no arch the task's own value goes on counting.
    rules = PROFILES["paper"].with_arch_reference("flat_bridge")
    assert _limit(rules, 1000.0) == (1000.0, "the task")
    assert _limit(rules, 8943.0) == (8943.0, "the task's two-layer roof on five columns")


def test_a_layout_may_be_named_instead_of_a_stress():
    check = judged(PUBLISHED, {"von_mises_stress": "bridge_arch"})
    assert check.figures["reference"] == 5337 and check.figures["reference_name"] == "the arch"


def test_our_own_score_has_our_own_references():
    same = judged(OURS, {"reference": "arch_2_2"})
    assert same.score == 1 and same.figures["reference"] == own("arch_2_2")
    assert same.figures["reference_name"] == "the arch on supports of 2 x 2"
    half = judged(OURS, {"reference": own("arch_2_2") / 2})
    assert half.score == pytest.approx(0.5) and half.status == "passed"


def test_parts_that_hang_on_nothing_have_no_stability():
    loose = VoxelStructure.from_blocks([(0, 0, 0, "stone"), (0, 2, 0, "stone")])
    check = judged(OURS, {"reference": "arch_2_2"}, loose)
    assert check.score == 0 and "(0, 2, 0)" in check.reason


def test_references_that_there_are_not_are_told():
    for fn, name in ((PUBLISHED, "von_mises_stress"), (OURS, "reference")):
        for wrong in ("dome", -3, "task", True):
            check = judged(fn, {name: wrong})
            assert check.status == "not_run" and name in check.reason
    with pytest.raises(BriefError, match="arch_reference must be task or flat_bridge"):
        VoxelBrief.from_mapping({"checks": [[]], "arch_reference": "flat"})
    read = VoxelBrief.from_mapping({"checks": [[]], "arch_reference": "flat_bridge"})
    assert read.arch_reference == "flat_bridge"


def test_layouts_are_known_by_their_published_value():
    assert of_value(3887).name == "arch_2_2" and of_value(62e6).name == "roof_1_5"
    assert of_value(5337).is_arch and not of_value(8943).is_arch and of_value(1.0) is None


def test_a_limit_fails_by_the_worst_block_and_by_what_hangs():
    fn = "structural_stability.fem_limit"
    within = judged(fn, {"limit": 1.01 * own("arch_2_2")})
    assert within.status == "passed" and within.score == 1 and not within.figures["scored"]
    beyond = judged(fn, {"limit": own("arch_2_2") / 2})
    (finding,) = beyond.findings
    assert beyond.status == "failed" and finding.check == fn and finding.margin < 0
    assert finding.detail["blocks"] == [beyond.figures["at"]]
    assert beyond.measures[0].utilisation.max() == pytest.approx(2.0)
    loose = VoxelStructure.from_blocks([(0, 0, 0, "stone"), (0, 2, 0, "stone")])
    assert "(0, 2, 0)" in judged(fn, {"limit": 1e6}, loose).findings[0].message
