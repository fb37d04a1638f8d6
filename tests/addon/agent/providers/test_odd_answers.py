# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers that no file and no server would take back, or that try to talk a limit away."""

from __future__ import annotations

import pytest
from model_clients import APIS, RUN, client, question, user
from model_server import Call, ModelServer, Step
from plumbline.addon.agent.messages import Message, Text, ToolResult
from plumbline.addon.agent.providers import asking
from plumbline.addon.agent.providers.base import Cancel, ProviderError
from plumbline.addon.agent.transcript import Transcript

pytest.importorskip("anthropic")
pytest.importorskip("openai")


def first_and_next(step: Step, api: str):
    """The reply to a question, and to the next one that sends it back."""
    with ModelServer([step], then="repeat") as server:
        provider = client(server, api, key="canary-key-0123456789abcdef")
        asked = user("Build.")
        reply = provider.complete(question(asked, tools=(RUN,)), Cancel())
        answers = tuple(ToolResult(c.id, c.name, (Text("no"),), True) for c in reply.calls)
        answer = Message("tool", answers) if answers else user("Go on.")
        provider.complete(question(asked, reply.message, answer, tools=(RUN,)), Cancel())
        provider.close()
    return reply


@pytest.mark.parametrize("api", APIS)
def test_halves_of_letters_don_t_end_a_conversation(api):
    reply = first_and_next(Step("a\ud800b", thinking="\udfff"), api)
    assert reply.text == "a\ufffdb" and reply.stop == "end"


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("raw", ['{"a": NaN}', '{"a": [-Infinity]}', '{"a": 1e999}', "[" * 100_000])
def test_arguments_that_can_t_be_sent_back_are_the_model_s_fault(api, raw):
    (call,) = first_and_next(Step(calls=(Call("run", raw),)), api).calls
    assert call.arguments is None and "no JSON" in call.problem


@pytest.mark.parametrize("api", APIS)
def test_halves_of_letters_in_arguments(api):
    (call,) = first_and_next(Step(calls=(Call("run", '{"code": "\\ud800"}'),)), api).calls
    assert call.arguments == {"code": "\ufffd"}


@pytest.mark.parametrize("api", APIS)
def test_a_key_that_a_server_repeats_in_its_answer_is_written_nowhere(api, tmp_path):
    key = "canary-key-0123456789abcdef"
    # Responses seals thoughts: what is changed in them can't go back.
    thought = "" if api == "responses" else f"It is {key}."
    step = Step(f"You are {key}.", (Call("run", {"code": key}),), thought)
    reply = first_and_next(step, api)
    with Transcript(tmp_path) as transcript:
        transcript.reply(reply)
    assert "You are" in reply.text and key not in repr(reply)
    assert key not in (tmp_path / "transcript.jsonl").read_text()


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize(
    "usage",
    [{"output": -9}, {"input": -9000, "cached": 9000}, {"output": float("nan")}, {"output": 0.5}],
)
def test_tokens_that_can_t_be_counted_count_as_not_told(api, usage):
    with ModelServer([Step("yes", usage=usage)]) as server:
        told = client(server, api).complete(question(), Cancel()).usage
    assert (told.tokens, told.uncounted, told.cost) == (0, 1, None) or told.input_tokens == 0
    assert min(told.input_tokens, told.output_tokens) >= 0


def test_usage_of_an_unknown_form_is_the_server_s_fault():
    end = {"choices": [{"delta": {"content": "hi"}, "finish_reason": "stop"}], "usage": {
        "completion_tokens": 3, "prompt_tokens": "12", "prompt_tokens_details": 7}}  # fmt: skip
    with (
        ModelServer([Step(raw=(end,))], then="repeat") as server,
        pytest.raises(ProviderError, match="unknown form") as told,
    ):
        client(server, "chat").complete(question(), Cancel())
    assert told.value.fault == "server"


@pytest.mark.parametrize("api", APIS)
def test_an_answer_without_end_is_broken_off(api, monkeypatch):
    monkeypatch.setattr(asking, "MOST_ANSWER", 5000)
    with (
        ModelServer([Step("word " * 20_000)]) as server,
        pytest.raises(ProviderError, match="an answer without end") as told,
    ):
        client(server, api).complete(question(), Cancel())
    assert told.value.fault == "server" and len(server.requests) == 1
