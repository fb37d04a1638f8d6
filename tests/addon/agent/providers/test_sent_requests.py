# SPDX-License-Identifier: GPL-3.0-or-later
"""What goes out: pictures, tools, settings, marks for caches, and a model's own thoughts."""

from __future__ import annotations

import base64
import json
from dataclasses import replace

import pytest
from model_clients import APIS, PICTURE, PNG, RUN, VIEW, client, question, user
from model_server import Ask, Call, ModelServer, Step, calls
from plumbline.addon.agent.messages import Message, Reply, Text, ToolCall, ToolResult
from plumbline.addon.agent.providers.anthropic_request import body, most_tokens, version
from plumbline.addon.agent.providers.base import Cancel, ProviderError
from plumbline.addon.agent.providers.faults import Failed
from plumbline.addon.agent.transcript import Transcript, message_from_plain, read_events

pytest.importorskip("anthropic")
pytest.importorskip("openai")


def sent(api: str, *messages, model: str = "m", **settings) -> Ask:
    """The request as it reaches the server, which takes only what the real one would."""
    with ModelServer(["fine"]) as server:
        provider = client(server, api, model)
        provider.complete(question(*messages, **settings), Cancel())
        (ask,) = server.requests
    return ask


def said(*parts) -> Message:
    return Message("assistant", tuple(Text(p) if isinstance(p, str) else p for p in parts))


def results(*parts: ToolResult) -> Message:
    return Message("tool", parts)


@pytest.mark.parametrize("api", APIS)
def test_system_prompt_and_texts(api):
    ask = sent(api, "one", said("two"), "three")
    assert ask.system == "You build houses." and ask.last == "three"
    assert "one" in ask.text and ask.model == "m"
    assert ask.headers["user-agent"].startswith(("Anthropic/", "OpenAI/"))


@pytest.mark.parametrize("api", APIS)
def test_an_empty_system_prompt_is_not_sent(api):
    assert sent(api, system=" \n").system == ""


@pytest.mark.parametrize("api", APIS)
def test_what_is_not_told_is_left_to_the_provider(api):
    ask = sent(api)
    for name in ("temperature", "seed", "top_p", "reasoning", "reasoning_effort", "thinking"):
        assert name not in ask.body


@pytest.mark.parametrize("api", APIS)
def test_settings_are_passed_on_where_there_are_such(api):
    ask = sent(api, temperature=0.25, seed=7, effort="high", max_tokens=900)
    assert ask.body["temperature"] == 0.25
    if api == "anthropic":
        assert ask.body["output_config"] == {"effort": "high"} and ask.body["max_tokens"] == 900
        assert "seed" not in ask.body
    elif api == "responses":
        assert ask.body["reasoning"] == {"effort": "high"} and ask.body["max_output_tokens"] == 900
        assert "seed" not in ask.body
    else:
        assert ask.body["reasoning_effort"] == "high" and ask.body["seed"] == 7
        assert ask.body["max_tokens"] == 900


def test_a_provider_says_which_settings_it_takes():
    with ModelServer([]) as server:
        takes = {api: client(server, api).takes for api in APIS}
    assert "seed" in takes["chat"] and "seed" not in takes["responses"] | takes["anthropic"]


@pytest.mark.parametrize("api", APIS)
def test_pictures_in_their_places(api):
    ask = sent(api, user("front:", PICTURE, "back:", PICTURE))
    assert ask.pictures == 2
    content = ask.messages[-1]["content"]
    assert [("text" in part["type"]) for part in content] == [True, False, True, False]
    assert base64.b64encode(PNG).decode() in json.dumps(content[1])


@pytest.mark.parametrize("api", APIS)
def test_results_go_back_with_their_pictures(api):
    """Two results with pictures: in themselves where that is possible, else right behind both."""
    ids = ("c1", "c2")
    asked = said("I look.", *(ToolCall(id, "view", {"name": id}) for id in ids))
    told = results(*(ToolResult(id, "view", (Text(f"view {id}"), PICTURE)) for id in ids))
    ask = sent(api, "Build.", asked, told, tools=(VIEW,))
    assert ask.pictures == 2 and ask.tools == ["view"]
    assert ask.last.index("view c1") < ask.last.index("view c2")
    if api == "anthropic":
        assert [b["type"] for b in ask.messages[-1]["content"]] == ["tool_result"] * 2
    elif api == "responses":
        assert [i["type"] for i in ask.messages[-2:]] == ["function_call_output"] * 2
    else:
        assert [m["role"] for m in ask.messages] == [
            *("system", "user", "assistant", "tool", "tool", "user")
        ]
        assert "Pictures from view (front):" in ask.last


