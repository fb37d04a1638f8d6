# SPDX-License-Identifier: GPL-3.0-or-later
"""What each protocol asks, runs, keeps and tells, with answers from a list and no Blender."""

import json
from dataclasses import replace

import pytest
from episodes import (
    CLASHING_ROOF,
    FLOATING_WALLS,
    MARKED,
    NAMES,
    PHASES,
    QUIET,
    WHOLE,
    ListProvider,
    PlainBench,
    hut_task,
    names_of,
    plan,
    program,
    run_episode,
)
from plumbline.addon.agent.agents import AgentError, Limits
from plumbline.addon.agent.bench import Scene
from plumbline.addon.agent.led import led
from plumbline.addon.agent.model_agent import ModelAgent
from plumbline.addon.agent.options import AgentOptions
from plumbline.addon.agent.protocols import PROTOCOLS, ProtocolOptions
from plumbline.addon.agent.providers.base import Cancel, Cancelled, ProviderError

BROKEN = WHOLE.replace(PHASES["roof"], CLASHING_ROOF)
PHASE_ANSWERS = [program(code) for code in PHASES.values()]


def last_told(provider, request=-1):
    """The text of the newest message of a request."""
    return provider.requests[request].messages[-1].text


def everything_sent(provider):
    return "\n".join(m.text for r in provider.requests for m in (*r.messages,)) + "\n".join(
        r.system for r in provider.requests
    )


# --- atomic ---------------------------------------------------------------------------------------


def test_atomic_ends_at_the_first_program_that_passes(tmp_path):
    provider = ListProvider([program(WHOLE)])
    episode = run_episode(tmp_path, provider)
    built = episode.built
    assert (built.end, built.message, built.fault) == ("finished", None, None)
    assert built.program == WHOLE and len(names_of(built.execution)) == 36
    assert built.usage.calls == 1 and built.usage.cost == 0.01
    assert built.metrics == {"attempts": 1}
    assert [e["type"] for e in episode.events] == [
        *("episode", "message", "request", "message", "reply"),
        *("execution", "judgement", "end"),
    ]
    assert episode.of("judgement")[0]["verdict"] == "passed"
    assert episode.progress == [
        "try-01: waiting for the model",
        "try-01: running the program",
        "try-01: judging",
    ]


def test_atomic_is_told_its_faults_and_begins_anew(tmp_path):
    bench = PlainBench(tmp_path)
    provider = ListProvider([program(BROKEN), program(WHOLE)])
    episode = run_episode(tmp_path, provider, bench=bench)
    assert episode.built.end == "finished" and episode.built.metrics["attempts"] == 2
    told = last_told(provider)
    assert "1 of 3 checks failed (clash): 1 fault" in told
    assert "Rafter_again" in told and "Tries left: 29" in told
    assert [start for _, _, start in bench.runs] == [None, None]
    assert episode.labels("execution") == ["try-01", "try-02"]


def test_a_program_that_breaks_is_told_with_its_line(tmp_path):
    provider = ListProvider([program("x = 1\nbox(nothing)"), program(WHOLE)])
    run_episode(tmp_path, provider)
    told = last_told(provider)
    assert "stopped with an error" in told and "line 2" in told
    assert "NameError: name 'nothing' is not defined" in told
    assert "checks failed" not in told


def test_what_the_policy_refuses_is_told_with_line_and_remedy(tmp_path):
    provider = ListProvider([program("import socket\n" + WHOLE), program(WHOLE)])
    episode = run_episode(tmp_path, provider)
    assert episode.of("execution")[0]["outcome"] == "refused"
    told = last_told(provider)
    assert "was not run" in told and "- line 1:" in told and "socket" in told
    assert episode.built.end == "finished"


def test_what_a_program_prints_is_told_back(tmp_path):
    provider = ListProvider([program("print('width', 2.474)\nbox(1)"), program(WHOLE)])
    run_episode(tmp_path, provider)
    assert "It printed:\n```\nwidth 2.474\n```" in last_told(provider)


