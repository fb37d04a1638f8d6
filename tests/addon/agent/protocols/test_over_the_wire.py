# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole episodes over HTTP: the real SDKs before a local server that speaks as providers do."""

import threading
import time

import pytest
from episodes import (
    FLOATING_WALLS,
    MARKED,
    PHASES,
    WHOLE,
    names_of,
    plan,
    run_episode,
)
from model_clients import APIS, client
from model_server import ModelServer, Step, code_reply, too_many
from plumbline.addon.agent.agents import Limits
from plumbline.addon.agent.protocols import ProtocolOptions
from plumbline.addon.agent.providers.base import Cancel, Cancelled

pytest.importorskip("anthropic")
pytest.importorskip("openai")

PLANNED = ProtocolOptions(pictures=False)


def episode(folder, api, script, protocol="atomic", **settings):
    with ModelServer(script) as server:
        provider = client(server, api)
        try:
            return run_episode(folder, provider, protocol, **settings), server
        finally:
            provider.close()


@pytest.mark.parametrize("api", APIS)
def test_a_plan_then_phase_upon_phase_with_one_repair(tmp_path, api):
    codes = [*list(PHASES.values())[:2], FLOATING_WALLS, *list(PHASES.values())[2:]]
    script = [plan(stories=3), plan(), *map(code_reply, codes)]
    found, server = episode(tmp_path, api, script, "managed", options=PLANNED)
    built = found.built
    assert built.end == "finished" and len(names_of(built.execution)) == 36
    assert built.metrics == {
        "attempts": 5,
        "phases_done": 4,
        "retries_walls": 1,
        "plan_accepted": True,
        "plan_retries": 1,
    }
    assert built.usage.calls == 7 and built.usage.tokens > 700
    assert "$.stories" in server.requests[1].last
    assert "load_path" in server.requests[5].last
    assert len(found.of("reply")) == 7


@pytest.mark.parametrize("api", APIS)
def test_answers_of_every_bad_kind_before_a_good_one(tmp_path, api):
    script = [
        "I would begin with the sills.",
        Step("```python\nfor tag in", stop="length"),
        Step(""),
        Step("I can't do that.", stop="refusal"),
        code_reply("import os\nos.system('ls')"),
        code_reply("box("),
        code_reply(MARKED),
    ]
    found, server = episode(tmp_path, api, script, "reactive")
    assert found.built.end == "finished"
    metrics = found.built.metrics
    for state in ("none", "cut_off", "empty", "refusal"):
        assert metrics[f"answers_{state}"] == 1, state
    assert metrics["attempts"] == 7
    # The server refuses, as the real ones do, empty messages and roles in the wrong order.
    assert len(server.requests) == 7


@pytest.mark.parametrize("api", APIS)
def test_a_second_refusal_ends_it(tmp_path, api):
    script = [Step("No.", stop="refusal"), Step("Still no.", stop="refusal")]
    found, _ = episode(tmp_path, api, script)
    assert (found.built.end, found.built.execution) == ("refusal", None)


@pytest.mark.parametrize("api", APIS)
def test_a_wrong_key_is_a_fault_of_the_environment(tmp_path, api):
    with ModelServer([code_reply(WHOLE)], key="another key") as server:
        found = run_episode(tmp_path, client(server, api))
    assert (found.built.end, found.built.fault.kind) == ("environment", "key")
    assert found.of("end")[0]["end"] == "environment"


def test_a_busy_provider_costs_time_and_no_attempt(tmp_path):
    found, _ = episode(tmp_path, "anthropic", [too_many(0.01), code_reply(WHOLE)])
    assert found.built.end == "finished" and found.built.metrics == {"attempts": 1}
    assert found.of("reply")[0]["retries"] == 1


@pytest.mark.parametrize("api", APIS)
def test_a_stop_breaks_off_in_the_middle_of_an_answer(tmp_path, api):
    cancel = Cancel()
    slow = Step(code_reply(WHOLE).text, drip=0.05)
    threading.Timer(0.6, cancel.request).start()
    begin = time.monotonic()
    with pytest.raises(Cancelled):
        episode(tmp_path, api, [slow], cancel=cancel)
    assert time.monotonic() - begin < 20  # the whole answer would take a minute
    assert "end" not in [e["type"] for e in read(tmp_path)]


def read(folder):
    from plumbline.addon.agent.transcript import read_events

    return list(read_events(folder))


def test_time_runs_out_in_the_middle_of_an_answer(tmp_path):
    slow = Step(code_reply(WHOLE).text, drip=0.05)
    limits = Limits(seconds=0.8)
    found, _ = episode(tmp_path, "anthropic", [slow], limits=limits)
    assert (found.built.end, found.built.fault) == ("seconds", None)
    assert "while the model was answering" in found.built.message
