# SPDX-License-Identifier: GPL-3.0-or-later
"""What goes wrong between us and a provider: what is asked again, and what is said to people."""

from __future__ import annotations

import email.utils
import socket
import ssl
import threading

import pytest
from model_clients import APIS, RUN, FakeClock, client, question
from model_server import Call, ModelServer, Step, broken, too_many
from plumbline.addon.agent.providers.asking import AGAIN
from plumbline.addon.agent.providers.base import Cancel, ProviderError
from plumbline.addon.agent.providers.factory import provider_for
from plumbline.addon.agent.providers.faults import Place, failure_from
from plumbline.addon.agent.providers.keys import Key
from plumbline.addon.agent.providers.limiter import Limiter
from plumbline.addon.agent.providers.links import Timeouts
from plumbline.addon.agent.providers.retry import Policy

pytest.importorskip("anthropic")
pytest.importorskip("openai")

WELL = Step("All is well.")
BAD = [
    *(broken(500), broken(502), broken(503), broken(529), broken(408), broken(409), too_many(0)),
    *(Step("A long sentence that breaks.", trouble="cut", place=p) for p in ("connect", "start")),
    *(Step("A long sentence that breaks.", trouble="cut", place=p) for p in ("before", "middle")),
    Step("A long sentence that breaks.", trouble="cut", place="end"),
    *(Step("A sentence.", trouble=trouble) for trouble in ("garble", "error")),
    Step("A sentence.", trouble="error", place="before", error="rate_limit_error"),
]


def fault(steps, api, **options) -> ProviderError:
    """The error that comes of it."""
    with ModelServer(steps, then="repeat") as server, pytest.raises(ProviderError) as caught:
        client(server, api, **options).complete(question(), Cancel())
    assert caught.value.__cause__ is None and caught.value.__context__ is None
    assert "\n" not in str(caught.value) and str(caught.value).endswith(".")
    return caught.value


@pytest.mark.parametrize("api", APIS)
def test_whatever_passes_is_asked_again(api):
    """Every kind of passing trouble, one after the other, each followed by a good answer."""
    with ModelServer([step for bad in BAD for step in (bad, WELL)]) as server:
        clock = FakeClock()
        provider = client(server, api, clock=clock)
        for _ in BAD:
            reply = provider.complete(question(), Cancel())
            assert (reply.text, reply.retries) == ("All is well.", 1)
        assert len(server.requests) == 2 * len(BAD) and len(clock.waits) == len(BAD)


@pytest.mark.parametrize("api", APIS)
def test_a_listener_is_told_where_an_answer_begins_anew(api):
    heard: list[str] = []
    with ModelServer([Step("Half of a sentence", trouble="cut"), WELL]) as server:
        reply = client(server, api).complete(question(), Cancel(), heard.append)
    before, after = "".join(heard).split(AGAIN)
    assert before and "Half of a sentence".startswith(before)
    assert after == reply.text == "All is well."


@pytest.mark.parametrize("api", APIS)
def test_calls_of_a_broken_answer_are_not_kept(api):
    halfway = Step(calls=(Call("run", {"code": "first"}),), trouble="cut", place="end")
    with ModelServer([halfway, WELL]) as server:
        reply = client(server, api).complete(question(tools=(RUN,)), Cancel())
    assert reply.calls == () and reply.stop == "end"


@pytest.mark.parametrize("api", APIS)
def test_retry_after_is_obeyed(api):
    wall = 1_700_000_000
    date = email.utils.formatdate(wall + 20.0, usegmt=True)
    steps = [
        too_many(7),
        Step(status=503, headers={"retry-after-ms": "2500"}),
        Step(status=429, headers={"retry-after": date}),
        WELL,
    ]
    clock = FakeClock(wall)
    with ModelServer(steps) as server:
        client(server, api, clock=clock).complete(question(), Cancel())
    # Half of the base is added by chance, and the date is as near as the waits before brought it.
    assert clock.waits == [7.5, 3.0, pytest.approx(20.0 - 10.5 + 0.5)]