@pytest.mark.parametrize("api", APIS)
def test_failed_and_empty_results(api):
    asked = said(ToolCall("c1", "run", {}), ToolCall("c2", "run", {}))
    told = results(ToolResult("c1", "run", (), failed=True), ToolResult("c2", "run", (Text(""),)))
    ask = sent(api, "Build.", asked, told, tools=(RUN,))
    assert ask.last.count("(nothing)") == 2
    assert api != "anthropic" or ask.messages[-1]["content"][0]["is_error"] is True


@pytest.mark.parametrize("api", APIS)
def test_malformed_arguments_go_back_as_what_they_were(api):
    wrong = ToolCall("c1", "run", None, '{"code": "x', "no JSON")
    told = results(ToolResult("c1", "run", (Text("no JSON"),), failed=True))
    ask = sent(api, "Build.", said(wrong), told, tools=(RUN,))
    assert "INVALID_JSON" in json.dumps(ask.body)


@pytest.mark.parametrize("api", APIS)
def test_histories_in_disorder_are_put_in_order(api):
    """What no provider would take: cut beginnings, calls without results, results without calls."""
    sent(api, said("I was here first."), "Go on.")
    sent(api, "Build.", said(ToolCall("c1", "run", {})), "Never mind.", tools=(RUN,))
    sent(api, "Build.", said(ToolCall("c1", "run", {})), tools=(RUN,))
    ask = sent(api, "Build.", results(ToolResult("c9", "run", (Text("late"), PICTURE))), "Go on.")
    assert "Earlier result of run:" in ask.text and "late" in ask.text and ask.pictures == 1
    both = results(ToolResult("c2", "run", (Text("2"),)), ToolResult("c1", "run", (Text("1"),)))
    asked = said(ToolCall("c1", "run", {}), ToolCall("c2", "run", {}))
    ask = sent(api, "Build.", asked, both, said(""), "Go on.", "And on.", tools=(RUN,))
    assert ask.text.index("1") < ask.text.index("2")
    halves = [results(ToolResult(id, "run", (Text(id),))) for id in ("c1", "c2")]
    sent(api, "Build.", asked, *halves, tools=(RUN,))


# --- Caches ---------------------------------------------------------------------------------------


def marks(value) -> list[str]:
    """Texts of the blocks that are marked, in order of the request."""
    if isinstance(value, list):
        return [mark for inner in value for mark in marks(inner)]
    if not isinstance(value, dict):
        return []
    own = [str(value.get("text") or value.get("name") or value.get("type"))]
    return (own if "cache_control" in value else []) + marks(value.get("content"))


def test_anthropic_marks_system_tools_and_the_end_of_what_is_stable():
    messages = (user("head", PICTURE), said("first"), user("feedback"), said("second"), user("new"))
    ask = sent("anthropic", *messages, tools=(RUN, VIEW), stable=3)
    assert marks(ask.body["system"]) == ["You build houses."]
    assert marks(ask.body["tools"]) == ["view"]
    assert marks(ask.body["messages"]) == ["feedback"]
    assert marks(sent("anthropic", *messages).body["messages"]) == []
    assert marks(sent("anthropic", *messages, stable=5).body["messages"]) == ["new"]
    assert marks(sent("anthropic", *messages, stable=99).body["messages"]) == ["new"]
    head = sent("anthropic", *messages, stable=1)
    assert marks(head.body["messages"]) == ["image"]


def test_the_mark_stays_right_where_messages_are_joined():
    asked = said(ToolCall("c1", "run", {}))
    told = results(ToolResult("c1", "run", (Text("done"),)))
    ask = sent("anthropic", "Build.", asked, told, "later", tools=(RUN,), stable=3)
    last = ask.messages[-1]["content"]
    assert ["cache_control" in block for block in last] == [True, False]


