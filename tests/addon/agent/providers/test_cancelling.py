# SPDX-License-Identifier: GPL-3.0-or-later
"""Whoever wants to stop stops at once, whatever the provider does, and leaves nothing behind."""

from __future__ import annotations

import os
import socket
import threading
import time
from pathlib import Path

import pytest
from model_clients import APIS, client, question
from model_server import ModelServer, Step, too_many
from plumbline.addon.agent.providers.base import Cancel, Cancelled
from plumbline.addon.agent.providers.factory import provider_for
from plumbline.addon.agent.providers.limiter import Limiter
from plumbline.addon.agent.providers.retry import SystemClock

pytest.importorskip("anthropic")
pytest.importorskip("openai")

#: Far beyond any machine's slowness, far below what the server would take.
LONG = 60.0


def stopped(provider, when: threading.Event | None = None, cancel: Cancel | None = None) -> float:
    """Stop a question once ``when`` happens; returns how long it took to return, in s."""
    cancel = cancel or Cancel()
    returned: list[float] = []

    def ask() -> None:
        with pytest.raises(Cancelled):
            provider.complete(question(), cancel)
        returned.append(time.monotonic())

    thread = threading.Thread(target=ask)
    thread.start()
    assert when is None or when.wait(LONG)
    asked = time.monotonic()
    cancel.request()
    thread.join(LONG)
    assert returned
    return returned[0] - asked


def readers() -> list[threading.Thread]:
    """Threads that still read an answer."""
    return [t for t in threading.enumerate() if t.name == "plumbline model" and t.is_alive()]


def nobody_reads() -> bool:
    """Whether all reading threads end soon."""
    limit = time.monotonic() + LONG / 2
    while readers() and time.monotonic() < limit:
        time.sleep(0.01)
    return not readers()


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("place", ["connect", "start", "before", "middle", "end"])
def test_a_silent_stream_is_left_at_once(api, place):
    arrived = threading.Event()

    def answer(_):
        arrived.set()
        return Step("A sentence that stops.", trouble="hang", place=place)

    with ModelServer(answer) as server:
        provider = client(server, api)
        assert stopped(provider, arrived) < LONG / 2
        assert nobody_reads()  # the connection was broken, so its thread doesn't wait for more
        limit = time.monotonic() + LONG / 2
        while server.running and time.monotonic() < limit:
            time.sleep(0.01)
        assert server.running == 0  # and the server noticed
        assert len(server.requests) == 1


@pytest.mark.parametrize("api", APIS)
def test_a_flowing_stream_is_left_in_the_middle(api):
    begun = threading.Event()
    heard: list[str] = []
    cancel = Cancel()

    def listen(text: str) -> None:
        heard.append(text)
        begun.set()
        cancel.request()

    with ModelServer([Step("word " * 500, drip=0.02)]) as server, pytest.raises(Cancelled):
        client(server, api).complete(question(), cancel, listen)
    assert len(heard) == 1 and nobody_reads()


def test_the_wait_before_another_try_is_left():
    with ModelServer([too_many(250)], then="repeat") as server:
        provider = client(server, "anthropic", clock=SystemClock())
        arrived = threading.Event()
        server.on_request = lambda _: arrived.set()
        assert stopped(provider, arrived) < LONG / 2
        assert len(server.requests) == 1


def test_the_wait_for_a_place_is_left():
    limiter, holding, done = Limiter(1), threading.Event(), threading.Event()

    def hold() -> None:
        with limiter.place(Cancel()):
            holding.set()
            done.wait(LONG)

    holder = threading.Thread(target=hold)
    holder.start()
    assert holding.wait(LONG)
    with ModelServer(["never"]) as server:
        assert stopped(client(server, "chat", limiter=limiter)) < LONG / 2
        assert server.requests == []
    done.set()
    holder.join(LONG)
    with limiter.place(Cancel()):
        pass  # the place of whoever gave up waiting is not lost


def test_who_wants_to_stop_before_asking_asks_nothing():
    cancel = Cancel()
    cancel.request()
    with ModelServer(["never"]) as server, pytest.raises(Cancelled):
        client(server, "anthropic").complete(question(), cancel)
    assert server.requests == []


def test_a_connection_that_is_never_accepted_is_left():
    """A full backlog: the connection hangs before anything is sent."""
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen(0)
        port = deaf.getsockname()[1]
        crowd = [socket.socket() for _ in range(4)]
        for one in crowd:
            one.setblocking(False)
            one.connect_ex(("127.0.0.1", port))
        provider = provider_for(
            "openai/m", base_url=f"http://127.0.0.1:{port}/v1", limiter=Limiter()
        )
        assert stopped(provider) < LONG / 2
        for one in crowd:
            one.close()
    assert nobody_reads()


def test_one_request_to_stop_stops_all():
    cancel = Cancel()
    with ModelServer(lambda _: Step("x", trouble="hang")) as server:
        provider = client(server, "responses")

        def ask() -> None:
            with pytest.raises(Cancelled):
                provider.complete(question(), cancel)

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        limit = time.monotonic() + LONG
        while len(server.requests) < 4 and time.monotonic() < limit:
            time.sleep(0.01)
        cancel.request()
        for thread in threads:
            thread.join(LONG)
        assert not any(thread.is_alive() for thread in threads)
    assert nobody_reads()


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="no list of open files here")
def test_many_answers_leave_no_threads_and_no_connections():
    with ModelServer(["fine"], then="repeat") as server:
        provider = client(server, "chat")
        for _ in range(5):
            provider.complete(question(), Cancel())
        assert nobody_reads()
        before = len(os.listdir("/proc/self/fd"))
        for _ in range(30):
            provider.complete(question(), Cancel())
        assert nobody_reads()
        assert len(os.listdir("/proc/self/fd")) <= before + 5  # the server's ends close when it may
