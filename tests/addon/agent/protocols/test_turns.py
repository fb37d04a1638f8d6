# SPDX-License-Identifier: GPL-3.0-or-later
"""Tasks asked for turn by turn: one conversation, one world, and what a lost turn leaves."""

import pytest
from block_episodes import PROMPTS, ROW, SECOND, BlockBench, blocks_of, counts_of, rows_task
from episodes import QUIET, ListProvider, hut_task, program, run_episode
from plumbline.addon.agent.agents import AgentError, Limits
from plumbline.addon.agent.led import led
from plumbline.addon.agent.model_agent import ModelAgent
from plumbline.addon.agent.options import AgentOptions
from plumbline.addon.agent.protocols import ProtocolOptions
from plumbline.tasks import load_task
from plumbline.tasks.constructions.system_prompt import system_prompt

FLOATING = 'line(0, 2, 0, 3, 2, 0, "oak_planks")\n'


def episode(folder, answers, protocol="atomic", task=None, options=QUIET, **more):
    provider = ListProvider(answers)
    bench = BlockBench(folder)
    task = task or rows_task()
    done = run_episode(
        folder, provider, protocol, options, bench=bench, task=task, profile="paper", **more
    )
    return done, provider, bench


def again(folder, built):
    """What the whole program of an attempt leaves in an empty world."""
    (folder / "again").mkdir()
    return BlockBench(folder / "again").execute(built.program, None, "again")


# --- atomic: the published way --------------------------------------------------------------------


def test_a_program_a_turn_on_the_blocks_that_stand_and_nothing_is_told(tmp_path):
    done, provider, bench = episode(tmp_path, [program(ROW), program(SECOND)])
    built = done.built
    assert (built.end, built.mishaps) == ("finished", ())
    assert counts_of(built.execution) == [4, 8]
    assert [(label, start) for label, _, start in bench.runs] == [
        ("turn-1", None),
        ("turn-2-begins", "turn-1"),
        ("turn-2", "turn-2-begins"),
    ]
    first, second = provider.requests
    assert [m.text for m in first.messages] == [PROMPTS[0]]
    assert [m.text for m in second.messages] == [PROMPTS[0], program(ROW), PROMPTS[1]]
    for checks in ("is_block_cnt_equal_to", "ground"):
        assert checks not in "".join(m.text for m in second.messages)
    assert [e["verdict"] for e in done.of("judgement")] == ["passed", "passed"]
    assert built.metrics == {"attempts": 2, "turns": 2, "brevity": "with", "turns_lost": 0}


def test_the_whole_program_builds_it_anew_with_its_turns(tmp_path):
    own = "from __future__ import annotations\n\ndef line(x):\n    place_block(x, 0, 0, 'stone')\n"
    own += "list = [line(x) for x in range(4)]\n"
    after = SECOND + "place_block(*list((9, 0, 0)), 'dirt')\n"
    done, _, _ = episode(tmp_path, [program(own), program(after)])
    assert counts_of(done.built.execution) == [4, 9]
    redone = again(tmp_path, done.built)
    assert counts_of(redone) == [4, 9]
    assert blocks_of(redone) == blocks_of(done.built.execution)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("I would lay a second row.", "held no program"),
        ("", "was empty"),
        (("No.", "refusal"), "declined"),
        (program("place_block(0.5, 1, 0, 'stone')"), "ValueError: x = 0.5 is no whole number"),
        (program(SECOND + "oops()"), "name 'oops' is not defined (line 2)"),
        (program("import os\nos.remove('x')"), "was not run, line 2"),
        (program("next_turn()\n" + SECOND), "next_turn(), which is not its to call"),
        (program(SECOND) + program(SECOND), "held several programs"),
    ],
)
def test_a_lost_turn_leaves_the_blocks_of_the_one_before(tmp_path, answer, words):
    done, provider, _ = episode(tmp_path, [program(ROW), answer])
    built = done.built
    assert built.end == "finished" and counts_of(built.execution) == [4, 4]
    [mishap] = built.mishaps
    assert (mishap.check, mishap.subject, mishap.subject_kind) == ("program", "turn 2", "place")
    assert words in mishap.message and mishap.message.endswith("; the blocks of turn 1 stand.")
    assert built.metrics["turns_lost"] == 1 and len(provider.requests) == 2
    assert counts_of(again(tmp_path, built)) == [4, 4]


def test_a_lost_first_turn_and_two_refusals_do_not_end_it(tmp_path):
    task = load_task("voxel/4-cm-9-multi(5)-turn-revision-01-01")
    no = ("No.", "refusal")
    done, provider, _ = episode(tmp_path, [no, no, program(ROW), no, program(SECOND)], task=task)
    assert done.built.end == "finished" and len(provider.requests) == 5
    assert counts_of(done.built.execution) == [0, 0, 4, 4, 8]
    assert [m.subject for m in done.built.mishaps] == ["turn 1", "turn 2", "turn 4"]
    assert done.built.mishaps[0].message.endswith("; nothing stands.")
    # All turns stand in the last question, however long the conversation.
    assert [m.text for m in provider.requests[-1].messages if m.role == "user"] == [*task.prompts]


