# SPDX-License-Identifier: GPL-3.0-or-later
"""What comes back: texts, calls, thoughts, ends and tokens, in every protocol, by the real SDKs."""

from __future__ import annotations

import time

import pytest
from model_clients import APIS, RUN, VIEW, client, question
from model_server import Call, ModelServer, Step, calls, code_reply
from plumbline.addon.agent.messages import Text, ToolCall
from plumbline.addon.agent.providers.base import Cancel

pytest.importorskip("anthropic")
pytest.importorskip("openai")


def ask(step: Step | str, api: str, model: str = "m", **settings):
    heard: list[str] = []
    with ModelServer([step]) as server:
        provider = client(server, api, model)
        reply = provider.complete(question(**settings), Cancel(), heard.append)
        provider.close()
    return reply, heard


@pytest.mark.parametrize("api", APIS)
def test_text_comes_piece_by_piece_and_whole(api):
    reply, heard = ask(code_reply("import bpy"), api)
    assert reply.text == "Here is the script.\n\n```python\nimport bpy\n```\n"
    assert "".join(heard) == reply.text and len(heard) > 5
    assert reply.stop == "end" and reply.retries == 0
    assert reply.model == "m" and reply.id


@pytest.mark.parametrize("api", APIS)
def test_nobody_needs_to_listen(api):
    with ModelServer(["yes"]) as server:
        assert client(server, api).complete(question(), Cancel()).text == "yes"


@pytest.mark.parametrize("api", APIS)
def test_several_calls_at_once(api):
    step = calls(("run", {"code": "ö = '\"'\n"}), ("view", {"name": "front"}), text="I look.")
    reply, heard = ask(step, api, tools=(RUN, VIEW))
    assert reply.stop == "tools" and "".join(heard) == "I look."
    assert [(c.name, c.arguments) for c in reply.calls] == [
        ("run", {"code": "ö = '\"'\n"}),
        ("view", {"name": "front"}),
    ]
    assert len({call.id for call in reply.calls}) == 2
    assert reply.message.parts[0] == Text("I look.")


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("raw", ['{"code": "x', "[1, 2]", "import bpy", '{"a": 1}{"b": 2}', "null"])
def test_arguments_that_are_no_object_are_told(api, raw):
    reply, _ = ask(Step(calls=(Call("run", raw),)), api, tools=(RUN,))
    (call,) = reply.calls
    assert reply.stop == "tools"
    assert call.arguments is None and call.raw == raw
    assert call.problem.startswith("The arguments of run are no JSON") and "\n" not in call.problem


@pytest.mark.parametrize("api", APIS)
def test_a_call_without_arguments_has_an_empty_object(api):
    reply, _ = ask(Step(calls=(Call("view", ""),)), api, tools=(VIEW,))
    assert reply.calls == (ToolCall(reply.calls[0].id, "view", {}),)


@pytest.mark.parametrize("api", APIS)
def test_cut_off_at_the_limit(api):
    reply, _ = ask(Step("half a sent", stop="length"), api)
    assert (reply.stop, reply.text) == ("length", "half a sent")
    reply, _ = ask(Step(calls=(Call("run", '{"code": "ha'),), stop="length"), api, tools=(RUN,))
    assert reply.stop == "length" and reply.calls[0].problem


@pytest.mark.parametrize("api", APIS)
def test_refusals_are_answers(api):
    reply, _ = ask(Step("I won't.", stop="refusal"), api)
    assert (reply.stop, reply.text) == ("refusal", "I won't.")


@pytest.mark.parametrize("api", APIS)
def test_nothing_at_all_is_empty(api):
    for step in (Step(), Step("  \n ")):
        reply, _ = ask(step, api)
        assert (reply.stop, reply.message.parts) == ("empty", ())


def test_a_content_filter_is_a_refusal():
    assert ask(Step("Half", stop="content_filter"), "chat")[0].stop == "refusal"
    step = Step(stop="failed", error="misalignment_policy_violation", message="not this")
    reply, _ = ask(step, "responses")
    assert (reply.stop, reply.text) == ("refusal", "not this")
    step = Step(status=400, error="content_policy_violation", message="against our usage policies")
    reply, _ = ask(step, "chat")
    assert reply.stop == "refusal" and reply.usage.uncounted == 1


@pytest.mark.parametrize("api", APIS)
def test_tokens_are_told_apart(api):
    told = {"input": 100, "cached": 40, "output": 30, "reasoning": 12}
    told |= {"cache_write": 8} if api != "chat" else {}
    usage = ask(Step("x", usage=told), api)[0].usage
    assert (usage.input_tokens, usage.cached_tokens) == (100, 40)
    assert usage.cache_write_tokens == told.get("cache_write", 0)
    assert (usage.output_tokens, usage.reasoning_tokens) == (30, 12)
    assert usage.calls == 1 and usage.uncounted == 0
    assert usage.cost is None  # a server of one's own has no price


def test_a_server_that_tells_no_tokens_is_not_free():
    usage = ask(Step("x", usage=None), "chat")[0].usage
    assert usage.tokens == 0 and usage.uncounted == 1 and usage.cost is None


@pytest.mark.parametrize("api", APIS)
def test_thoughts_are_apart_from_the_text(api):
    reply, heard = ask(Step("Done.", thinking="A ridge needs posts."), api, "gpt-5")
    assert reply.thoughts == "A ridge needs posts." and reply.text == "Done."
    assert "".join(heard) == "Done."


def test_thoughts_in_a_tag_are_taken_out():
    reply, _ = ask(Step("<think>\nposts\n</think>\n\nDone."), "chat")
    assert (reply.thoughts, reply.text) == ("posts", "Done.")


@pytest.mark.parametrize("api", APIS)
def test_slow_answers_are_waited_for(api):
    begin = time.monotonic()
    reply, heard = ask(Step("Slow but sure.", drip=0.01, delay=0.1), api)
    assert reply.text == "Slow but sure." and len(heard) > 2
    assert time.monotonic() - begin > 0.15


@pytest.mark.parametrize("api", APIS)
def test_many_threads_share_one_provider(api):
    import concurrent.futures as futures

    with ModelServer(lambda ask: Step(ask.last, drip=0.002)) as server:
        provider = client(server, api)

        def one(number: int) -> str:
            return provider.complete(question(f"number {number}"), Cancel()).text

        with futures.ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(one, range(24)))
        assert answers == [f"number {number}" for number in range(24)]
        assert 1 < server.peak <= 8
