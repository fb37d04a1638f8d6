# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys go to the provider and nowhere else."""

from __future__ import annotations

import copy
import logging
import os
import pickle
import subprocess
import sys
import traceback
from pathlib import Path

import pytest
from model_clients import APIS, client, question
from model_server import ModelServer, Step
from plumbline.addon.agent.providers import keys
from plumbline.addon.agent.providers.base import Cancel, ProviderError
from plumbline.addon.agent.providers.factory import provider_for
from plumbline.addon.agent.providers.keys import Key

TESTS = Path(__file__).parents[3]
CANARY = "sk-canary-7f3a9b2c4d5e6f708192"


@pytest.fixture
def everything_logged(caplog):
    """All that any logger says, however talkative the SDKs were told to be."""
    with caplog.at_level(logging.DEBUG):
        yield caplog


def everything(error: BaseException) -> str:
    """All that an exception shows: its trace, its chain, its fields and their fields."""
    shown = "".join(traceback.format_exception(error))
    chain: list[BaseException | None] = [error]
    while chain[-1] is not None:
        one = chain[-1]
        shown += repr(one) + repr(vars(one)) + repr(one.args)
        chain.append(one.__cause__ or one.__context__)
    return shown


@pytest.mark.parametrize("status", [401, 403, 400, 404, 429, 500])
@pytest.mark.parametrize("api", APIS)
def test_a_key_that_a_server_repeats_goes_no_further(api, status, everything_logged, capfd):
    pytest.importorskip("openai" if api != "anthropic" else "anthropic")
    step = Step(status=status, message="your key is wrong", echo_key=True)
    with ModelServer([step], then="repeat") as server:
        provider = client(server, api, key=CANARY)
        with pytest.raises(ProviderError) as caught:
            provider.complete(question(), Cancel())
    assert server.requests[0].key == CANARY  # it did go to the provider
    leaked = everything(caught.value) + everything_logged.text + "".join(capfd.readouterr())
    leaked += repr(provider) + repr(vars(provider)) + repr(provider.setup)
    assert CANARY not in leaked and CANARY[:16] not in leaked and CANARY[-10:] not in leaked


@pytest.mark.parametrize("api", APIS)
def test_neither_a_stream_nor_an_answer_carries_it_on(api, everything_logged, capfd):
    pytest.importorskip("openai" if api != "anthropic" else "anthropic")
    steps = [
        Step("x", trouble="error", error="invalid_request_error", message=f"bad key {CANARY}"),
        Step("fine"),
    ]
    with ModelServer(steps) as server:
        provider = client(server, api, key=CANARY)
        with pytest.raises(ProviderError) as caught:
            provider.complete(question(), Cancel())
        reply = provider.complete(question(), Cancel())
    leaked = everything(caught.value) + repr(reply) + everything_logged.text
    assert "canary" not in leaked + "".join(capfd.readouterr())


@pytest.mark.parametrize(
    "text",
    [
        f"Incorrect API key provided: {CANARY}.",
        f"Incorrect API key provided: {CANARY[:8]}************{CANARY[-4:]}.",
        f"...{CANARY[-12:]} is not valid",
        f"headers: {{'authorization': 'Bearer {CANARY}'}}",
        "someone else's sk-proj-abcdef123456 too",
    ],
)
def test_scrubbing_takes_whole_keys_and_long_pieces(text):
    scrubbed = Key(CANARY).scrub(text)
    for piece in (CANARY, CANARY[:8], CANARY[-8:], "abcdef123456"):
        assert piece not in scrubbed
    assert "[key]" in scrubbed


def test_scrubbing_leaves_the_rest():
    assert Key(CANARY).scrub("the task-manager and disk-usage") == "the task-manager and disk-usage"
    assert Key("abc").scrub("abc is short, abcd too") == "[key] is short, [key]d too"
    assert Key(keys.NO_KEY).scrub("there is no-key here") == "there is no-key here"


def test_a_key_does_not_show_itself():
    key = Key(CANARY)
    for shown in (repr(key), str(key), f"{key}", repr([key]), repr(vars(type(key)))):
        assert "canary" not in shown
    for write in (pickle.dumps, copy.deepcopy):
        with pytest.raises(TypeError):
            write(key)


def test_keys_come_from_the_caller_or_the_environment(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", " from-the-environment\n")
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    assert keys.find("openai").reveal() == "from-the-environment"
    assert keys.find("openai", "given").reveal() == "given"
    assert keys.find("anthropic") is None and keys.find("anthropic", "  ") is None


@pytest.mark.parametrize("api", APIS)
def test_a_server_of_ones_own_may_ask_for_no_key(api, monkeypatch):
    pytest.importorskip("openai" if api != "anthropic" else "anthropic")
    for name in keys.VARIABLES.values():
        monkeypatch.delenv(name, raising=False)
    with ModelServer(["fine"]) as server:
        assert client(server, api, key=None).complete(question(), Cancel()).text == "fine"
    with ModelServer(["fine"], key="wanted") as server:
        provider = client(server, api, key=None)
        with pytest.raises(ProviderError, match=r"wants a key: set \w+_API_KEY") as caught:
            provider.complete(question(), Cancel())
    assert caught.value.fault == "key"


@pytest.mark.parametrize("name", ["anthropic/m", "openai/m"])
def test_the_providers_themselves_want_one(name, monkeypatch):
    for variable in keys.VARIABLES.values():
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.delenv("ANTHROPIC_BASE_URL", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    pytest.importorskip(name.partition("/")[0])
    with pytest.raises(ProviderError, match=r"no key for api\.\w+\.com: set") as caught:
        provider_for(name)
    assert caught.value.fault == "key" and caught.value.lasting


def test_a_redirect_does_not_take_the_key_along():
    pytest.importorskip("anthropic")
    with ModelServer(["never"]) as elsewhere:
        away = {"location": f"{elsewhere.url}/v1/messages"}
        with ModelServer([Step(status=307, headers=away)]) as server:
            provider = client(server, "anthropic", key=CANARY)
            with pytest.raises(ProviderError, match="sends us elsewhere"):
                provider.complete(question(), Cancel())
        assert elsewhere.requests == []


def test_a_proxy_is_not_told_what_is_asked_of_this_machine(monkeypatch):
    pytest.importorskip("openai")
    with ModelServer(["never"]) as proxy, ModelServer(["fine"]) as server:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.url)
        for name in ("NO_PROXY", "no_proxy"):
            monkeypatch.delenv(name, raising=False)
        assert client(server, "chat", key=CANARY).complete(question(), Cancel()).text == "fine"
        assert proxy.requests == []


def test_talkative_sdks_are_silenced():
    """Their own switches make them log requests with all their text; a process of its own."""
    for name in ("anthropic", "openai"):
        pytest.importorskip(name)
    program = f"""
import conftest
from model_clients import client, question
from model_server import ModelServer
from plumbline.addon.agent.providers.base import Cancel
with ModelServer(["fine"], then="repeat") as server:
    for api in ("anthropic", "chat"):
        client(server, api, key={CANARY!r}).complete(question("the prompt"), Cancel())
"""
    talkative = {"ANTHROPIC_LOG": "debug", "OPENAI_LOG": "debug", "HTTPX_LOG_LEVEL": "debug"}
    path = os.pathsep.join([*(path for path in sys.path if path), str(TESTS)])
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **talkative, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert CANARY not in done.stdout + done.stderr and "the prompt" not in done.stderr
