# SPDX-License-Identifier: GPL-3.0-or-later
"""Blocks built by tools, turn by turn: handing a turn in gives out the next one."""

from __future__ import annotations

import json

import pytest
from block_episodes import PROMPTS, ROW, SECOND, BlockBench, blocks_of, counts_of, rows_task
from episodes import ListProvider
from plumbline.addon.agent.agents import AgentError, Assignment, Limits, Workshop
from plumbline.addon.agent.human import HumanAgent
from plumbline.addon.agent.options import AgentOptions
from plumbline.addon.agent.providers.base import Cancel
from plumbline.addon.agent.registry import agent_for
from plumbline.addon.agent.tools.agent import ToolAgent, ToolAgentSettings
from plumbline.addon.agent.tools.loop import LoopSettings
from plumbline.addon.agent.tools.registry import box_for, toolset_for
from plumbline.addon.agent.tools.session import Session
from plumbline.addon.agent.transcript import Transcript, read_events

PROFILE = "paper"


@pytest.fixture
def bench(tmp_path):
    return BlockBench(tmp_path)


def opened(bench, folder, task=None):
    task = task or rows_task()
    tools = toolset_for(task, bench, PROFILE, folder)
    return tools, box_for(task, tools, Limits(attempts=9))


def run(box, code, fresh=False):
    return box.call("run_code", {"code": code, "fresh": fresh})


def test_a_turn_is_built_checked_listed_and_handed_in(bench, tmp_path):
    tools, box = opened(bench, tmp_path)
    assert box.call("check", {}).kind == "nothing_built"
    broken = run(box, ROW + "oops()")
    assert broken.kind == "raised" and broken.plain["scene"] == "nothing stands"
    assert run(box, ROW).plain["blocks"] == 4
    assert box.call("check", {}).plain["verdict"] == "passed"
    handed = box.call("submit", {})
    assert handed.ok and not handed.ended and not box.ended
    assert (handed.plain["turn"], handed.plain["turns"]) == (2, 2)
    assert PROMPTS[1] in handed.plain["next"] and "oak_planks" in handed.plain["next"]
    checked = box.call("check", {}).plain
    assert checked["checks"]["material.is_block_cnt_equal_to"] == "failed"
    run(box, SECOND.replace("oak", "birch"))
    assert counts_of(tools.building.standing) == [4, 8]
    # Anew from what stood when the turn began, not from nothing.
    assert run(box, SECOND, fresh=True).plain["blocks"] == 8
    assert box.call("get_scene", {"query": "planks"}).plain == {
        "ok": True,
        "blocks": 8,
        "listed": [
            "4 blocks, x 0..3, y 1, z 0",
            "- oak_planks: 4, x 0..3, y 1, z 0",
            "Layer by layer from the lowest, rows along x:",
            "y 1: z 0: x 0..3 oak_planks",
        ],
        "left": box.left(),
    }
    assert box.call("submit", {}).ended and box.ended
    (tmp_path / "again").mkdir()
    again = BlockBench(tmp_path / "again").execute(tools.building.program, None, "again")
    assert counts_of(again) == [4, 8] and "birch" not in tools.building.program
    assert tools.building.mishaps == []  # a broken run that was mended costs nothing


def test_turns_of_which_nothing_came_are_kept_as_mishaps(bench, tmp_path):
    tools, box = opened(bench, tmp_path)
    run(box, "oops()")
    assert box.call("submit", {}).plain["turn"] == 2
    assert box.call("submit", {}).ended
    assert counts_of(tools.building.standing) == [0, 0]
    [mishap] = tools.building.mishaps
    assert mishap.subject == "turn 1" and "'oops' is not defined" in mishap.message


def test_a_session_goes_on_in_the_turn_in_which_it_was_put_away(bench, tmp_path):
    task, pictures = rows_task(), tmp_path / "pictures"
    tools = toolset_for(task, bench, PROFILE, tmp_path)
    session = Session.fresh(task, PROFILE, tools, pictures, Limits())
    assert "Request 1 of 2" in session.prompt() and PROMPTS[1] not in session.prompt()
    call = {"do": "call", "tool": "run_code"}
    assert session.answer({**call, "arguments": {"code": ROW, "fresh": True}})["ok"]
    assert session.answer({"do": "call", "tool": "submit", "arguments": {}})["ok"]
    assert not session.over and session.status()["blocks"] == 4
    state = json.loads(json.dumps(session.state()))
    fresh = toolset_for(task, bench, PROFILE, tmp_path)
    later = Session.restored(state, task, fresh, pictures, Limits())
    assert "Request 2 of 2 now" in later.prompt() and PROMPTS[1] in later.prompt()
    assert later.answer({**call, "arguments": {"code": SECOND, "fresh": True}})["blocks"] == 8
    assert later.answer({"do": "call", "tool": "submit", "arguments": {}})["submitted"]
    assert later.over and counts_of(fresh.building.standing) == [4, 8]
    assert fresh.building.program.count("next_turn()") == 1


def calls(*found):
    """A reply that calls tools, written as text."""
    return "\n".join(
        f"<tool_call>\n{json.dumps({'name': name, 'arguments': args})}\n</tool_call>"
        for name, args in found
    )


def test_a_model_is_led_through_both_turns_without_being_shown_any_target(bench, tmp_path):
    provider = ListProvider(
        [
            calls(("run_code", {"code": ROW, "fresh": True}), ("submit", {})),
            calls(("run_code", {"code": SECOND, "fresh": False}), ("submit", {})),
        ]
    )

    def target():
        raise AssertionError("one solution among many must not be shown")

    agent = ToolAgent(provider, ToolAgentSettings(LoopSettings(native=False)))
    with Transcript(tmp_path) as transcript:
        shop = Workshop(bench, tmp_path, transcript, PROFILE, Cancel(), Limits(attempts=9), target)
        built = agent.build(Assignment(rows_task(), agent.name), shop)
    assert built.end == "finished" and counts_of(built.execution) == [4, 8]
    assert blocks_of(built.execution)[(0, 1, 0)] == "oak_planks"
    first, second = provider.requests
    assert PROMPTS[0] in first.messages[0].text and PROMPTS[1] not in first.messages[0].text
    assert PROMPTS[1] in second.messages[-1].text
    assert [e["name"] for e in read_events(tmp_path) if e["type"] == "tool"] == [
        *("run_code", "submit") * 2
    ]


def test_a_person_is_told_what_to_use_instead():
    with pytest.raises(AgentError, match=r"voxel/rows: agent human .* use `plumbline session`"):
        list(HumanAgent(print).assignments([rows_task()]))


def test_brevity_is_for_those_who_are_told_it():
    options = AgentOptions(protocol="tools", brevity="without")
    with pytest.raises(AgentError, match="--brevity is for --protocol atomic and reactive"):
        agent_for("openai/some-model", options)
    with pytest.raises(AgentError, match="can't use --brevity; leave it out"):
        agent_for("scripted", AgentOptions(brevity="without"))
