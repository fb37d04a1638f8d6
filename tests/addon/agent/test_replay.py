# SPDX-License-Identifier: GPL-3.0-or-later
"""Recorded replies come back as they were, in order, and a changed question is told."""

import pytest
from episodes import PHASES, WHOLE, ListProvider, PlainBench, hut_task, plan, program
from plumbline.addon.agent.agents import Assignment, Limits, Workshop
from plumbline.addon.agent.messages import Message, Picture, Reply, Request, Text, ToolCall, Usage
from plumbline.addon.agent.model_agent import ModelAgent
from plumbline.addon.agent.providers.base import Cancel, Cancelled, ProviderError
from plumbline.addon.agent.replay import Recorded, Replay, ReplayProvider, Source
from plumbline.addon.agent.transcript import Transcript

TOOL = ToolCall("c1", "look", {"at": "roof"})
SAID = [
    Reply(Message("assistant", (Text("one"), TOOL), {"sig": "x"}), "tools", Usage(5, cost=None)),
    Reply(Message("assistant", (Text("two"),)), "end", Usage(7, output_tokens=2), thoughts="hm"),
]


def asked(text, png=b"one"):
    return Request("system", (Message("user", (Text(text), Picture(png, "front"))),))


def record(folder, requests, replies):
    with Transcript(folder) as transcript:
        for request, reply in zip(requests, replies, strict=True):
            transcript.event(
                "request",
                system=request.system,
                messages=[transcript.message(message) for message in request.messages],
                tools=[],
            )
            transcript.reply(reply)


@pytest.fixture
def provider(tmp_path):
    record(tmp_path, [asked("a"), asked("b")], SAID)
    return ReplayProvider(tmp_path, "anthropic/x")


def test_replies_come_back_as_they_were(provider):
    heard = []
    found = [provider.complete(asked(text), Cancel(), heard.append) for text in "ab"]
    assert found == SAID and heard == ["one", "two"] and provider.different == []
    with pytest.raises(ProviderError, match="no answer to question 3") as error:
        provider.complete(asked("c"), Cancel())
    assert error.value.fault == "exhausted"


def test_pictures_may_differ_and_words_may_not(provider):
    provider.complete(asked("a", b"another driver drew this"), Cancel())
    assert provider.different == []
    provider.complete(asked("B"), Cancel())
    assert provider.different == [2]


def test_a_replay_can_be_stopped(provider):
    cancel = Cancel()
    cancel.request()
    with pytest.raises(Cancelled):
        provider.complete(asked("a"), cancel)


def workshop(folder, **limits):
    folder.mkdir(parents=True, exist_ok=True)
    bench, told = PlainBench(folder), Transcript(folder)
    most = Limits(**limits)
    return Workshop(bench, folder, told, "engineering", Cancel(), most, lambda: None)


def repeat(before, folder, end="finished", faulty=False):
    """The attempt in ``before`` once more, by the protocol atomic."""
    once = Recorded(None, 1, before, end, faulty)
    source = Source("run", {"timber/hut": (once,)}, "list/of-answers", "of-answers")
    agent = Replay(source, lambda provider, epoch: ModelAgent(provider, "atomic"))
    (assignment,) = agent.assignments([hut_task()])
    shop = workshop(folder, seconds=1e-9)  # a limit on time would end it at once
    with shop.transcript:
        return agent.build(assignment, shop)


def episode(folder, answers, **limits):
    shop = workshop(folder, **limits)
    with shop.transcript:
        agent = ModelAgent(ListProvider(answers), "atomic")
        built = agent.build(Assignment(hut_task(), agent.name), shop)
    (folder / "program.py").write_text(built.program)
    return built


ANSWERS = [plan(), program("1 / 0"), program(WHOLE)]


def test_an_episode_repeats_with_its_code_run_again(tmp_path):
    before = episode(tmp_path / "before", ANSWERS)
    after = repeat(tmp_path / "before", tmp_path / "after")
    assert after.execution.structure == before.execution.structure
    assert (after.end, after.usage) == (before.end, before.usage)
    assert after.notes == () and after.fault is None


def test_an_episode_that_time_ended_ends_where_it_did(tmp_path):
    episode(tmp_path / "before", ANSWERS)
    path = tmp_path / "before/transcript.jsonl"
    lines = path.read_text().splitlines()
    last = max(i for i, line in enumerate(lines) if '"type": "reply"' in line)
    path.write_text("\n".join(lines[: last - 1]) + "\n")  # without the last answer
    after = repeat(tmp_path / "before", tmp_path / "after", end="seconds")
    assert after.fault is None and after.end == "seconds"
    assert after.execution.outcome == "raised"
    again = repeat(tmp_path / "before", tmp_path / "again", faulty=True)
    assert again.fault.kind == "exhausted"


def test_what_is_asked_otherwise_is_noted(tmp_path):
    episode(tmp_path / "before", ANSWERS)
    path = tmp_path / "before/transcript.jsonl"
    path.write_text(path.read_text().replace("A hut with a flat roof", "A barn"))
    after = repeat(tmp_path / "before", tmp_path / "after")
    assert after.execution.ok
    (note,) = after.notes
    assert "3 of 3 questions differ" in note and "first: question 1" in note


def test_without_a_conversation_the_program_is_run(tmp_path):
    before = tmp_path / "before"
    before.mkdir()
    with Transcript(before) as transcript:
        transcript.event("episode", agent="human")
    (before / "program.py").write_text("\n".join(PHASES.values()))
    after = repeat(before, tmp_path / "after")
    assert after.execution.ok and after.usage is None and after.program == WHOLE


def test_an_attempt_whose_recording_is_gone_is_told_and_the_run_goes_on(tmp_path):
    (tmp_path / "no-program").mkdir()
    Transcript(tmp_path / "no-program").close()
    folders = (None, tmp_path / "nothing", tmp_path / "no-program")
    for folder in folders:
        one = Recorded(None, 1, folder, "finished", False)
        replay = Replay(Source("old", {"timber/hut": (one,)}, "anthropic/x", "x"), None)
        built = replay.build(Assignment(hut_task(), replay.name), None)
        assert built.fault.kind == "recording" and "old: timber/hut can't be" in built.fault.message