def test_attempts_run_out_and_the_last_structure_is_kept(tmp_path):
    provider = ListProvider([program(BROKEN), program("oops("), program("x = y")])
    episode = run_episode(tmp_path, provider, limits=Limits(attempts=3))
    built = episode.built
    assert (built.end, built.message) == ("attempts", "all 3 attempts are used up")
    assert built.program == BROKEN and "Rafter_again" in names_of(built.execution)


def test_what_never_ran_to_its_end_is_handed_in_as_it_is(tmp_path):
    code = PHASES["foundation"] + "stop()\n"
    built = run_episode(tmp_path, ListProvider([program(code)]), limits=Limits(attempts=1)).built
    assert built.execution.outcome == "raised" and built.program == code


@pytest.mark.parametrize(
    ("limits", "end"),
    [
        (Limits(tokens=300), "tokens"),
        (Limits(cost=0.02), "cost"),
        (Limits(seconds=0), "seconds"),
        (Limits(attempts=2), "attempts"),
    ],
)
def test_each_limit_ends_it_with_its_own_word(tmp_path, limits, end):
    episode = run_episode(tmp_path, ListProvider([program(BROKEN)] * 9), limits=limits)
    assert episode.built.end == end
    assert episode.of("end")[0]["end"] == end
    assert len(episode.of("reply")) == (0 if end == "seconds" else 2)


def test_an_unknown_price_is_noted_where_a_limit_hangs_on_it(tmp_path):
    provider = ListProvider([program(WHOLE)], cost=None)
    built = run_episode(tmp_path, provider, limits=Limits(cost=1.0)).built
    assert built.usage.cost is None
    assert built.notes == (
        "The limit on cost could not be kept: the price of the model is not known.",
    )


# --- Answers that are none ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "state", "words"),
    [
        ("I'd start with the sills.", "none", "exactly one ```python block"),
        (("", "empty"), "empty", "was empty"),
        (("```python\nbox(", "length"), "cut_off", "cut off at the limit of 50 tokens"),
        (program("a = 1") + program("b = 1"), "several", "2 blocks of Python"),
        (("No.", "refusal"), "refusal", "You declined"),
    ],
)
def test_an_answer_without_a_program_is_a_try_and_is_told(tmp_path, answer, state, words):
    provider = ListProvider([answer, program(WHOLE)])
    episode = run_episode(tmp_path, provider)
    assert words in last_told(provider)
    assert episode.built.end == "finished"
    assert episode.built.metrics == {"attempts": 2, f"answers_{state}": 1}
    assert [note["what"] for note in episode.of("note")] == [state]
    assert len(episode.of("execution")) == 1


def test_nothing_empty_is_ever_sent_back(tmp_path):
    provider = ListProvider([("", "empty"), ("", "refusal"), program(WHOLE)])
    run_episode(tmp_path, provider)
    assert [m.role for m in provider.requests[2].messages] == ["user"] * 3
    assert all(m.text.strip() for r in provider.requests for m in r.messages)


def test_two_refusals_end_it(tmp_path):
    provider = ListProvider([("No.", "refusal"), program(BROKEN), ("No.", "refusal")])
    episode = run_episode(tmp_path, provider)
    assert episode.built.end == "refusal"
    assert episode.built.program == BROKEN


# --- What the model sees --------------------------------------------------------------------------


def test_history_is_cut_to_five_steps_and_the_task_stays(tmp_path):
    answers = [program(f"# {n}\n{BROKEN}") for n in range(8)]
    provider = ListProvider([*answers, program(WHOLE)])
    run_episode(tmp_path, provider)
    last = provider.requests[-1]
    assert len(last.messages) == 1 + 2 * 5 and last.stable == 1
    assert all(r.messages[0] is last.messages[0] for r in provider.requests)
    assert "A hut with a flat roof." in last.messages[0].text
    assert "# 3" in last.messages[1].text and "# 2\n" not in last.messages[1].text