def test_openai_gets_a_key_for_its_cache():
    first, second = sent("responses", "one"), sent("responses", "two", said("x"), "three")
    other = sent("responses", "one", tools=(RUN,))
    key = first.body["prompt_cache_key"]
    assert key == second.body["prompt_cache_key"] != other.body["prompt_cache_key"]
    assert "prompt_cache_key" not in sent("chat").body  # a server that resembles OpenAI's


def test_nothing_is_stored_at_openai():
    assert sent("responses").body["store"] is False
    assert sent("responses", model="gpt-5").body["include"] == ["reasoning.encrypted_content"]
    for model in ("gpt-4.1", "gpt-5-chat-latest"):
        assert "include" not in sent("responses", model=model).body


# --- Thoughts go back -----------------------------------------------------------------------------

THINKS = {"anthropic": "claude-opus-5", "responses": "gpt-5", "chat": "deepseek-reasoner"}


def loop(api: str, tmp_path=None) -> tuple[Reply, Ask]:
    """A reply with thoughts and two calls, and the request that answers it."""
    call = (Call("run", {"code": "1"}), Call("view", {"name": "front"}))
    first = Step("I run it.", call, thinking="First the posts, then the ridge.")
    with ModelServer([first, "Done."]) as server:
        provider = client(server, api, THINKS[api])
        request = question("Build.", tools=(RUN, VIEW))
        reply = provider.complete(request, Cancel())
        message = _through_a_transcript(reply, tmp_path) if tmp_path else reply.message
        told = results(*(ToolResult(c.id, c.name, (Text("ok"),)) for c in reply.calls))
        again = replace(request, messages=(*request.messages, message, told))
        assert provider.complete(again, Cancel()).text == "Done."
        return reply, server.requests[-1]


def _through_a_transcript(reply: Reply, folder) -> Message:
    with Transcript(folder) as transcript:
        transcript.reply(reply)
    (event,) = [e for e in read_events(folder) if e["type"] == "message"]
    return message_from_plain(event, folder)


@pytest.mark.parametrize("stored", [False, True])
@pytest.mark.parametrize("api", APIS)
def test_thoughts_go_back_unchanged_within_a_tool_loop(api, stored, tmp_path):
    """The server refuses signatures and seals that aren't its own."""
    reply, ask = loop(api, tmp_path if stored else None)
    assert reply.thoughts == "First the posts, then the ridge."
    if api == "anthropic":
        blocks = ask.messages[1]["content"]
        assert [b["type"] for b in blocks] == ["thinking", "text", "tool_use", "tool_use"]
        assert blocks[0]["signature"] and blocks[0]["thinking"] == reply.thoughts
    elif api == "responses":
        kinds = [item.get("type", "message") for item in ask.messages]
        assert kinds[1:5] == ["reasoning", "message", "function_call", "function_call"]
        assert ask.messages[1]["encrypted_content"]
    else:
        assert ask.messages[2]["reasoning_content"] == reply.thoughts


def test_thoughts_of_finished_turns_stay_behind():
    reply, _ = loop("anthropic")
    told = results(*(ToolResult(c.id, c.name, (Text("ok"),)) for c in reply.calls))
    ask = sent("anthropic", "Build.", reply.message, told, "Now the roof.", tools=(RUN, VIEW))
    assert [b["type"] for b in ask.messages[1]["content"]] == ["text", "tool_use", "tool_use"]


@pytest.mark.parametrize("api", APIS)
def test_thoughts_mean_nothing_to_other_providers_and_changed_messages(api):
    reply, _ = loop(api)
    told = results(*(ToolResult(c.id, c.name, (Text("ok"),)) for c in reply.calls))
    for other in APIS:
        if other != api:
            sent(other, "Build.", reply.message, told, tools=(RUN, VIEW))
    shortened = replace(reply.message, parts=(Text("(cut)"), *reply.message.parts[1:]))
    ask = sent(api, "Build.", shortened, told, model=THINKS[api], tools=(RUN, VIEW))
    assert "I run it." not in json.dumps(ask.body) and "(cut)" in ask.text


