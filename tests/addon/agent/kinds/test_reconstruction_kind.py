# SPDX-License-Identifier: GPL-3.0-or-later
"""What protocols are told of simulations: roles, criteria, and what went where."""

from __future__ import annotations

import numpy as np
import pytest
from falling_bodies import ball, recorded
from plumbline.addon.agent.kinds import check_protocol, fitting, kind_for
from plumbline.addon.agent.kinds.reconstruction import criteria_text, listing, roles_text
from plumbline.addon.agent.prompts import Prompts
from plumbline.addon.kinds import KINDS
from plumbline.addon.scene.plain import count_of, structure_to_plain
from plumbline.checks.reconstruction.brief import ReconstructionBrief
from plumbline.checks.reconstruction.simulation import Simulation
from plumbline.tasks import select

TASKS = select(["reconstruction/*"])
KIND = kind_for(TASKS[0])


def test_it_is_the_kind_that_judges():
    assert (KIND.name, KIND.profile) == (
        KINDS["reconstruction"].name,
        KINDS["reconstruction"].profile,
    )


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_every_bundled_task_has_a_prompt_that_names_its_roles(task):
    brief = ReconstructionBrief.from_mapping(task.brief)
    text = Prompts("reconstruction").render("task", KIND.facts(task, "paper"))
    tools = Prompts("tools").render("task_reconstruction", KIND.facts(task, "paper"))
    for role in (role for criterion in brief.criteria for role in criterion.roles):
        assert f"- {role}" in text and f"- {role}" in tools
    for criterion in brief.criteria:
        assert f"- {criterion.id}" in text


def test_a_program_and_tools_can_lead_a_model_through_it():
    assert fitting("reconstruction") == ("atomic", "tools")
    check_protocol(KIND, "atomic")
    with pytest.raises(ValueError, match="managed can't lead a model"):
        check_protocol(KIND, "managed")


def test_roles_say_what_they_must_and_may():
    brief = ReconstructionBrief.from_mapping(
        {"core": ["ball"], "rolling": ["ball"], "admitted": {"jaw": ["keyframes"]}}
    )
    assert roles_text(brief).splitlines() == [
        "- ball: moved by the solver, rolls",
        "- jaw: may be moved by keyframes",
    ]
    assert criteria_text(brief) == "- everything that can be measured of its motion"


def test_bodies_are_listed_with_the_way_they_went():
    way = np.array([[0, 0, 2.0], [0, 0, 1.5]])
    run = recorded((ball("Ball", role="ball"), way), frames=2)
    simulation = Simulation(run)
    assert count_of(structure_to_plain(simulation)) == 1
    line = listing(simulation, 400)
    assert line.startswith("Ball [ball]: rigid, active") and "(0.000, 0.000, 1.500)" in line
    assert listing(simulation, 400, "cube") == ""
    assert listing(simulation, 10) == "and 1 more that are not listed here"
    assert KIND.judge(TASKS[0], structure_to_plain(simulation), "paper").kind == "reconstruction"


def test_members_are_no_simulation():
    nothing = structure_to_plain(KINDS["timber"].empty())
    with pytest.raises(ValueError, match="not run as a simulation"):
        KIND.judge(TASKS[0], nothing, "paper")
