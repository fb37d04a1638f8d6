# SPDX-License-Identifier: GPL-3.0-or-later
"""The local model server is itself honest: it refuses what the real ones refuse."""

from __future__ import annotations

import base64
import http.client
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from model_clients import PNG
from model_server import ModelServer, Step, load_script
from model_server_steps import step_from_plain

PROGRAM = Path(__file__).with_name("model_server.py")
PATHS = {
    "anthropic": "/v1/messages",
    "responses": "/v1/responses",
    "chat": "/v1/chat/completions",
}
DATA = base64.b64encode(PNG).decode()


def post(port: int, api: str, body, key: str | None = "k") -> tuple[int, str]:
    """Status and text of an answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    headers = {"x-api-key": key} if key else {}
    connection.request("POST", PATHS[api], json.dumps(body), headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text


def user(content="Build.") -> dict:
    return {"role": "user", "content": content}


def said(content="Yes.", **more) -> dict:
    return {"role": "assistant", "content": content, **more}


def image(data: str, media_type: str = "image/png") -> dict:
    return {"type": "image", "source": {"media_type": media_type, "data": data}}


def use(id: str) -> dict:
    return {"type": "tool_use", "id": id, "name": "run", "input": {}}


def done(id: str) -> dict:
    return {"type": "tool_result", "tool_use_id": id, "content": "ok"}


def marked(count: int) -> list[dict]:
    return [{"type": "text", "text": "x", "cache_control": {}} for _ in range(count)]


THOUGHT = {"type": "thinking", "thinking": "mine", "signature": "forged"}
THINKING = {"type": "enabled", "budget_tokens": 2000}
CALL = {"id": "c", "type": "function", "function": {"name": "run", "arguments": "{}"}}
OUTPUT = {"type": "function_call_output", "call_id": "c", "output": "ok"}
FUNCTION = {"type": "function_call", "call_id": "c", "name": "run", "arguments": "{}"}
WRONG = [
    ("anthropic", {"max_tokens": None}, "max_tokens"),
    ("anthropic", {"model": ""}, "model"),
    ("anthropic", {"stream": False}, "stream"),
    ("anthropic", {"messages": []}, "at least one"),
    ("anthropic", {"messages": [said()]}, "first message"),
    ("anthropic", {"messages": [user(), user()]}, "alternate"),
    ("anthropic", {"messages": [user("")]}, "non-empty"),
    ("anthropic", {"messages": [user([{"type": "text", "text": " "}])]}, "non-empty"),
    ("anthropic", {"messages": [user([image("???")])]}, "base64"),
    ("anthropic", {"messages": [user([image(DATA, "image/jpeg")])]}, "no image/jpeg"),
    ("anthropic", {"messages": [user(), said([use("a")]), user()]}, "differ"),
    ("anthropic", {"messages": [user(), said([use("a")])]}, "without tool_result"),
    ("anthropic", {"messages": [user([done("a")])]}, "differ"),
    ("anthropic", {"messages": [user(), said([THOUGHT]), user()]}, "signature"),
    ("anthropic", {"messages": [user(marked(5))]}, "maximum of 4"),
    ("anthropic", {"thinking": THINKING}, "budget_tokens"),
    ("anthropic", {"thinking": THINKING, "max_tokens": 3000, "temperature": 0.5}, "temperature"),
    ("anthropic", {"tools": [{"name": "run"}]}, "input_schema"),
    ("responses", {"input": []}, "list is required"),
    ("responses", {"input": [user([{"type": "text", "text": "x"}])]}, "not for user"),
    ("responses", {"input": [user([{"type": "input_image", "image_url": "x"}])]}, "data URL"),
    ("responses", {"input": [OUTPUT]}, "no function call"),
    ("responses", {"input": [FUNCTION]}, "No tool output"),
    ("responses", {"input": [{"type": "reasoning", "id": "r", "summary": []}]}, "verified"),
    ("responses", {"seed": 1}, "seed"),
    ("responses", {"tools": [{"type": "function"}]}, "parameters"),
    ("chat", {"messages": []}, "list is required"),
    ("chat", {"messages": [user(), said(tool_calls=[CALL]), user()]}, "response messages"),
    ("chat", {"messages": [{"role": "tool", "tool_call_id": "c", "content": ""}]}, "must follow"),
    ("chat", {"messages": [user([{"type": "image_url", "image_url": {"url": "x"}}])]}, "data URL"),
    ("chat", {"messages": [{"role": "narrator", "content": "x"}]}, "role"),
]


def good(api: str) -> dict:
    body = {"model": "m", "stream": True, "max_tokens": 1000}
    return body | {"input" if api == "responses" else "messages": [user()]}


@pytest.fixture(scope="module")
def server():
    with ModelServer([Step("fine")], then="repeat") as running:
        yield running


@pytest.mark.parametrize(("api", "change", "words"), WRONG)
def test_wrong_requests_are_refused(server, api, change, words):
    status, text = post(server.port, api, good(api) | change)
    assert status == 400 and words in json.loads(text)["error"]["message"]


@pytest.mark.parametrize("api", PATHS)
def test_good_requests_are_answered_and_kept(server, api):
    status, text = post(server.port, api, good(api))
    assert status == 200 and "fine" in text
    assert server.requests[-1].last == "Build." and server.requests[-1].key == "k"


@pytest.mark.parametrize("api", PATHS)
def test_keys_are_asked_for(api):
    with ModelServer(["fine"], key="right") as server:
        for key in (None, "wrong"):
            assert post(server.port, api, good(api), key)[0] == 401
        assert post(server.port, api, good(api), "right")[0] == 200


def test_a_script_that_is_over_says_so():
    with ModelServer(["one"]) as server:
        post(server.port, "chat", good("chat"))
        status, text = post(server.port, "chat", good("chat"))
    assert status == 400 and "the script is over" in text


def test_no_json_and_no_path():
    with ModelServer([]) as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        connection.request("POST", "/v1/messages", "{", {"x-api-key": "k"})
        answer = connection.getresponse()
        assert answer.status == 400 and b"no JSON" in answer.read()
        connection.request("POST", "/v2/chat", "{}")
        assert connection.getresponse().status == 404
        connection.close()


def test_steps_of_a_script():
    step = step_from_plain({"code": "import bpy", "usage": {"input": 3}})
    assert "```python\nimport bpy\n```" in step.text and step.tokens("input") == 3
    assert step_from_plain("text").text == "text"
    called = step_from_plain({"calls": [{"name": "run", "arguments": {"a": 1}}]})
    assert called.ended == "tools" and called.calls[0].arguments == {"a": 1}
    with pytest.raises(ValueError, match="a step has no txet"):
        step_from_plain({"txet": "x"})
    with pytest.raises(ValueError, match="no such trouble"):
        Step(trouble="flood")


def test_scripts_from_files(tmp_path):
    python = tmp_path / "script.py"
    python.write_text("from model_server import Step\nSTEPS = [Step('a')]\nTHEN = 'repeat'\n")
    assert load_script(python)[1] == "repeat"
    python.write_text("from model_server import Step\ndef answer(ask): return Step(ask.last)\n")
    assert callable(load_script(python)[0])
    plain = tmp_path / "script.json"
    plain.write_text(json.dumps(["one", {"text": "two"}]))
    assert [step.text for step in load_script(plain)[0]] == ["one", "two"]


def test_as_a_program_with_rules_and_a_log(tmp_path):
    script, port, log = (tmp_path / name for name in ("script.json", "port", "log.jsonl"))
    rules = [{"when": "floor", "step": "yes"}, {"when": ".", "step": "no"}]
    script.write_text(json.dumps({"rules": rules}))
    options = ["--script", script, "--port-file", port, "--log", log]
    running = subprocess.Popen([sys.executable, PROGRAM, *options])
    try:
        limit = time.monotonic() + 60
        while not port.exists() and time.monotonic() < limit and running.poll() is None:
            time.sleep(0.02)
        number = int(port.read_text())
        body = good("chat") | {"messages": [user("Build the floor.")]}
        assert '"yes"' in post(number, "chat", body)[1]
        assert '"no"' in post(number, "anthropic", good("anthropic"))[1]
    finally:
        running.send_signal(signal.SIGTERM)
        running.wait(30)
    assert [json.loads(line)["api"] for line in log.read_text().splitlines()] == [
        *("chat", "anthropic")
    ]
