# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages on a pipe: one JSON line, then the bytes of the files that it announces.

The line's ``frames`` lists the name and length of each. Whoever reads says how much he takes: what
comes from a process that ran a model's code is bounded before it is stored.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import IO, Any

#: Every line of ours has this key first, so that anything else on the pipe is told apart.
MARK = "plumbline"
#: The most that a JSON line may take, bytes: a structure of tens of thousands of members.
LINE_LIMIT = 256 << 20
#: The same for the answer of a process that ran a program: what it printed, and a traceback.
PROGRAM_LINE_LIMIT = 4 << 20

Frames = Mapping[str, bytes]

# Where halves of letters may stand: as JSON writes them, and as bytes.
_HALVES = re.compile(rb"\\u[dD][89a-fA-F]|\xed[\xa0-\xbf]")


class FrameError(ValueError):
    """What came over the pipe is no message, or larger than allowed; the text says which."""


def pack(content: Mapping[str, Any], frames: Frames | None = None) -> bytes:
    """A message as bytes. Raises ``ValueError`` for what JSON can't hold."""
    frames = frames or {}
    sizes = [[name, len(data)] for name, data in frames.items()]
    line = json.dumps({MARK: 1, **content, "frames": sizes}, allow_nan=False)
    return b"".join((line.encode("utf-8"), b"\n", *frames.values()))


def is_ours(line: bytes) -> bool:
    """Whether a line can be a message's."""
    return line.startswith(f'{{"{MARK}"'.encode())


def parse(
    line: bytes, most: int, mend: bool = False
) -> tuple[dict[str, Any], list[tuple[str, int]]]:
    """A message's line: its content, and name and length of each frame, ``most`` bytes in all.

    With ``mend`` halves of letters (lone surrogates), which no file and no model's server takes,
    become question marks.
    """
    try:
        content = json.loads(line)
        if mend and _HALVES.search(line):
            content = _mended(content)
        sizes = [(str(name), int(size)) for name, size in content.pop("frames", [])]
    except (ValueError, TypeError, AttributeError, RecursionError):
        raise FrameError("what it answered is no message") from None
    if any(size < 0 for _, size in sizes):
        raise FrameError("what it answered is no message")
    if sum(size for _, size in sizes) > most:
        raise FrameError(f"what it handed over is larger than {most >> 20} MiB")
    return content, sizes


def _mended(value: Any) -> Any:
    """A value of JSON whose texts hold whole letters only."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_mended(part) for part in value]
    if isinstance(value, dict):
        return {_mended(key): _mended(part) for key, part in value.items()}
    return value


def receive(stream: IO[bytes], most: int) -> tuple[dict[str, Any], dict[str, bytes]] | None:
    """The next message of a stream, ``None`` at its end. Raises :class:`FrameError`."""
    line = stream.readline(LINE_LIMIT)
    if not line.endswith(b"\n"):
        return None
    content, sizes = parse(line, most)
    frames = {}
    for name, size in sizes:
        data = stream.read(size)
        if len(data) < size:
            return None
        frames[name] = data
    return content, frames


class Incoming:
    """Collects one message from chunks, as they come, and says when it is whole."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._longest = LINE_LIMIT
        self._data = bytearray()
        self._content: dict[str, Any] | None = None
        self._sizes: list[tuple[str, int]] = []
        self._searched = 0
        #: Whether an empty line came before the message: the sender had begun its work.
        self.begun = False

    def feed(self, chunk: bytes) -> None:
        """Take a chunk. Raises :class:`FrameError` as soon as it is too much or no message."""
        self._data += chunk
        if self._content is not None:
            return
        if not self.begun and self._data.startswith(b"\n"):
            self.begun = True
            self._longest = PROGRAM_LINE_LIMIT
            del self._data[:1]
        end = self._data.find(b"\n", self._searched)
        self._searched = len(self._data)
        if max(end, len(self._data) if end < 0 else 0) > self._longest:
            raise FrameError("what it answered is too long")
        if end < 0:
            return
        line = bytes(self._data[:end])
        del self._data[: end + 1]
        self._content, self._sizes = parse(line, self._most)

    @property
    def whole(self) -> bool:
        """Whether all of the message is here."""
        needed = sum(size for _, size in self._sizes)
        return self._content is not None and len(self._data) >= needed

    def take(self) -> tuple[dict[str, Any], dict[str, bytes]]:
        """The message, once it is whole."""
        assert self._content is not None
        frames, start = {}, 0
        for name, size in self._sizes:
            frames[name] = bytes(self._data[start : start + size])
            start += size
        return self._content, frames


_ERRORS = ("refused", "timeout", "memory", "crash")
_WORDS = 12


def sound(answer: Mapping[str, Any]) -> dict[str, Any]:
    """An answer with nothing in it but what an answer has, whoever wrote it."""
    usage = answer.get("usage")
    numbers = usage.items() if isinstance(usage, dict) else ()
    kept: dict[str, Any] = {
        "usage": {str(k): v for k, v in numbers if _is_amount(v)},
        "spent": answer.get("spent") is True,
        "begun": answer.get("begun") is True,
    }
    error = answer.get("error")
    if error is None and isinstance(answer.get("result"), dict):
        return {**kept, "result": answer["result"]}
    kept["error"] = error if error in _ERRORS else "crash"
    kept["message"] = str(answer.get("message", "what it answered is no message"))[:4096]
    if isinstance(answer.get("exit"), int):
        kept["exit"] = answer["exit"]
    if isinstance(answer.get("words"), list):
        kept["words"] = [str(line)[:400] for line in answer["words"][-_WORDS:]]
    if isinstance(answer.get("laid"), dict):
        kept["laid"] = {str(k): str(v) for k, v in answer["laid"].items()}
    return kept


def _is_amount(value: Any) -> bool:
    return isinstance(value, (int, float)) and 0 <= value < 1e18