@pytest.mark.parametrize("api", APIS)
def test_tries_are_bounded(api):
    clock = FakeClock()
    with ModelServer([broken()], then="repeat") as server, pytest.raises(ProviderError) as caught:
        client(server, api, clock=clock).complete(question(), Cancel())
    assert len(server.requests) == Policy().tries == 6
    assert clock.waits == [0.5, 1.0, 2.0, 4.0, 8.0]
    assert caught.value.fault == "server" and "(after 6 tries)" in str(caught.value)


def test_patience_is_bounded():
    clock = FakeClock()
    error = fault([too_many(3600)], "anthropic", clock=clock)
    assert error.fault == "busy" and clock.waits == []
    error = fault([too_many(80)], "anthropic", clock=clock, policy=Policy(patience=200.0))
    assert error.fault == "busy" and clock.waits == [80.5, 80.5]


@pytest.mark.parametrize("api", APIS)
def test_a_server_may_forbid_and_wish_retries(api):
    forbidden = Step(status=500, headers={"x-should-retry": "false"})
    assert "tries" not in str(fault([forbidden], api))
    wished = Step(status=422, headers={"x-should-retry": "true"}, message="odd")
    assert fault([wished], api).fault == "request"


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize(
    ("step", "kind", "words"),
    [
        (Step(status=401), "key", "does not accept the key: set "),
        (Step(status=403, message="no access"), "key", "may not use m (it says: no access)"),
        (Step(status=402, message="pay first"), "quota", "nothing left to spend (it says: pay"),
        (
            Step(status=429, error="insufficient_quota", message="check your plan"),
            *("quota", "check your plan"),
        ),
        (
            Step(status=400, message="Your credit balance is too low to access the API"),
            *("quota", "credit balance"),
        ),
        (Step(status=404, message="model: m"), "unknown", "knows no model m"),
        (
            Step(status=404, error="not_found", message="no page"),
            "unknown",
            "is the base URL right?",
        ),
        (
            Step(status=400, message="prompt is too long: 201000 tokens > 200000 maximum"),
            *("request", "too long for m"),
        ),
        (
            Step(status=400, error="context_length_exceeded", message="reduce it"),
            *("request", "too long for m"),
        ),
        (Step(status=413, message="request too large"), "request", "too long for m"),
        (Step(status=400, message="temperature: out of range"), "request", "error 400 (it says:"),
        (Step(status=307, headers={"location": "http://x/"}), "request", "sends us elsewhere"),
    ],
)
def test_what_lasts_is_told_at_once(api, step, kind, words):
    with ModelServer([step]) as server, pytest.raises(ProviderError) as caught:
        client(server, api).complete(question(), Cancel())
    assert len(server.requests) == 1
    assert caught.value.fault == kind
    assert words in str(caught.value) and "tries" not in str(caught.value)
    assert caught.value.lasting == (kind in ("key", "quota", "unknown"))


@pytest.mark.parametrize("api", APIS)
def test_error_events_that_last_are_not_asked_again(api):
    error = Step("x", trouble="error", error="invalid_request_error", message="no such thing")
    assert "refuses the request (it says: no such thing)" in str(fault([error], api))


def test_responses_that_fail():
    failed = Step(stop="failed", error="server_error", message="oh dear")
    error = fault([failed], "responses")
    assert error.fault == "server" and "oh dear" in str(error)
    assert fault([Step(stop="failed", error="rate_limit_exceeded")], "responses").fault == "busy"
    assert fault([Step(stop="failed", error="invalid_image")], "responses").fault == "request"


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("place", ["connect", "before", "middle"])
def test_silence_ends(api, place):
    silent = Step("A sentence.", trouble="hang", place=place)
    limits = Timeouts(silence=0.1)
    with ModelServer([silent], then="repeat") as server, pytest.raises(ProviderError) as caught:
        client(server, api, timeouts=limits).complete(question(), Cancel())
    assert caught.value.fault == "timeout" and "in time" in str(caught.value)
    assert len(server.requests) == 2


@pytest.mark.parametrize("api", APIS)
def test_an_answer_that_never_ends_is_left(api):
    endless = Step("word " * 200, drip=0.05)
    limits = Timeouts(whole=0.15)
    with ModelServer([endless], then="repeat") as server, pytest.raises(ProviderError) as caught:
        client(server, api, timeouts=limits).complete(question(), Cancel())
    assert caught.value.fault == "timeout"