def test_the_model_knows_world_names_rules_and_tables(tmp_path):
    provider = ListProvider([program(WHOLE)])
    run_episode(tmp_path, provider)
    request = provider.requests[0]
    for words in ("+x runs along the front", "Stud, KingStud", "import bpy, bmesh", "2x10: 5.25 m"):
        assert words in request.system, words
    for words in ("2.474 m along x", 'profile "engineering"', "- clash:", "30 tries"):
        assert words in request.messages[0].text, words
    assert "- bearing:" not in request.messages[0].text  # the task leaves it out


@pytest.mark.parametrize("on", [True, False])
def test_the_reminder_to_keep_the_last_launch_is_a_switch(tmp_path, on):
    provider = ListProvider([program(WHOLE)])
    options = ProtocolOptions(planner=False, pictures=False, reserve_last_launch=on)
    run_episode(tmp_path, provider, options=options)
    assert provider.requests[0].messages[0].text.startswith("You have 30 runs in all. Keep") is on


def test_sampling_is_passed_on_and_left_alone_by_default(tmp_path):
    provider = ListProvider([program(WHOLE)])
    options = ProtocolOptions(
        planner=False, pictures=False, max_tokens=9, temperature=0.5, seed=3, effort="low"
    )
    run_episode(tmp_path, provider, options=options)
    request = provider.requests[0]
    sampling = (request.max_tokens, request.temperature, request.seed, request.effort)
    assert sampling == (9, 0.5, 3, "low")
    assert ProtocolOptions().temperature is None


# --- The planner ----------------------------------------------------------------------------------


def test_a_plan_comes_first_and_stands_at_the_head_of_the_rest(tmp_path):
    provider = ListProvider([plan(), program(WHOLE)])
    episode = run_episode(tmp_path, provider, options=ProtocolOptions(pictures=False))
    planner, builder = provider.requests
    assert "Part 4: your answer" in planner.messages[0].text and "Part 4" not in builder.system
    assert '"expected_member_counts"' in builder.messages[0].text
    assert episode.built.metrics == {"attempts": 1, "plan_accepted": True}
    assert episode.labels("request") == ["plan-try-1", "try-01"]


def test_a_faulty_plan_is_told_with_json_paths(tmp_path):
    wrong = plan(stories=2, lot_size={"width": 6.01, "depth": 5.0})
    provider = ListProvider([wrong, ("{", "length"), "no plan", plan(), program(WHOLE)])
    episode = run_episode(tmp_path, provider, options=ProtocolOptions(pictures=False))
    told = last_told(provider, 1)
    assert "- $.lot_size.width: must repeat 6.00, not 6.01" in told
    assert "- $.stories: must repeat 1, not 2" in told
    metrics = episode.built.metrics
    assert metrics["plan_retries"] == 1 and metrics["plan_accepted"] and metrics["attempts"] == 1


def test_without_an_accepted_plan_it_goes_on_and_says_so(tmp_path):
    provider = ListProvider([*["no plan"] * 4, program(WHOLE)])
    episode = run_episode(tmp_path, provider, options=ProtocolOptions(pictures=False))
    assert episode.built.end == "finished" and not episode.built.metrics["plan_accepted"]
    assert episode.built.notes == ("No plan was accepted; it was built without one.",)


def test_a_planner_that_declines_twice_ends_it(tmp_path):
    provider = ListProvider([("No.", "refusal")] * 2)
    built = run_episode(tmp_path, provider, options=ProtocolOptions(pictures=False)).built
    assert (built.end, built.execution, built.program) == ("refusal", None, "")


# --- managed --------------------------------------------------------------------------------------


