# SPDX-License-Identifier: GPL-3.0-or-later
"""A turn of which nothing came fails the check ``program``, whatever stands in the end."""

from __future__ import annotations

from block_episodes import PROMPTS, ROW, SECOND, BlockBench, rows_task
from episodes import ListProvider, program, run_episode
from plumbline.addon.agent.agents import Assignment
from plumbline.addon.runs.verdicts import judgement_of


def judged(folder, *answers):
    provider, task = ListProvider([*answers]), rows_task()
    bench = BlockBench(folder)
    done = run_episode(folder, provider, bench=bench, task=task, profile="paper")
    return judgement_of(Assignment(task, provider.name), done.built, "paper")


def test_a_lost_turn_is_named_beside_the_checks_of_every_turn(tmp_path):
    judgement = judged(tmp_path, "I can't.", program(ROW + SECOND))
    checks = {check.id: check for check in judgement.checks}
    assert judgement.verdict == "failed"
    assert [f.subject for f in checks["program"].findings] == ["turn 1"]
    assert checks["turn1.material.is_block_cnt_equal_to"].status == "vacuous"
    assert checks["turn2.material.is_block_cnt_equal_to"].status == "passed"
    assert len(checks) == 1 + 2 * len(PROMPTS)


def test_where_every_turn_came_to_something_there_is_no_such_check(tmp_path):
    judgement = judged(tmp_path, program(ROW), program(SECOND))
    assert judgement.verdict == "passed"
    assert "program" not in [check.id for check in judgement.checks]
