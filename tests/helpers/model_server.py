# SPDX-License-Identifier: GPL-3.0-or-later
"""A local server that speaks to model clients like the real providers do, from a script.

Anthropic Messages (``/v1/messages``), OpenAI Responses (``/v1/responses``) and OpenAI Chat
Completions (``/v1/chat/completions``), all streaming, all at once, on 127.0.0.1. Requests that the
real ones would refuse are refused with their own errors (model_server_rules.py).

In a test::

    from model_server import ModelServer, Step, calls, code_reply, too_many

    with ModelServer([too_many(1), code_reply("import bpy"), calls(("view", {"n": 1}))]) as server:
        ...  # ANTHROPIC: base URL server.url    OPENAI: base URL server.openai_url
        assert server.requests[0].body["model"] == "m" and server.requests[0].pictures == 2

A script is a list of steps, answered in the order in which requests come (``then="repeat"``
answers the last for ever, else a request too many gets 400), or a function ``answer(ask) -> Step``
that is called in several threads at once, with ``ask.last`` (the newest text of the user and of
tools), ``ask.text`` (everything said so far), ``ask.system``, ``ask.tools``, ``ask.body``.

As a program, for tests of whole processes::

    python tests/helpers/model_server.py --script FILE --port-file F [--log F] [--key K]

FILE is a ``.py`` with ``answer(ask)`` or ``STEPS``, or JSON: ``{"steps": [...], "then": "repeat"}``
or ``{"rules": [{"when": "REGEX on ask.last", "step": {...}}, ...]}``; a step is a string (text) or
an object with the fields of ``Step``, or ``{"code": "import bpy"}``. F gets the port once it
listens; the log gets one JSON line a request. It ends on SIGTERM, or when its standard input closes
if ``--until-eof``.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import json
import re
import socket
import ssl
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from model_server_asks import Ask
from model_server_formats import (
    ANTHROPIC,
    CHAT,
    RESPONSES,
    Event,
    error_body,
    error_event,
    events,
    last_line,
)
from model_server_rules import fault
from model_server_steps import (
    Call,
    Step,
    broken,
    calls,
    code_reply,
    code_text,
    step_from_plain,
    too_many,
)

__all__ = [
    "Ask",
    "Call",
    "ModelServer",
    "Step",
    "broken",
    "calls",
    "code_reply",
    "code_text",
    "load_script",
    "too_many",
]
_PATHS = {"messages": ANTHROPIC, "responses": RESPONSES, "chat/completions": CHAT}


Answer = Callable[[Ask], Step]


class ModelServer:
    """Use as a context manager; see the module."""

    def __init__(
        self,
        script: Sequence[Step | str] | Answer,
        *,
        then: str = "fail",
        key: str | None = None,
        log: Path | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.requests: list[Ask] = []
        self.peak = 0
        self.running = 0
        self.on_request: Callable[[Ask], None] | None = None
        self._answer = script if callable(script) else _in_order(script, then)
        self._key, self._log = key, log
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._http = _Server(("127.0.0.1", 0), _Handler)
        self._http.owner = self
        self._scheme = "https" if tls else "http"
        if tls is not None:
            # The handshake is the handler's: one who is slow at it must not keep others waiting.
            self._http.socket = tls.wrap_socket(
                self._http.socket, server_side=True, do_handshake_on_connect=False
            )
        self._thread = threading.Thread(
            target=self._http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True
        )

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._http.server_address[1])

    @property
    def url(self) -> str:
        """Base URL for an Anthropic client."""
        return f"{self._scheme}://127.0.0.1:{self.port}"

    @property
    def openai_url(self) -> str:
        """Base URL for an OpenAI client."""
        return f"{self.url}/v1"

    def __enter__(self) -> ModelServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join(5)

    def respond(self, ask: Ask) -> Step:
        """The step for a request, or its refusal."""
        with self._lock:
            self.requests.append(ask)
            if self._log is not None:
                line = {"api": ask.api, "path": ask.path, "body": ask.body}
                with open(self._log, "a", encoding="utf-8") as stream:
                    stream.write(json.dumps(line) + "\n")
        if self.on_request is not None:
            self.on_request(ask)
        if not ask.key or (self._key is not None and ask.key != self._key):
            return Step(status=401, message="invalid x-api-key")
        if problem := fault(ask.api, ask.body):
            return Step(status=400, message=problem)
        return self._answer(ask)

    @contextlib.contextmanager
    def counted(self) -> Iterator[None]:
        """Count what is answered at the same time."""
        with self._lock:
            self.running += 1
            self.peak = max(self.peak, self.running)
        try:
            yield
        finally:
            with self._lock:
                self.running -= 1

    def pause(self, seconds: float) -> None:
        """Wait, but not beyond the end of the server."""
        self._closing.wait(seconds)


def _in_order(steps: Sequence[Step | str], then: str) -> Answer:
    """Answer the steps one after the other."""
    left = [Step(step) if isinstance(step, str) else step for step in steps]
    lock = threading.Lock()

    def answer(_: Ask) -> Step:
        with lock:
            if then == "repeat" and len(left) == 1:
                return left[0]
            return left.pop(0) if left else Step(status=400, message="the script is over")

    return answer


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128
    owner: ModelServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients may leave whenever they like; anything else is a bug of the script."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, format: str, *args: Any) -> None:
        """Silent."""

    def do_GET(self) -> None:
        """A list of models, as compatible servers have it."""
        self._json(200, {"object": "list", "data": [{"id": "model", "object": "model"}]}, {})

    def do_POST(self) -> None:
        """Answer one request."""
        raw = self.rfile.read(int(self.headers.get("content-length", 0)))
        path = self.path.split("?")[0].removeprefix("/v1").strip("/")
        api = _PATHS.get(path)
        if api is None:
            self._json(404, error_body(CHAT, 404, "not_found", f"no such path: {self.path}"), {})
            return
        try:
            body = json.loads(raw)
        except ValueError:
            body = None
        headers = {name.lower(): value for name, value in self.headers.items()}
        ask = Ask(api, self.path, headers, body)
        with self.server.owner.counted():
            self._perform(ask, self.server.owner.respond(ask))

    def _perform(self, ask: Ask, step: Step) -> None:
        self.server.owner.pause(step.delay)
        if step.status != 200:
            message = f"{step.message} ({ask.key})" if step.echo_key else step.message
            plain = error_body(ask.api, step.status, step.error, message)
            self._json(step.status, plain, step.headers)
        elif step.trouble and step.place == "connect":
            self._trouble(step, ask.api)
        else:
            self._stream(ask, step)

    def _json(self, status: int, body: dict[str, Any], headers: Any) -> None:
        content = json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"content-type": "application/json", **headers}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _stream(self, ask: Ask, step: Step) -> None:
        self.send_response(200)
        headers = {"content-type": "text/event-stream; charset=utf-8", **step.headers}
        for name, value in {**headers, "transfer-encoding": "chunked"}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.flush()
        planned = events(ask.api, step, ask.body)
        at = _position(planned, step.place)
        for number, event in enumerate(planned):
            if step.trouble and number == at and not self._trouble(step, ask.api):
                return
            self.server.owner.pause(step.drip)
            self._send(_sse(event))
        self._send(last_line(ask.api))
        self.wfile.write(b"0\r\n\r\n")

    def _send(self, text: str) -> None:
        if text:
            data = text.encode()
            self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
            self.wfile.flush()

    def _trouble(self, step: Step, api: str) -> bool:
        """Make trouble; returns whether the answer goes on behind it."""
        self.close_connection = True
        if step.trouble == "garble":
            name = "event: content_block_delta\n" if api == ANTHROPIC else ""
            self._send(f'{name}data: {{"type": "content_bl\n\n')
            return True
        if step.trouble == "error":
            self._send(_sse(error_event(api, step)))
        elif step.trouble == "hang":
            self._hang()
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)
        return False

    def _hang(self) -> None:
        """Say nothing until the client leaves or the server ends."""
        self.connection.settimeout(0.05)
        while not self.server.owner._closing.is_set():
            try:
                if not self.connection.recv(1):
                    return
            except TimeoutError:
                continue
            except OSError:
                return


def _position(planned: list[Event], place: str) -> int:
    """Before which event trouble strikes."""
    where = [event[2] for event in planned]
    body = [number for number, phase in enumerate(where) if phase == "body"]
    first = body[0] if body else where.index("end")
    at_end = where.index("end")
    middle = first + max(1, (at_end - first) // 2) if body else at_end
    return {"connect": 0, "start": 0, "before": first, "middle": middle, "end": at_end}[place]


def _sse(event: Event) -> str:
    name, data, _ = event
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {json.dumps(data)}\n\n"


def load_script(path: Path) -> tuple[Sequence[Step | str] | Answer, str]:
    """A script from a file, and what comes after its last step."""
    if path.suffix == ".py":
        spec = importlib.util.spec_from_file_location("model_server_script", path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return getattr(module, "answer", None) or module.STEPS, getattr(module, "THEN", "fail")
    plain = json.loads(path.read_text(encoding="utf-8"))
    plain = {"steps": plain} if isinstance(plain, list) else plain
    if "rules" in plain:
        rules = [(re.compile(r["when"]), step_from_plain(r["step"])) for r in plain["rules"]]
        missing = Step(status=400, message="no rule of the script fits")
        return lambda ask: next((s for when, s in rules if when.search(ask.last)), missing), "fail"
    return [step_from_plain(step) for step in plain["steps"]], plain.get("then", "fail")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Serve a script as a model provider would.")
    parser.add_argument("--script", type=Path, required=True)
    parser.add_argument("--port-file", type=Path, required=True)
    parser.add_argument("--log", type=Path)
    parser.add_argument("--key")
    parser.add_argument("--until-eof", action="store_true")
    options = parser.parse_args(arguments)
    script, then = load_script(options.script)
    with ModelServer(script, then=then, key=options.key, log=options.log) as server:
        partial = options.port_file.with_suffix(".partial")
        partial.write_text(str(server.port), encoding="ascii")
        partial.replace(options.port_file)
        if options.until_eof:
            sys.stdin.read()
        else:
            threading.Event().wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
