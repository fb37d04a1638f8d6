# SPDX-License-Identifier: GPL-3.0-or-later
"""The tool loop before a local model server, by the real SDKs, with tools of no kind of task."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from time import monotonic

import pytest
from model_clients import APIS, PICTURE, client, user
from model_server import Call, ModelServer, Step, calls
from plumbline.addon.agent.agents import Limits
from plumbline.addon.agent.budget import Budget
from plumbline.addon.agent.providers.base import Cancel
from plumbline.addon.agent.tools.box import Budgets, ToolBox
from plumbline.addon.agent.tools.context import Context, Told, Window
from plumbline.addon.agent.tools.loop import LoopSettings, ToolLoop
from plumbline.addon.agent.tools.tool import Outcome, Tool, ToolError, parameters
from plumbline.addon.agent.transcript import Transcript, read_events

pytest.importorskip("anthropic")
pytest.importorskip("openai")

ADD = parameters({"block": {"type": "string", "minLength": 1}}, ("block",))


class Tower:
    """Blocks one upon another: all that these tools do."""

    def __init__(self) -> None:
        self.blocks: list[str] = []

    def tools(self):
        return (
            Tool("add", "puts a block on top", ADD, self._add, budget="launch"),
            Tool("look", "shows it", parameters(), self._look),
            Tool(
                "submit", "hands it in", parameters(), lambda _: Outcome(), always=True, ends=True
            ),
        )

    def _add(self, arguments):
        if arguments["block"] in self.blocks:
            raise ToolError("redundant", "this block is there already")
        self.blocks.append(arguments["block"])
        return Outcome({"height": len(self.blocks)})

    def _look(self, _):
        return Outcome({"blocks": self.blocks, "far": "x" * 9000}, (PICTURE,))


class Episode:
    """One loop with one provider."""

    def __init__(self, folder: Path, server: ModelServer, api: str, **settings) -> None:
        self.tower, self.folder = Tower(), folder
        budgets = settings.pop("budgets", Budgets(calls=30, groups={"launch": 3}))
        self.box = ToolBox(self.tower.tools(), budgets)
        self.budget = Budget(settings.pop("limits", Limits()), settings.pop("clock", monotonic))
        provider = client(server, api)
        try:
            with Transcript(folder) as transcript:
                loop = ToolLoop(
                    provider,
                    self.box,
                    LoopSettings(**settings),
                    transcript,
                    Cancel(),
                    self.budget,
                )
                self.over = loop.run("You build towers.", [user("Build.", PICTURE)])
        finally:
            provider.close()

    def of(self, kind: str) -> list:
        return [event for event in read_events(self.folder) if event["type"] == kind]


@pytest.mark.parametrize("api", APIS)
def test_calls_run_in_their_order_and_results_go_back(tmp_path, api):
    script = [
        calls(("add", {"block": "a"}), ("add", {"block": "b"}), text="Two blocks."),
        calls(("look", {})),
        calls(("submit", {}), ("add", {"block": "c"})),
    ]
    with ModelServer(script) as server:
        episode = Episode(tmp_path, server, api)
    assert episode.over.end == "finished" and episode.tower.blocks == ["a", "b"]
    assert server.requests[0].tools == ["add", "look", "submit"]
    assert '"height": 2' in server.requests[1].last and '"launch": 1' in server.requests[1].last
    assert server.requests[2].pictures == 2  # that of the task and the newest other one
    assert [event["name"] for event in episode.of("tool")] == [
        "add",
        "add",
        "look",
        "submit",
        "add",
    ]
    assert [event["error"] for event in episode.of("tool")] == [None] * 4 + ["ended"]
    assert episode.budget.usage.calls == 3
    assert episode.over.metrics["tool_use"] == {"add": 3, "look": 1, "submit": 1}
    request = episode.of("request")[1]
    assert request["system"] == "You build towers." and len(request["messages"]) == 3


@pytest.mark.parametrize("api", APIS)
def test_wrong_calls_are_answered_and_counted(tmp_path, api):
    script = [
        Step(calls=(Call("add", '{"block": "a"'), Call("fly", {}), Call("add", {"blok": "a"}))),
        calls(("add", {"block": "a"}), ("add", {"block": "a"})),
        calls(("add", {"block": "b"}), ("add", {"block": "c"})),
        calls(("submit", {})),
    ]
    with ModelServer(script) as server:
        episode = Episode(tmp_path, server, api)
    assert episode.over.end == "finished" and episode.tower.blocks == ["a", "b"]
    told = server.requests[1].last
    assert "there is no tool" in told and "no parameter 'blok'" in told
    assert episode.over.metrics["tool_errors_by_class"] == {
        "arguments": 2,
        "unknown_tool": 1,
        "redundant": 1,
        "budget": 1,
    }


@pytest.mark.parametrize("api", APIS)
def test_the_third_reply_in_a_row_without_a_call_ends_it(tmp_path, api):
    script = ["I think.", calls(("look", {})), "Hm.", Step(""), Step("I", stop="length")]
    with ModelServer(script) as server:
        episode = Episode(tmp_path, server, api)
    assert (episode.over.end, len(server.requests)) == ("gave_up", 5)
    assert "Your reply called no tool" in server.requests[1].last
    assert "before the episode ends: 2" in server.requests[1].last
    assert "Your reply was empty" in server.requests[4].last
    assert episode.over.metrics["replies_without_call"] == 4


def test_a_second_refusal_ends_it(tmp_path):
    with ModelServer([Step("No.", stop="refusal")], then="repeat") as server:
        episode = Episode(tmp_path, server, "anthropic")
    assert (episode.over.end, len(server.requests)) == ("refusal", 2)


def test_replies_and_tokens_have_their_limits(tmp_path):
    with ModelServer([calls(("look", {}))], then="repeat") as server:
        episode = Episode(tmp_path, server, "chat", replies=4)
    assert (episode.over.end, len(server.requests)) == ("attempts", 4)
    with ModelServer([calls(("look", {}))], then="repeat") as server:
        (tmp_path / "other").mkdir()
        episode = Episode(tmp_path / "other", server, "chat", limits=Limits(tokens=250))
    assert (episode.over.end, len(server.requests)) == ("tokens", 3)


def _tagged(name: str, **arguments) -> str:
    return f"<tool_call>{json.dumps({'name': name, 'arguments': arguments})}</tool_call>"


@pytest.mark.parametrize("api", APIS)
def test_a_model_without_tool_use_writes_its_calls(tmp_path, api):
    script = [
        f"First {_tagged('add', block='a')} then {_tagged('look')}",
        "<tool_call>add the block</tool_call>",
        'add(block="b")',
        Step("So.", thinking=f"I hand it in: {_tagged('submit')}"),
    ]
    with ModelServer(script) as server:
        episode = Episode(tmp_path, server, api, native=False)
    assert episode.over.end == "finished" and episode.tower.blocks == ["a", "b"]
    first, second, third, fourth = server.requests
    assert first.tools == [] and '"name": "submit"' in first.system
    assert '<tool_result name="add">' in second.last and second.pictures == 2
    assert "Your call can't be read" in third.last and "<tool_call>" in third.last
    assert '"height": 2' in fourth.last
    assert episode.over.metrics["text_calls"] == {
        "tagged": 1,
        "python": 1,
        "reasoning_tagged": 1,
    }


def test_the_last_launch_is_spoken_of_where_it_is_to_be_kept(tmp_path):
    budgets = Budgets(groups={"launch": 2}, keep_last="launch")
    with ModelServer([calls(("add", {"block": "a"})), calls(("submit", {}))]) as server:
        Episode(tmp_path, server, "chat", budgets=budgets)
    assert "keep it for the final validation" in server.requests[1].last


@pytest.mark.parametrize("api", APIS)
def test_a_long_episode_stays_short_for_the_model(tmp_path, api):
    script = [*[calls(("look", {}))] * 13, calls(("submit", {}))]
    with ModelServer(script) as server:
        Episode(tmp_path, server, api)
    longest = len(server.requests[10].text)
    assert 10 * 6000 < longest < 10 * 6500
    assert len(server.requests[13].text) < longest + 4 * 500
    assert "(cut: 3,073 more characters)" in server.requests[1].last
    assert server.requests[13].pictures == 2


def _told(number: int, pictures: int = 0) -> Told:
    from plumbline.addon.agent.messages import ToolCall

    return Told(ToolCall(str(number), "look", {}), f"{number}:" + "y" * 500, (PICTURE,) * pictures)


def test_only_what_is_old_is_cut_and_what_does_not_change_is_the_same_message():
    context = Context([user("Build.")], Window(result=400, recent=2, old=10, pictures=2), True)
    seen = []
    for number in range(5):
        context.answered([_told(number, pictures=1)])
        seen.append((context.messages(), context.stable()))
    last = [message.parts[0].content for message in seen[4][0][1:]]
    assert [len(content[0].text) < 60 for content in last] == [True, True, True, False, False]
    assert [len(content[0].text) > 400 for content in last] == [False, False, False, True, True]
    assert [content[-1] is PICTURE for content in last] == [False, False, False, True, True]
    for (before, stable), (after, _) in itertools.pairwise(seen):
        assert all(a is b for a, b in zip(before[: stable - 1], after, strict=False)), stable


def test_a_conversation_that_is_short_yet_is_stable_as_a_whole():
    context = Context([user("Build.")], Window(pictures=None), False)
    context.answered([_told(0, 1), _told(1, 1)])
    context.add(user("Go on."))
    assert context.stable() == 3
    assert [m.role for m in context.messages()] == ["user"] * 3
    assert sum(part is PICTURE for part in context.messages()[1].parts) == 2


def test_time_runs_out_between_two_calls_of_one_reply(tmp_path):
    """The clock here goes on by a second whenever it is looked at."""
    many = [("add", {"block": str(n)}) for n in range(30)]
    with ModelServer([calls(*many)]) as server:
        given = {"budgets": Budgets(calls=40, groups={"launch": 40}), "limits": Limits(seconds=20)}
        episode = Episode(tmp_path, server, "chat", clock=itertools.count().__next__, **given)
    assert episode.over.end == "seconds" and 0 < len(episode.tower.blocks) < 30
