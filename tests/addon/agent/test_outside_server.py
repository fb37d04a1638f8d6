# SPDX-License-Identifier: GPL-3.0-or-later
"""The harness's end of the line: strangers, babblers and silence harm nobody else."""

from __future__ import annotations

import json
import threading
import time
from multiprocessing.connection import Client

import pytest
from plumbline.addon.agent.outside_client import ClientError, ask, request_from
from plumbline.addon.agent.outside_server import OutsideServer


@pytest.fixture
def line(tmp_path):
    """A server and the file that says where it is."""
    file = tmp_path / "address.json"
    with OutsideServer(file) as server:
        yield server, file


def _address(file):
    return json.loads(file.read_text(encoding="utf-8"))


def _served(server, times=1):
    """Answers so many requests with what they asked, in another thread."""

    def serve():
        for _ in range(times):
            asked = server.next(20)
            asked.answer({"ok": True, "heard": asked.request})

    thread = threading.Thread(target=serve)
    thread.start()
    return thread


def test_a_request_is_answered(line):
    server, file = line
    thread = _served(server)
    request = {"do": "call", "tool": "check", "arguments": {"ä": [1]}}
    assert ask(file, request) == {"ok": True, "heard": request}
    thread.join()
    assert server.next(0) is None
    assert file.stat().st_mode & 0o077 == 0 or __import__("os").name != "posix"


@pytest.mark.parametrize(
    "said",
    [b"", b"nonsense", b"[1]", b'{"request": {"do": "finish"}}', b'{"key": "0", "request": {}}'],
)
def test_who_has_no_key_or_nothing_to_ask_is_told_so(line, said):
    server, file = line
    with Client(_address(file)["address"]) as stranger:
        stranger.send_bytes(said)
        answer = json.loads(stranger.recv_bytes())
    assert answer["ok"] is False and server.next(0.1) is None


def test_who_says_nothing_keeps_nobody_waiting(tmp_path):
    file = tmp_path / "address.json"
    with OutsideServer(file) as server:
        silent = [Client(_address(file)["address"]) for _ in range(5)]
        thread = _served(server)
        assert ask(file, {"do": "status"})["ok"]
        thread.join()
        begin = time.monotonic()
    assert time.monotonic() - begin < 10 and not file.exists()
    for one in silent:
        one.close()
    with pytest.raises(ClientError, match="not there any more"):
        ask(file, {"do": "status"})


def test_who_still_waits_when_it_ends_is_told(tmp_path):
    file = tmp_path / "address.json"
    answers = []
    with OutsideServer(file) as server:
        thread = threading.Thread(target=lambda: answers.append(ask(file, {"do": "status"})))
        thread.start()
        while server._requests.empty():
            time.sleep(0.01)
    thread.join(20)
    assert answers == [{"ok": False, "kind": "ended", "error": "this attempt has ended"}]


@pytest.mark.parametrize(
    ("words", "request_"),
    [
        (["call", "check"], {"do": "call", "tool": "check", "arguments": {}}),
        (["call", "run", '{"x": 1}'], {"do": "call", "tool": "run", "arguments": {"x": 1}}),
        (["finish", "--skip"], {"do": "finish", "skip": True}),
        (["prompt"], {"do": "prompt"}),
    ],
)
def test_words_mean_requests(words, request_):
    assert request_from(words) == request_


def test_what_is_no_json_is_the_callers_wrong_call(tmp_path):
    assert "no JSON" in request_from(["call", "run", "{x"])["problem"]
    assert "too deeply" in request_from(["call", "run", "[" * 100_000])["problem"]
    file = tmp_path / "a.json"
    file.write_bytes(b"\xff")
    with pytest.raises(ClientError, match="UTF-8"):
        request_from(["call", "run", f"@{file}"])
    for words in ([], ["call"], ["dance"], ["finish", "now"], ["call", "a", "b", "c"]):
        with pytest.raises(ClientError, match="usage"):
            request_from(words)