def test_managed_builds_phase_upon_phase(tmp_path):
    bench = PlainBench(tmp_path)
    provider = ListProvider(PHASE_ANSWERS)
    episode = run_episode(tmp_path, provider, "managed", bench=bench)
    assert episode.built.end == "finished" and len(names_of(episode.built.execution)) == 36
    labels = [f"step-{n:02d}-{name}-try-1" for n, name in enumerate(NAMES, 1)]
    assert episode.labels("execution") == labels
    assert [start for *_, start in bench.runs] == [None, *labels[:-1]]
    assert [e["scope"] for e in episode.of("judgement")] == ["mid"] * 4
    assert set(episode.of("judgement")[0]["checks"]) == {"load_path", "clash"}
    assert episode.built.metrics == {"attempts": 4, "phases_done": 4}


def test_the_program_of_managed_makes_its_scene_from_nothing(tmp_path):
    answers = [program(f"from __future__ import annotations\n{code}") for code in PHASES.values()]
    episode = run_episode(tmp_path, ListProvider(answers), "managed")
    again = PlainBench(tmp_path).execute(episode.built.program, None, "again")
    assert again.structure == episode.built.execution.structure
    assert episode.built.program.count("from __future__") == 1


def test_managed_asks_for_each_phase_with_what_stands(tmp_path):
    provider = ListProvider(PHASE_ANSWERS)
    run_episode(tmp_path, provider, "managed")
    assert 'write the phase "foundation" (1 of 4)' in last_told(provider, 0)
    assert "nothing yet" in last_told(provider, 0)
    walls = last_told(provider, 2)
    assert 'The phase "floor" is accepted.' in walls and 'write the phase "walls" (3 of 4)' in walls
    assert "Joist_0: x 0.000..0.038 y 0.038..1.962 z 0.038..0.178" in walls


def test_a_phase_that_fails_leaves_the_scene_before_it(tmp_path):
    bench = PlainBench(tmp_path)
    answers = [*PHASE_ANSWERS[:2], program(FLOATING_WALLS), *PHASE_ANSWERS[2:]]
    provider = ListProvider(answers)
    episode = run_episode(tmp_path, provider, "managed", bench=bench)
    assert episode.built.end == "finished"
    assert [label for label, *_ in bench.runs][2:4] == [
        "step-03-walls-try-1",
        "step-03-walls-try-2",
    ]
    assert [start for *_, start in bench.runs][2:4] == ["step-02-floor-try-1"] * 2
    told = last_told(provider, 3)
    assert "load_path" in told and "follow from it" in told and "_N" in told
    assert 'write the phase "walls" again' in told and "Tries left for this phase: 5" in told
    assert "TopPlate" not in told.partition("What stands already")[2]
    assert episode.built.metrics["retries_walls"] == 1


def test_retries_of_a_phase_run_out_and_what_stood_is_kept(tmp_path):
    answers = [*PHASE_ANSWERS[:2], *[program(FLOATING_WALLS)] * 3]
    limits = Limits(retries=2)
    built = run_episode(tmp_path, ListProvider(answers), "managed", limits=limits).built
    assert (built.end, built.message) == ("retries", "the phase walls failed 3 times")
    assert names_of(built.execution) == {"Sill_S", "Sill_N", "RimJoist_S", "RimJoist_N"} | {
        f"Joist_{k}" for k in range(7)
    }
    assert "Stud" not in built.program and built.metrics["phases_done"] == 2


def test_the_retries_of_the_paper_are_five_a_step_and_thirty_in_all(tmp_path):
    first = run_episode(tmp_path, ListProvider(["no code"] * 6), "managed").built
    assert (first.end, first.metrics["attempts"]) == ("retries", 6)
    other = tmp_path / "other"
    other.mkdir()
    second = run_episode(other, ListProvider(["no code"] * 30)).built
    assert (second.end, second.metrics["attempts"]) == ("attempts", 30)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("pass", "added no floor member"),
        ('box("Beam_1", (0, 0.5, 0.038), (2.474, 0.538, 0.178))\nremove("Sill_S")', "Sill_S"),
        (
            'box("Sill_N", (0, 1.86, 0), (2.474, 2.1, 0.038))\n' + PHASES["floor"],
            "must stay as they are: Sill_N",
        ),
    ],
)
def test_a_phase_must_add_its_own_and_leave_the_rest_alone(tmp_path, code, words):
    answers = [PHASE_ANSWERS[0], program(code), *PHASE_ANSWERS[1:]]
    provider = ListProvider(answers)
    episode = run_episode(tmp_path, provider, "managed")
    assert words in last_told(provider, 2)
    assert episode.built.end == "finished" and episode.built.metrics["retries_floor"] == 1


