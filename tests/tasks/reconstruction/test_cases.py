# SPDX-License-Identifier: GPL-3.0-or-later
"""The published cases as scenes of ours: each sound one passes, each twin fails as it must.

They are judged as anything is: the program builds a scene, which is simulated on copies, with all
altered runs that its rubric asks for, and the rubric judges what was recorded.
"""

from __future__ import annotations

import bpy
import pytest
from plumbline import tasks
from plumbline.addon.sandbox.policy import vet
from plumbline.addon.simulation.experiments import simulate
from plumbline.addon.simulation.steps import finish
from plumbline.checks.reconstruction import ReconstructionBrief
from plumbline.checks.reconstruction.profiles import check_ids
from plumbline.checks.reconstruction.simulation import judge_simulation
from plumbline.checks.result import Judgement

CASES = tasks.select(["reconstruction/*"])
#: Judged in every Blender: what its solver does with joints, with contact, with an altered scene.
EVERYWHERE = ("newtons_cradle", "gripper_and_block", "roller_and_token")
#: The cases of the paper (arXiv 2610.17288, D.2 and D.3), by the check that tells the fault.
TOLD_BY = {
    "newtons_cradle": "energy",
    "eggs_on_table": "interpenetration",
    "gripper_and_block": "interpenetration",
    "crate_on_table": "interpenetration",
    "ball_on_rollers": "support",
    "flag_in_wind": "cloth",
    "marble_and_dish": "counterfactual",
    "ball_on_a_counter": "counterfactual",
    "beam_on_a_bearing": "counterfactual",
    "draughtsman_and_knight": "counterfactual",
    "roller_and_token": "counterfactual",
}


def short(case: tasks.Task) -> str:
    """The name of a case without its kind."""
    return case.id.rsplit("/", 1)[-1]


def programs() -> list:
    """Every case and every twin, those that tell nothing new in another Blender marked so."""
    listed = []
    for case in CASES:
        marks = [] if short(case) in EVERYWHERE else [pytest.mark.once]
        for twin in (None, *case.twins):
            name = f"{short(case)}:{twin.id if twin else 'sound'}"
            listed.append(pytest.param(case, twin, id=name, marks=marks))
    return listed


def judged(case: tasks.Task, program: str) -> Judgement:
    """What is found on the scene that a program builds."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    exec(compile(program, "program", "exec"), {"__name__": "__main__"})
    brief = ReconstructionBrief.from_mapping(case.brief)
    return judge_simulation(finish(simulate(bpy.context.scene, brief)), brief)


def criteria_of(case: tasks.Task, twin: tasks.Twin) -> set[str]:
    """The criteria that a twin must fail, by the checks that it is told by."""
    told = twin.expectation
    checks = {found.check for found in (told.root, *told.consequences, *told.also)}
    return {
        one.id
        for one in ReconstructionBrief.from_mapping(case.brief).criteria
        if checks & {*one.probes, f"counterfactual.{one.id}"}
    }


@pytest.mark.parametrize(("case", "twin"), programs())
def test_a_case_is_judged_as_it_must_be(case: tasks.Task, twin: tasks.Twin | None) -> None:
    found = judged(case, (twin or case).program())
    outcomes = found.metrics["criteria"]
    reasons = {c.id: c.reason for c in found.checks if c.status not in ("passed", "failed")}
    if twin is None:
        assert [f"{f.key}: {f.message}" for f in found.findings] == []
        assert set(outcomes.values()) == {"passed"}, reasons
        assert found.verdict == "passed", reasons
        return
    assert twin.expectation.differences(found.findings, found.verdict) == []
    meant = criteria_of(case, twin)
    wanted = {name: "failed" if name in meant else "passed" for name in outcomes}
    assert outcomes == wanted, reasons
    validity = found.metrics["validity"]
    assert validity[0] == validity[1] < 1


@pytest.mark.once
def test_all_eleven_are_there() -> None:
    assert {short(case) for case in CASES} == set(TOLD_BY)
    for case in CASES:
        asked = check_ids(ReconstructionBrief.from_mapping(case.brief))
        assert case.twins, case.id
        for twin in case.twins:
            check = twin.expectation.root.check
            assert check in asked and check.split(".")[0] == TOLD_BY[short(case)]


@pytest.mark.once
@pytest.mark.parametrize("case", CASES, ids=short)
def test_an_agent_might_have_written_it(case: tasks.Task) -> None:
    for program in (case.program(), *(twin.program() for twin in case.twins)):
        assert vet(program) == ()
        assert len(program.splitlines()) <= 200
