# SPDX-License-Identifier: GPL-3.0-or-later
"""The harness's end of the line to an outside agent: requests come in, one at a time.

A socket or pipe of this machine, opened with a key that stands in a file beside the attempt. What
comes is JSON of a limited size, never pickled data; whoever asks badly gets an answer that says so
and harms only the attempt.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import secrets
import threading
from collections.abc import Mapping
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path
from typing import Any

#: A request is never larger than this, bytes.
LARGEST = 16 << 20
#: How long somebody who connected may take to ask, s.
PATIENCE = 30.0
#: How long closing waits for the thread that listens, s.
_END = 2.0


class Asked:
    """A request that waits for its answer."""

    def __init__(self, request: Mapping[str, Any], connection: Connection[Any, Any]) -> None:
        self.request = request
        self._connection = connection

    def answer(self, plain: Mapping[str, Any]) -> None:
        """Answer it; whoever has gone meanwhile is no error."""
        with contextlib.suppress(OSError, ValueError):
            self._connection.send_bytes(json.dumps(plain, default=str).encode())
        with contextlib.suppress(OSError):
            self._connection.close()


class OutsideServer:
    """Listens until it is closed. ``file`` is where its address goes. Use as a context manager."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._key = secrets.token_hex(24)
        # The key comes with the request: a handshake here would wait for whoever says nothing.
        self._listener = Listener(backlog=16)
        self._requests: queue.Queue[Asked] = queue.Queue()
        self._closing = threading.Event()
        plain = {"address": self._listener.address, "key": self._key}
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(descriptor, "w", encoding="utf-8") as stream:
            json.dump(plain, stream)
        self._thread = threading.Thread(target=self._listen, name="plumbline-outside", daemon=True)
        self._thread.start()

    def next(self, seconds: float) -> Asked | None:
        """The next request, ``None`` if none comes within ``seconds``."""
        try:
            return self._requests.get(timeout=seconds)
        except queue.Empty:
            return None

    def close(self) -> None:
        """Listen no more; who still waits is told so."""
        self._closing.set()
        with contextlib.suppress(OSError):
            self._file.unlink()
        with contextlib.suppress(OSError, EOFError, ValueError):
            Client(self._listener.address).close()  # wakes the listening thread
        self._thread.join(_END)
        with contextlib.suppress(OSError):
            self._listener.close()
        while (asked := self.next(0.01)) is not None:
            asked.answer({"ok": False, "kind": "ended", "error": "this attempt has ended"})

    def _listen(self) -> None:
        while not self._closing.is_set():
            try:
                connection = self._listener.accept()
            except (OSError, EOFError):  # somebody who left in the middle
                if self._closing.wait(0.02):
                    return
                continue
            threading.Thread(target=self._hear, args=(connection,), daemon=True).start()

    def _hear(self, connection: Connection[Any, Any]) -> None:
        try:
            if not connection.poll(PATIENCE):
                raise ValueError("nothing was asked")
            plain = json.loads(connection.recv_bytes(LARGEST))
            if not isinstance(plain, dict) or not isinstance(plain.get("request"), dict):
                raise ValueError("a request is one JSON object")
            if not secrets.compare_digest(str(plain.get("key")).encode(), self._key.encode()):
                raise ValueError("the key is wrong")
        except (OSError, EOFError, ValueError, RecursionError) as error:
            Asked({}, connection).answer({"ok": False, "error": f"{error or 'nothing was asked'}"})
            return
        self._requests.put(Asked(plain["request"], connection))

    def __enter__(self) -> OutsideServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