def test_an_answer_without_code_costs_a_retry_of_its_phase(tmp_path):
    provider = ListProvider(["words", *PHASE_ANSWERS])
    episode = run_episode(tmp_path, provider, "managed")
    assert episode.built.end == "finished"
    assert episode.built.metrics["retries_foundation"] == 1
    assert 'write the phase "foundation" again' in last_told(provider, 1)


def test_the_last_phase_can_be_gated_by_everything(tmp_path):
    options = ProtocolOptions(planner=False, pictures=False, judge_last_phase_wholly=True)
    episode = run_episode(tmp_path, ListProvider(PHASE_ANSWERS), "managed", options)
    assert [e["scope"] for e in episode.of("judgement")] == ["mid"] * 3 + ["all"]


@pytest.mark.parametrize("profile", ["paper", "release"])
def test_phases_can_pass_in_the_published_profiles(tmp_path, profile):
    """The released keys want walls and roof at once; a foundation must not be blamed for that."""
    episode = run_episode(tmp_path, ListProvider(PHASE_ANSWERS), "managed", profile=profile)
    assert episode.built.end == "finished"
    gates = {"paper": "stability_index", "release": "stability_score"}
    assert set(episode.of("judgement")[0]["checks"]) == {"load_path", gates[profile]}


# --- reactive -------------------------------------------------------------------------------------


def test_reactive_judges_after_each_phase_and_everything_at_the_end(tmp_path):
    bench = PlainBench(tmp_path)
    provider = ListProvider([program(MARKED)])
    episode = run_episode(tmp_path, provider, "reactive", bench=bench)
    assert episode.built.end == "finished" and episode.built.program == MARKED
    assert episode.labels("execution") == [f"try-01-{name}" for name in NAMES]
    assert [e["scope"] for e in episode.of("judgement")] == ["mid"] * 4 + ["all"]
    assert all(start is None for *_, start in bench.runs)
    assert episode.built.metrics["attempts"] == 1


def test_a_failing_phase_makes_the_later_ones_invalid(tmp_path):
    bad = MARKED.replace(PHASES["walls"], FLOATING_WALLS)
    provider = ListProvider([program(bad), program(MARKED)])
    episode = run_episode(tmp_path, provider, "reactive")
    assert "try-01-roof" not in episode.labels("execution")
    told = last_told(provider)
    assert (
        'The phase "walls" failed (phases that stood: foundation, floor; not looked at: roof)'
        in told
    )
    assert "write the whole program again" in told
    assert episode.built.end == "finished"
    assert episode.built.metrics == {"attempts": 2, "failures_walls": 1}


def test_reactive_takes_the_order_that_the_model_chose(tmp_path):
    """Roof before walls floats, and is blamed as the roof."""
    order = ("foundation", "floor", "roof", "walls")
    code = "\n".join(f"# phase: {name}\n{PHASES[name]}" for name in order)
    provider = ListProvider([program(code), program(MARKED)])
    run_episode(tmp_path, provider, "reactive")
    assert 'The phase "roof" failed' in last_told(provider)


def test_a_program_without_marks_is_told_how_to_set_them(tmp_path):
    provider = ListProvider([program(WHOLE), program(MARKED)])
    episode = run_episode(tmp_path, provider, "reactive")
    assert "has no mark `# phase: roof`" in last_told(provider)
    assert episode.built.metrics["answers_without_phases"] == 1


def test_lines_are_those_of_the_whole_program(tmp_path):
    code = MARKED.replace("# phase: roof\n", "# phase: roof\nboom()\n")
    provider = ListProvider([program(code), program(MARKED)])
    run_episode(tmp_path, provider, "reactive")
    line = code.splitlines().index("boom()") + 1
    assert f"line {line}" in last_told(provider)


