# SPDX-License-Identifier: GPL-3.0-or-later
"""Each flaw is named, by its check and its block or place, and nothing else is found."""

from __future__ import annotations

import re

import pytest
from plumbline import tasks
from plumbline.addon.ranking import worst_first
from plumbline.addon.scene.block_api import block_names
from plumbline.addon.scene.block_log import BlockLog
from plumbline.checks.voxel import CheckCall, VoxelBrief, VoxelStructure, judge
from plumbline.checks.voxel.registry import GRADERS
from plumbline.tasks import Task, TaskError, Twin
from plumbline.tasks.constructions import generate
from plumbline.tasks.constructions.flawed import FLAWS

STRESS = "structural_stability.stress_score"
#: Asked for by no published problem.
UNASKED = "size.min_y_is_leq"
TWINS = [(task, twin) for task in tasks.select(["voxel/*"]) for twin in task.twins]


def run(program: str) -> VoxelStructure:
    log = BlockLog()
    exec(compile(program, "program", "exec"), block_names(log))
    return log.rows().structure()


def brief_of(task: Task, twin: Twin) -> VoxelBrief:
    """The task's brief; without the stress, which takes long, unless that is what it is about."""
    brief = VoxelBrief.from_mapping(task.brief)
    if twin.expectation.root.check == STRESS:
        return brief
    return VoxelBrief(tuple(tuple(c for c in turn if c.fn != STRESS) for turn in brief.turns))


@pytest.mark.parametrize(("task", "twin"), TWINS, ids=[twin.id for _, twin in TWINS])
def test_flaw_is_found_and_nothing_else(task: Task, twin: Twin) -> None:
    judgement = judge(run(twin.program()), brief_of(task, twin))
    scores = {check.id: check.score for check in judgement.checks}
    findings = worst_first(judgement.findings)
    expectation = twin.expectation
    assert expectation.differences(findings, judgement.verdict, scores) == []
    assert expectation.is_met(findings, scores)
    assert str(expectation.root).startswith(expectation.root.check)


def test_every_check_that_is_asked_for_has_a_twin() -> None:
    roots = {twin.expectation.root.check for _, twin in TWINS}
    asked = {call.fn for problem in generate() for turn in problem.checks for call in turn}
    assert {re.sub(r"^turn\d+\.", "", root) for root in roots} == asked
    assert len(asked) == 34 and UNASKED not in asked and {*asked, UNASKED} <= GRADERS.keys()
    assert len(TWINS) == len(FLAWS) and len({flaw.id for flaw in FLAWS}) == len(FLAWS)


def test_piles_that_are_too_short() -> None:
    """No problem asks for the 35th check, so its flaw is judged by a brief of its own."""
    task = tasks.load_task("voxel/1-se-1.2-foundations_deep-01-01")
    brief = VoxelBrief.of(CheckCall(UNASKED, {"max_y": -5}))
    assert judge(run(task.program()), brief).verdict == "passed"
    corners = "((0, 0), (0, 6), (6, 0), (6, 6))"
    shorter = f"for x, z in {corners}:\n    remove_block(x, -5, z)\n"
    (finding,) = judge(run(task.program() + shorter), brief).findings
    assert (finding.check, finding.subject) == (UNASKED, "block (0, -4, 0)")


def test_scores_get_worse_and_nobody_fails() -> None:
    """Efficiency and stress have no limit: their twins pass with a lower score."""
    scored = [twin for _, twin in TWINS if twin.expectation.root.score_below is not None]
    assert [twin.expectation.verdict for twin in scored] == ["passed"] * 3
    for twin in scored:
        root = twin.expectation.root
        assert not twin.expectation.is_met([], {root.check: 1.0})
        assert not twin.expectation.is_met([], {})
        (told,) = twin.expectation.differences([], "passed", {root.check: 1.0})
        assert told == f"score is 1.0, expected {root}"


def test_a_twin_is_its_task_and_a_few_lines_or_another_order() -> None:
    for task, twin in TWINS:
        program = twin.program()
        assert f"# The defect: {twin.defect}" in program
        if program.startswith(task.program()):
            assert program.endswith(twin.patch()) and twin.patch().count("\n") <= 5
        else:
            with pytest.raises(TaskError, match="run its own program"):
                twin.patch()