def test_where_nothing_ever_stood_an_empty_world_is_handed_in(tmp_path):
    done, _, _ = episode(tmp_path, ["Sorry."], task=rows_task(1))
    assert counts_of(done.built.execution) == [0] and done.built.execution.ok
    assert [m.subject for m in done.built.mishaps] == ["program"]


def test_a_limit_ends_it_with_what_stands(tmp_path):
    done, provider, _ = episode(tmp_path, [program(ROW)], limits=Limits(attempts=1))
    assert done.built.end == "attempts" and len(provider.requests) == 1
    assert blocks_of(done.built.execution).keys() == {(x, 0, 0) for x in range(4)}


def test_every_task_has_a_conversation_of_its_own(tmp_path):
    provider = ListProvider([program(ROW), program(SECOND), program(ROW), program(SECOND)])
    for name in ("first", "second"):
        folder = tmp_path / name
        folder.mkdir()
        run_episode(folder, provider, bench=BlockBench(folder), task=rows_task(), profile="paper")
    assert [len(request.messages) for request in provider.requests] == [1, 3, 1, 3]


@pytest.mark.parametrize("brevity", ["with", "without"])
def test_the_sentence_on_brevity_can_be_left_out(tmp_path, brevity):
    options = ProtocolOptions(brevity=brevity)
    done, provider, _ = episode(tmp_path, [program(ROW)], task=rows_task(1), options=options)
    system = provider.requests[0].system
    assert system.startswith(system_prompt(brevity == "with"))
    assert ("short as you can" in system) == (brevity == "with")
    assert done.built.metrics["brevity"] == brevity
    assert done.of("episode")[0]["options"]["brevity"] == brevity


# --- reactive: with findings ----------------------------------------------------------------------


def test_findings_are_told_until_a_turn_passes_then_the_next_begins(tmp_path):
    answers = [ROW, FLOATING, 'remove_block(0, 2, 0)\nfill(1, 2, 0, 3, 2, 0, "x y")', SECOND]
    answers += ["for x in range(4):\n    remove_block(x, 2, 0)\n"]
    done, provider, _ = episode(tmp_path, [*map(program, answers)], "reactive")
    built = done.built
    assert built.end == "finished" and built.mishaps == () and counts_of(built.execution) == [4, 8]
    assert built.metrics["attempts"] == 5
    told = [request.messages[-1].text for request in provider.requests]
    assert "is_block_cnt_equal_to (expected_count 4)" in told[0] and PROMPTS[1] not in told[0]
    assert "Request 1 is done: no check found a fault." in told[1] and PROMPTS[1] in told[1]
    assert 'expected_material "oak_planks"' in told[1]
    assert "y 0: z 0: x 0..3 stone" in told[1]
    assert "is_ground_connected" in told[2] and "(0, 2, 0), (1, 2, 0)" in told[2]
    assert PROMPTS[1] in told[2] and "Programs left for this request: 5." in told[2]
    # The program that broke has removed nothing, since it did not run to its end.
    assert "'x y' is no block id" in told[3] and "x 0..3 oak_planks" in told[3]
    # Four planks float and four lie on the stones: there are too many, and that is told.
    assert "8" in told[4] and counts_of(again(tmp_path, built)) == [4, 8]


def test_when_the_tries_are_used_up_the_next_turn_begins_on_what_stands(tmp_path):
    answers = ["What?", program("oops()"), program(SECOND), program("oops()")]
    limits = Limits(retries=1)
    done, provider, _ = episode(tmp_path, answers, "reactive", limits=limits)
    assert counts_of(done.built.execution) == [0, 4]
    [mishap] = done.built.mishaps  # of turn 2 something came
    assert mishap.subject == "turn 1" and "'oops' is not defined" in mishap.message
    assert "used up; what stands stays" in provider.requests[2].messages[-1].text
    assert "nothing yet" in provider.requests[2].messages[-1].text


# --- What can't lead through it -------------------------------------------------------------------


@pytest.mark.parametrize("protocol", ["managed", "editing"])
def test_protocols_that_do_not_fit_are_refused_before_anything_is_asked(protocol):
    starts = {"voxel/rows": object()} if protocol == "editing" else None
    agent = ModelAgent(ListProvider([]), protocol, QUIET, starts)
    words = "voxel/rows: .* choose atomic, reactive or tools$"
    with pytest.raises(AgentError, match=words):
        list(agent.assignments([rows_task()]))


def test_one_run_leads_through_both_kinds(tmp_path):
    agent = led(ListProvider([]), AgentOptions())
    assert len(list(agent.assignments([hut_task(), rows_task()]))) == 2


def test_prompts_and_checks_of_different_numbers_of_turns_are_refused():
    task = rows_task(prompts=PROMPTS[:1])
    with pytest.raises(AgentError, match="1 prompts and checks for 2 turns"):
        list(ModelAgent(ListProvider([])).assignments([task]))