def test_a_passing_silence_is_survived():
    silent = Step("A sentence.", trouble="hang")
    with ModelServer([silent, WELL]) as server:
        provider = client(server, "anthropic", timeouts=Timeouts(silence=0.1))
        assert provider.complete(question(), Cancel()).retries == 1


def _nobody() -> str:
    """An address where nothing listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}"


@pytest.mark.parametrize("name", ["anthropic/m", "openai/m"])
def test_nobody_there(name):
    clock = FakeClock()
    provider = provider_for(name, base_url=_nobody(), clock=clock, limiter=Limiter())
    with pytest.raises(ProviderError, match=r"Nothing answers at 127\.0\.0\.1") as caught:
        provider.complete(question(), Cancel())
    assert caught.value.fault == "unreachable" and clock.waits == []


def test_no_such_host():
    """Reserved by RFC 2606: this name never exists."""
    clock = FakeClock()
    options = {"clock": clock, "limiter": Limiter(), "key": "k", "policy": Policy(tries=2)}
    provider = provider_for("openai/m", base_url="http://plumbline.invalid/v1", **options)
    with pytest.raises(ProviderError, match=r"no host plumbline\.invalid|broke off") as caught:
        provider.complete(question(), Cancel())
    assert caught.value.fault == "unreachable" and len(clock.waits) == 1


def test_no_tls_where_tls_was_expected():
    with ModelServer([WELL]) as server:
        address = server.url.replace("http:", "https:")
        options = {"clock": FakeClock(), "limiter": Limiter(), "policy": Policy(tries=2)}
        provider = provider_for("anthropic/m", base_url=address, **options)
        with pytest.raises(ProviderError) as caught:
            provider.complete(question(), Cancel())
    assert caught.value.fault == "unreachable"


def test_a_certificate_that_nobody_vouches_for():
    error = ssl.SSLCertVerificationError(1, "certificate verify failed")
    error.verify_message = "self-signed certificate"
    outer = OSError("connection failed")
    outer.__cause__ = error
    failure = failure_from(outer, Place("openai", "https://a.example/v1", "m", Key("k")), 0.0)
    assert failure.fault == "unreachable" and not failure.again
    assert "self-signed certificate" in failure.message and "SSL_CERT_FILE" in failure.message


@pytest.mark.parametrize("api", APIS)
def test_too_many_shrinks_the_limiter(api):
    limiter = Limiter(8)
    with ModelServer([too_many(1), WELL]) as server:
        client(server, api, limiter=limiter).complete(question(), Cancel())
    assert limiter.width == 4


def test_no_more_at_once_than_the_limiter_lets():
    limiter = Limiter(2)
    with ModelServer([Step("x", delay=0.05)], then="repeat") as server:
        provider = client(server, "chat", limiter=limiter)
        threads = [
            threading.Thread(target=provider.complete, args=(question(), Cancel()))
            for _ in range(6)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
        assert len(server.requests) == 6 and server.peak == 2


def test_what_a_compatible_server_cannot_take_is_left_out():
    def answer(ask):
        for name in ("stream_options", "max_tokens"):
            if name in ask.body:
                hint = " Use 'max_completion_tokens' instead." if name == "max_tokens" else ""
                return Step(status=400, message=f"Unsupported parameter: '{name}'.{hint}")
        return WELL

    with ModelServer(answer) as server:
        clock = FakeClock()
        provider = client(server, "chat", clock=clock)
        for _ in range(2):
            reply = provider.complete(question(max_tokens=77), Cancel())
            assert reply.text == "All is well." and reply.usage.uncounted == 1
        assert clock.waits == [] and len(server.requests) == 4  # learnt once
        assert server.requests[-1].body["max_completion_tokens"] == 77


def test_an_objection_that_stays_is_told():
    step = Step(status=400, message="stream_options is silly")
    error = fault([step], "chat")
    assert error.fault == "request" and "silly" in str(error)


def test_a_listener_that_breaks_breaks_the_call():
    class Ours(Exception):
        pass

    def listen(_: str) -> None:
        raise Ours

    with ModelServer([Step("A sentence.", drip=0.01)]) as server, pytest.raises(Ours):
        client(server, "anthropic").complete(question(), Cancel(), listen)