# --- Stopping, faults, and what is said of the agent ----------------------------------------------


def test_a_provider_that_fails_is_a_fault_of_the_environment(tmp_path):
    def fail(_):
        raise ProviderError("busy", "the provider is busy")

    built = run_episode(tmp_path, ListProvider([program(BROKEN), fail])).built
    assert (built.end, built.fault.kind) == ("environment", "busy")
    assert built.fault.message == "the provider is busy"
    assert built.program == BROKEN and built.usage.calls == 1


@pytest.mark.parametrize("when", ["before", "while asking", "while running"])
def test_a_stop_is_obeyed_at_once(tmp_path, when):
    cancel = Cancel()
    bench = PlainBench(tmp_path)

    def answer(_):
        if when == "while asking":
            cancel.request()
            cancel.check()
        return program(WHOLE)

    if when == "before":
        cancel.request()
    if when == "while running":
        execute = bench.execute

        def stopped(*arguments):
            cancel.request()
            return execute(*arguments)

        bench.execute = stopped
    with pytest.raises(Cancelled):
        run_episode(tmp_path, ListProvider([answer]), bench=bench, cancel=cancel)
    assert len(bench.runs) == (1 if when == "while running" else 0)


def test_an_agent_says_what_it_was_told(tmp_path):
    provider = ListProvider([], name="openai/m-1")
    agent = ModelAgent(provider, "managed", ProtocolOptions(effort="low"))
    assert (agent.name, agent.model, agent.harness, agent.effort) == (
        *("openai/m-1", "m-1", "plumbline", "low"),
    )
    described = json.loads(json.dumps(agent.describe()))
    assert described["protocol"] == "managed" and described["options"]["history"] == 5
    assert len(described["prompts"]["timber"]["sha256"]) == 64
    assert described["prompts"]["timber"]["versions"]["system"] >= 1
    agent.close()
    assert provider.closed


def test_an_unknown_protocol_is_named():
    with pytest.raises(AgentError, match="known: " + ", ".join(PROTOCOLS)):
        ModelAgent(ListProvider([]), "stepwise")
    with pytest.raises(AgentError, match="editing needs structures to edit"):
        ModelAgent(ListProvider([]), "editing")


def test_a_task_that_no_prompt_can_be_made_of_is_said_before_anything_is_asked():
    task = replace(hut_task(), brief={"species": "balsa"})
    with pytest.raises(AgentError, match="timber/hut: unknown species 'balsa'"):
        list(ModelAgent(ListProvider([])).assignments([task]))
    with pytest.raises(AgentError, match="no agent builds tasks of kind 'soup'"):
        list(ModelAgent(ListProvider([])).assignments([replace(task, kind="soup")]))


@pytest.mark.parametrize("protocol", ["managed", "tools"])
def test_a_model_that_reads_no_pictures_is_sent_none(protocol):
    for text_only in (True, False):
        agent = led(ListProvider([]), AgentOptions(protocol=protocol, text_only=text_only))
        told = agent.options if isinstance(agent, ModelAgent) else agent._settings
        assert told.pictures is not text_only


def test_editing_takes_only_tasks_that_have_a_start():
    from plumbline.tasks import load_task

    tasks = [load_task("timber/cabin"), load_task("timber/barn")]
    agent = ModelAgent(ListProvider([]), "editing", QUIET, {"timber/barn": Scene(tasks[1].path)})
    assert [a.task.id for a in agent.assignments(tasks)] == ["timber/barn"]


def test_the_same_answers_make_the_same_episode(tmp_path):
    told = []
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        answers = [*PHASE_ANSWERS[:2], program(FLOATING_WALLS), *PHASE_ANSWERS[2:]]
        provider = ListProvider(answers)
        episode = run_episode(folder, provider, "managed")
        told.append((everything_sent(provider), episode.built.program, episode.built.metrics))
    assert told[0] == told[1]