def test_thoughts_that_are_refused_are_left_out():
    """Some models bind their thoughts to the whole conversation, and ours may have been cut."""
    reply, _ = loop("anthropic")
    words = "messages.1.content.0: Invalid `signature` in `thinking` block"
    first = Step(status=400, message=words)
    told = results(*(ToolResult(c.id, c.name, (Text("ok"),)) for c in reply.calls))
    with ModelServer([first, "fine"]) as server:
        provider = client(server, "anthropic", THINKS["anthropic"])
        request = question("Build.", reply.message, told, tools=(RUN, VIEW))
        assert provider.complete(request, Cancel()).text == "fine"
        with_thoughts, without = (json.dumps(ask.body) for ask in server.requests)
        assert '"signature"' in with_thoughts and '"signature"' not in without


def test_a_thought_that_was_cut_off_does_not_go_back():
    step = Step("", thinking="endless", stop="length")
    with ModelServer([step]) as server:
        reply = client(server, "anthropic").complete(question(), Cancel())
    unsigned = {"type": "thinking", "thinking": "endless", "signature": ""}
    assert reply.stop == "length" and unsigned not in reply.message.opaque["blocks"]


# --- What Anthropic's models want -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "known"),
    [
        ("claude-sonnet-4-5-20250929", (4, 5)),
        ("claude-opus-4-20250514", (4, 0)),
        ("claude-opus-5", (5, 0)),
        ("claude-haiku-5-5", (5, 5)),
        ("claude-3-7-sonnet-latest", (3, 7)),
        ("claude-3-haiku-20240307", (3, 0)),
        ("claude-fable-5-1", (5, 0)),
        ("my-own-model", None),
    ],
)
def test_versions_of_models(model, known):
    assert version(model) == known


@pytest.mark.filterwarnings("ignore:The model:DeprecationWarning")
@pytest.mark.parametrize(
    ("model", "form"),
    [
        ("claude-opus-5-5", {"output_config": {"effort": "low"}}),
        ("claude-fable-5", {"output_config": {"effort": "low"}}),
        ("my-own-model", {"output_config": {"effort": "low"}}),
        ("claude-opus-4-5-20251101", {"output_config": {"effort": "low"}}),
        (
            "claude-sonnet-4-6",
            {"output_config": {"effort": "low"}, "thinking": {"type": "adaptive"}},
        ),
        ("claude-haiku-4-5", {"thinking": {"type": "enabled", "budget_tokens": 4096}}),
    ],
)
def test_effort_in_the_form_of_each_generation(model, form):
    made = body(question(effort="low"), model)
    assert {name: made[name] for name in ("thinking", "output_config") if name in made} == form
    sent("anthropic", model=model, effort="low")


def test_a_budget_for_thoughts_leaves_room_for_words():
    made = body(question(effort="high", max_tokens=6000), "claude-sonnet-4-5")
    assert made["thinking"]["budget_tokens"] == 3000


@pytest.mark.parametrize(
    ("model", "effort"), [("claude-3-5-haiku-latest", "low"), ("claude-haiku-4-5", "max")]
)
def test_an_effort_that_a_model_does_not_have(model, effort):
    with pytest.raises(Failed):
        body(question(effort=effort), model)
    with ModelServer([]) as server, pytest.raises(ProviderError, match=f"--effort {effort}"):
        client(server, "anthropic", model).complete(question(effort=effort), Cancel())
    assert server.requests == []


def test_room_for_an_answer_where_nothing_is_told():
    assert most_tokens("claude-opus-5") == 64_000
    assert most_tokens("claude-opus-4-1") == 32_000
    assert most_tokens("claude-3-5-haiku-latest") == most_tokens("my-own-model") == 8_192


@pytest.mark.parametrize("api", APIS)
def test_schemas_arrive_as_they_are(api):
    ask = sent(api, tools=(RUN,))
    tool = ask.body["tools"][0]
    schema = {
        "anthropic": lambda: tool["input_schema"],
        "responses": lambda: tool["parameters"],
        "chat": lambda: tool["function"]["parameters"],
    }[api]()
    assert schema == RUN.parameters
    assert calls(("run", {})).calls[0].name == "run"
