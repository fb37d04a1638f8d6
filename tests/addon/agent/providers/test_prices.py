# SPDX-License-Identifier: GPL-3.0-or-later
"""What a call costs, as far as anybody knows."""

from __future__ import annotations

import datetime
import json

import pytest
from model_clients import client, question
from model_server import ModelServer, Step
from plumbline.addon.agent.messages import Usage
from plumbline.addon.agent.providers import prices
from plumbline.addon.agent.providers.base import Cancel, ProviderError
from plumbline.addon.agent.providers.factory import provider_for

ANTHROPIC, OPENAI = "api.anthropic.com", "api.openai.com"
MILLION = 1_000_000


def test_every_kind_of_token_has_its_price():
    """Claude Sonnet 4.6: 3, 0.30, 3.75 and 15 dollars for a million."""
    usage = Usage(MILLION, MILLION, MILLION, MILLION, reasoning_tokens=MILLION // 2)
    assert prices.cost(ANTHROPIC, "claude-sonnet-4-6", usage) == pytest.approx(22.05)
    assert prices.cost(OPENAI, "gpt-5-mini", Usage(1000, 2000, 0, 500)) == pytest.approx(0.0013)
    assert prices.cost(OPENAI, "gpt-5-mini", Usage()) == 0.0


def test_models_by_their_day():
    usage = Usage(MILLION)
    assert prices.cost(ANTHROPIC, "claude-opus-4-5-20251101", usage) == 5.0
    assert prices.cost(OPENAI, "gpt-5-2025-08-07", usage) == 1.25


@pytest.mark.parametrize(
    ("host", "model"),
    [
        (ANTHROPIC, "claude-unheard-of-9"),
        (ANTHROPIC, "gpt-5"),
        (OPENAI, "gpt-5-chat-latest"),
        ("127.0.0.1:8000", "gpt-5"),
        ("eu.api.openai.com", "gpt-5"),
    ],
)
def test_what_the_table_does_not_say_is_unknown(host, model):
    assert prices.cost(host, model, Usage(100, output_tokens=10)) is None


def test_kinds_without_a_price_and_untold_tokens_are_unknown():
    assert prices.cost(OPENAI, "gpt-5.5", Usage(100)) is not None
    assert prices.cost(OPENAI, "gpt-5.5", Usage(100, cache_write_tokens=1)) is None
    assert prices.cost(OPENAI, "gpt-5", Usage(uncounted=1)) is None


def test_long_prompts_cost_more_or_nobody_knows():
    short, long = Usage(100_000, output_tokens=1000), Usage(1, 100_000, output_tokens=1000)
    assert prices.cost(ANTHROPIC, "claude-haiku-5-5", short) == pytest.approx(0.0105)
    assert prices.cost(ANTHROPIC, "claude-haiku-5-5", long) == pytest.approx(0.0075005)
    assert prices.cost(OPENAI, "gpt-5.4", Usage(272_001)) is None


def test_the_table_is_dated_and_says_where_it_is_from():
    assert datetime.date.fromisoformat(prices.date()) >= datetime.date(2026, 11, 5)
    assert "platform.claude.com" in prices.source()


def test_the_table_makes_sense():
    with open(prices._FILE, encoding="utf-8") as stream:
        table = json.load(stream)
    names = [m for entries in table["hosts"].values() for e in entries for m in e["models"]]
    assert len(names) == len(set(names)) > 30
    for entries in table["hosts"].values():
        for entry in entries:
            written = entry.get("cache_write", entry["input"])
            assert 0 < entry["cached"] < entry["input"] <= written < entry["output"]


def test_prices_of_ones_own(monkeypatch, tmp_path):
    pytest.importorskip("openai")
    with ModelServer([Step("x", usage={"input": 1000, "output": 100})], then="repeat") as server:
        host = f"127.0.0.1:{server.port}"
        entry = {"models": ["m"], "input": 2.0, "cached": 1.0, "output": 10.0}
        file = tmp_path / "prices.json"
        file.write_text(json.dumps({"schema": prices.SCHEMA, "hosts": {host: [entry]}}), "utf-8")
        assert client(server, "chat").complete(question(), Cancel()).usage.cost is None
        monkeypatch.setenv(prices.VARIABLE, str(file))
        reply = client(server, "chat").complete(question(), Cancel())
    assert reply.usage.cost == pytest.approx(0.003)
    assert prices.cost(OPENAI, "gpt-5", Usage(MILLION)) == 1.25


@pytest.mark.parametrize("content", ["", "{}", '{"schema": "x", "hosts": {}}', None, "[1]"])
@pytest.mark.parametrize("entry", [None, {"models": ["m"], "input": "much"}, {"input": 1}])
def test_an_unusable_price_file_is_told_before_anything_is_asked(
    monkeypatch, tmp_path, content, entry
):
    pytest.importorskip("openai")
    file = tmp_path / "prices.json"
    if entry is not None:
        content = json.dumps({"schema": prices.SCHEMA, "hosts": {"h": [entry]}})
    if content is not None:
        file.write_text(content, encoding="utf-8")
    monkeypatch.setenv(prices.VARIABLE, str(file))
    with pytest.raises(ProviderError, match=r"price(s| file).*\.$") as caught:
        provider_for("openai/m", base_url="http://127.0.0.1:1/v1")
    assert caught.value.fault == "request" and str(file) in str(caught.value)
