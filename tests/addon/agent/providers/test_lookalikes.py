# SPDX-License-Identifier: GPL-3.0-or-later
"""Servers that only resemble the real ones, each in a way of its own that was seen somewhere."""

from __future__ import annotations

import pytest
from model_clients import RUN, client, question, user
from model_server import ModelServer, Step
from plumbline.addon.agent.messages import Message, Text, ToolResult
from plumbline.addon.agent.providers.base import Cancel, ProviderError

pytest.importorskip("anthropic")
pytest.importorskip("openai")


def ask(api: str, *events, listen=None):
    with ModelServer([Step(raw=events)]) as server:
        return client(server, api).complete(question(tools=(RUN,)), Cancel(), listen)


def chunk(finish: str | None = None, **delta) -> dict:
    return {"id": "x", "model": "m", "choices": [{"delta": delta, "finish_reason": finish}]}


def call(id: str | None, name: str | None, arguments, index: int | None = 0) -> dict:
    piece = {"id": id, "index": index, "function": {"name": name, "arguments": arguments}}
    piece = {name: value for name, value in piece.items() if value is not None}
    return chunk(tool_calls=[piece])


def made(reply) -> list[tuple[str, str, object]]:
    return [(c.id, c.name, c.arguments) for c in reply.calls]


def test_every_call_has_the_number_nought():
    reply = ask("chat", call("a", "run", '{"n": 1}'), call("b", "run", '{"n": 2}'), chunk("stop"))
    assert made(reply) == [("a", "run", {"n": 1}), ("b", "run", {"n": 2})]
    assert reply.stop == "tools"  # although it says that it just stopped


def test_calls_without_numbers_and_without_ids():
    reply = ask("chat", call("a", "run", "{}", None), call("b", "run", "{}", None), chunk("stop"))
    assert [id for id, _, _ in made(reply)] == ["a", "b"]
    reply = ask("chat", call(None, "run", "{}", 0), call(None, "run", "{}", 1), chunk("tool_calls"))
    assert len({id for id, _, _ in made(reply)}) == 2 and all(c.id for c in reply.calls)


def test_several_calls_under_one_id():
    pieces = [call("a", "run", "{}", n) for n in range(3)] + [call("a_1", "run", "{}", 3)]
    ids = [id for id, _, _ in made(ask("chat", *pieces, chunk("tool_calls")))]
    assert ids[0] == "a" and len(set(ids)) == 4


def test_arguments_as_an_object():
    reply = ask("chat", call("a", "run", {"code": "x"}), chunk("tool_calls"))
    assert made(reply) == [("a", "run", {"code": "x"})]


def test_the_id_is_repeated_with_every_piece():
    pieces = [call("a", "run", '{"co'), call("a", "run", 'de": "x"}'), chunk("tool_calls")]
    assert made(ask("chat", *pieces)) == [("a", "run", {"code": "x"})]


def test_content_in_parts_and_in_the_last_chunk():
    heard: list[str] = []
    parts = [{"type": "text", "text": "Hel"}, {"type": "thinking", "thinking": "x"}]
    reply = ask("chat", chunk(content=parts), chunk("stop", content="lo"), listen=heard.append)
    assert reply.text == "Hello" and heard == ["Hel", "lo"]


def test_usage_before_the_end_and_in_the_words_of_another():
    usage = {"prompt_tokens": 10, "completion_tokens": 4, "prompt_cache_hit_tokens": 6}
    first = chunk(content="x") | {"usage": usage}
    reply = ask("chat", first, chunk("stop") | {"usage": None})
    assert (reply.usage.input_tokens, reply.usage.cached_tokens) == (4, 6)
    assert reply.usage.output_tokens == 4 and reply.usage.uncounted == 0


def test_thoughts_under_two_names_come_once_and_go_back_with_their_details():
    details = [{"type": "reasoning.encrypted", "data": "sealed"}]
    thought = chunk(reasoning="why", reasoning_content="why", reasoning_details=details)
    first = Step(raw=(thought, call("a", "run", "{}"), chunk("tool_calls")))
    with ModelServer([first, "done"]) as server:
        provider = client(server, "chat")
        reply = provider.complete(question(tools=(RUN,)), Cancel())
        told = Message("tool", (ToolResult("a", "run", (Text("ok"),)),))
        again = question(user("Build."), reply.message, told, tools=(RUN,))
        provider.complete(again, Cancel())
        sent = server.requests[-1].messages[2]
    assert reply.thoughts == "why"
    assert sent["reasoning_content"] == "why" and sent["reasoning_details"] == details


def test_an_answer_without_its_reason_is_one_that_broke_off():
    with ModelServer([Step(raw=(chunk(content="half"),)), "whole"]) as server:
        reply = client(server, "chat").complete(question(), Cancel())
    assert (reply.text, reply.retries) == ("whole", 1)


def test_an_error_as_a_mere_sentence():
    with ModelServer([Step(raw=({"error": "out of memory"},))], then="repeat") as server:
        provider = client(server, "chat")
        with pytest.raises(ProviderError, match="trouble of its own") as caught:
            provider.complete(question(), Cancel())
    assert caught.value.fault == "server"


def test_anthropic_without_ends_and_tokens():
    events = [
        {"type": "message_start", "message": {"id": "x", "model": "m", "content": []}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "H"}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "i"}},
        {"type": "a_new_kind_of_event", "what": 1},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}},
    ]
    reply = ask("anthropic", *events)
    assert (reply.text, reply.stop, reply.usage.uncounted) == ("Hi", "end", 1)


def test_anthropic_with_arguments_all_at_once():
    block = {"type": "tool_use", "id": "a", "name": "run", "input": {"code": "x"}}
    events = [
        {"type": "message_start", "message": {"id": "x", "model": "m", "content": []}},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"}},
        {"type": "message_stop"},
    ]
    assert made(ask("anthropic", *events)) == [("a", "run", {"code": "x"})]


def test_responses_that_come_only_with_their_end():
    content = [{"type": "output_text", "text": "Whole."}]
    item = {"type": "message", "role": "assistant", "content": content}
    done = {"id": "r", "model": "m", "status": "completed", "output": [item]}
    events = [{"type": "response.new", "x": 1}, {"type": "response.completed", "response": done}]
    reply = ask("responses", *events)
    assert (reply.text, reply.id, reply.usage.uncounted) == ("Whole.", "r", 1)


@pytest.mark.parametrize(
    ("api", "event"),
    [
        ("anthropic", {"type": "content_block_delta", "index": 7, "delta": {"type": "text_delta"}}),
        ("responses", {"type": "response.output_text.delta"}),
        ("chat", {"choices": 7}),
    ],
)
def test_events_that_make_no_sense_are_told(api, event):
    with pytest.raises(ProviderError, match=r"an event of an unknown form|can't be used") as caught:
        ask(api, event, {"type": "message_stop", "choices": []})
    assert caught.value.fault == "server" and "\n" not in str(caught.value)
