# SPDX-License-Identifier: GPL-3.0-or-later
"""From a name to a provider, or to a sentence that says what is missing."""

from __future__ import annotations

import http.server
import subprocess
import sys
import threading

import pytest
from model_clients import question
from plumbline.addon.agent.providers import prices
from plumbline.addon.agent.providers.base import Cancel, ProviderError
from plumbline.addon.agent.providers.factory import provider_for
from plumbline.addon.agent.providers.limiter import Limiter, shared

LOCAL = "http://127.0.0.1:8000/v1"


@pytest.fixture(autouse=True)
def _environment(monkeypatch):
    for name in ("ANTHROPIC_BASE_URL", "OPENAI_BASE_URL", "PLUMBLINE_PRICES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a")
    monkeypatch.setenv("OPENAI_API_KEY", "o")


@pytest.fixture
def sdks():
    pytest.importorskip("anthropic")
    pytest.importorskip("openai")


def test_each_protocol_where_it_is_spoken(sdks):
    apis = {
        ("anthropic/claude-opus-5", None, None): "anthropic/messages",
        ("anthropic/m", LOCAL, None): "anthropic/messages",
        ("openai/gpt-5", None, None): "openai/responses",
        ("openai/gpt-5", "https://api.openai.com/v1/", None): "openai/responses",
        ("openai/gpt-5", None, "chat"): "openai/chat",
        ("openai/m", LOCAL, None): "openai/chat",
        ("openai/m", LOCAL, "responses"): "openai/responses",
    }
    for (name, base_url, api), expected in apis.items():
        provider = provider_for(name, base_url=base_url, api=api)
        assert (provider.api, provider.name) == (expected, name)
        provider.close()


def test_models_may_have_slashes(sdks):
    provider = provider_for("openai/Qwen/Qwen3-32B", base_url=LOCAL)
    assert provider.setup.place.model == "Qwen/Qwen3-32B"


def test_the_environment_may_name_another_address(sdks, monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", LOCAL)
    assert provider_for("openai/m").setup.place.base_url == LOCAL
    other = "http://127.0.0.1:9000/v1"
    assert provider_for("openai/m", base_url=other).setup.place.base_url == other


@pytest.mark.parametrize("name", ["anthropic/m", "openai/m"])
def test_the_way_to_the_provider_may_lead_through_a_proxy(sdks, monkeypatch, name):
    """The proxy of the environment is asked for the real address, and refuses."""
    pytest.importorskip("anthropic")
    asked = []

    class Proxy(http.server.BaseHTTPRequestHandler):
        def do_CONNECT(self):
            asked.append(self.path)
            self.send_error(403)

        def log_message(self, *_):
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Proxy) as proxy:
        threading.Thread(target=proxy.serve_forever, kwargs={"poll_interval": 0.05}).start()
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{proxy.server_port}")
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        with pytest.raises(ProviderError, match="proxy on the way to api") as caught:
            provider_for(name, limiter=Limiter()).complete(question(), Cancel())
        proxy.shutdown()
    vendor = name.partition("/")[0]
    assert asked == [f"api.{vendor}.com:443"] and caught.value.fault == "unreachable"


def test_providers_of_one_host_share_its_limiter(sdks):
    first, second = provider_for("openai/a"), provider_for("openai/b")
    assert first.setup.limiter is second.setup.limiter is shared("api.openai.com")
    assert provider_for("anthropic/a").setup.limiter is not first.setup.limiter


def test_the_time_limit_is_for_the_whole_answer(sdks):
    timeouts = provider_for("openai/a", timeout=42.0).setup.timeouts
    assert timeouts.whole == timeouts.silence == 42.0


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("claude", {}, "names no model"),
        ("anthropic/", {}, "names no model"),
        ("mistral/large", {}, "anthropic/MODEL or openai/MODEL"),
        ("openai/m", {"api": "assistants"}, "responses and chat"),
        ("anthropic/m", {"api": "chat"}, "anthropic has no API called 'chat'"),
        ("openai/m", {"base_url": "127.0.0.1:8000"}, "no address of a server"),
        ("openai/m", {"base_url": "ftp://a/"}, "no address of a server"),
        ("openai/m", {"base_url": "http://[::1"}, "no address of a server"),
        ("openai/m", {"base_url": "http://a:99999"}, "no address of a server"),
    ],
)
def test_names_and_addresses_that_are_none(name, options, words):
    with pytest.raises(ProviderError) as caught:
        provider_for(name, **options)
    assert caught.value.fault == "request" and words in str(caught.value)


@pytest.mark.parametrize("rest", ["me:pass-word@a.example/v1", "a.example/v1?key=pass-word"])
def test_an_address_holds_no_secret(rest):
    with pytest.raises(ProviderError, match="into the environment instead") as caught:
        provider_for("openai/m", base_url=f"https://{rest}")
    assert "pass-word" not in str(caught.value)


def test_a_run_folder_learns_how_a_model_was_reached(sdks):
    told = provider_for("openai/gpt-5").describe()
    assert told["host"] == "api.openai.com" and told["api"] == "openai/responses"
    assert told["sdk"].startswith("openai ") and told["prices"] == prices.date()
    assert told["takes"] == ["effort", "temperature"]


@pytest.mark.parametrize("base_url", [None, "http://192.168.0.7:8000/v1", "https://a.example/"])
def test_offline_means_offline(base_url):
    with pytest.raises(ProviderError, match="not to go online") as caught:
        provider_for("openai/m", base_url=base_url, online=False)
    assert caught.value.fault == "offline" and caught.value.lasting


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "localhost", "[::1]"])
def test_this_machine_is_not_online(sdks, host):
    assert provider_for("openai/m", base_url=f"http://{host}:8000/v1", online=False)


@pytest.mark.parametrize("host", ["127.evil.example", "localhost.evil.example", "1270.0.0.1"])
def test_names_that_look_like_this_machine(host):
    with pytest.raises(ProviderError, match="not to go online"):
        provider_for("openai/m", base_url=f"http://{host}:8000/v1", online=False)


@pytest.mark.parametrize("vendor", ["anthropic", "openai"])
def test_a_missing_package_is_told_with_its_remedy(monkeypatch, vendor):
    monkeypatch.setitem(sys.modules, vendor, None)
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    monkeypatch.delitem(sys.modules, vendor)
    with pytest.raises(ProviderError, match=f"pip install {vendor}") as caught:
        provider_for(f"{vendor}/m", base_url=LOCAL)
    assert caught.value.fault == "missing" and "Blender" in str(caught.value)


def test_nothing_is_imported_before_the_first_question(sdks):
    """The SDKs take seconds to import, and a window would stand still for them."""
    program = """
import conftest, sys
from plumbline.addon.agent.providers.factory import provider_for
for name in ("anthropic/m", "openai/m"):
    provider_for(name, base_url="http://127.0.0.1:1/v1").close()
print(sorted({"anthropic", "openai", "httpx", "httpx2", "pydantic"} & set(sys.modules)))
"""
    tests = __file__.rpartition("addon")[0]
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tests, capture_output=True, text=True, timeout=120
    )
    assert done.stdout.strip() == "[]", done.stderr
