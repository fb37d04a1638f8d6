# SPDX-License-Identifier: GPL-3.0-or-later
"""Running a program text as ``__main__``: what it prints, how long it takes, where it fails."""

from __future__ import annotations

import contextlib
import io
import linecache
import sys
import time
import traceback
import types
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

#: How the program is called in its tracebacks.
FILENAME = "<program>"
#: What is kept of the program's output, characters from its end.
OUTPUT_KEPT = 64 * 1024
#: What is kept of one line of a traceback, characters.
LINE_KEPT = 2000


class Tail(io.TextIOBase):
    """A text stream that keeps only the end of what is written to it."""

    def __init__(self, limit: int = OUTPUT_KEPT) -> None:
        self._limit = limit
        self._parts: list[str] = []
        self._length = 0
        self._cut = False

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self._parts.append(text)
        self._length += len(text)
        if self._length > 2 * self._limit:
            self._shorten()
        return len(text)

    def _shorten(self) -> None:
        whole = "".join(self._parts)
        self._cut |= len(whole) > self._limit
        self._parts = [whole[-self._limit :]]
        self._length = len(self._parts[0])

    def text(self) -> str:
        """What was kept, marked with an ellipsis where its beginning was cut off."""
        self._shorten()
        return ("…" if self._cut else "") + self._parts[0]


@dataclass(frozen=True)
class Outcome:
    """``ok`` unless an exception got out; ``traceback`` holds only the program's own frames."""

    ok: bool
    stdout: str
    traceback: str | None
    seconds: float


def run_program(source: str, names: Mapping[str, Any] | None = None) -> Outcome:
    """Execute ``source`` as ``__main__`` and report. No exception gets out, not even SystemExit.

    It finds ``names`` besides Python's own.
    """
    lines = source.splitlines(keepends=True)
    linecache.cache[FILENAME] = (len(source), None, lines, FILENAME)
    module = types.ModuleType("__main__")
    module.__file__ = FILENAME
    module.__dict__.update(names or {})
    output = Tail()
    trouble = None
    before = sys.modules.get("__main__")
    sys.modules["__main__"] = module
    start = time.perf_counter()
    try:
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            exec(compile(source, FILENAME, "exec"), module.__dict__)
    except SystemExit as leaving:
        if leaving.code not in (None, 0):
            trouble = own_traceback(leaving)
    except BaseException as error:
        trouble = own_traceback(error)
    seconds = time.perf_counter() - start
    if before is not None:
        sys.modules["__main__"] = before
    return Outcome(trouble is None, output.text(), trouble, seconds)


def own_traceback(error: BaseException) -> str:
    """The traceback with only the frames of the program, and of the errors that led to it."""
    try:
        told = traceback.TracebackException.from_exception(error)
        seen: set[int] = set()
        current: traceback.TracebackException | None = told
        while current is not None and id(current) not in seen:
            seen.add(id(current))
            own = [frame for frame in current.stack if frame.filename == FILENAME]
            current.stack = traceback.StackSummary.from_list(own)
            current = current.__cause__ or current.__context__
        return _within_limit("".join(told.format()))
    except (Exception, SystemExit) as second:  # an exception whose own __str__ fails, for one
        return f"{type(error).__name__} (its traceback can't be shown: {type(second).__name__})\n"


def _within_limit(text: str) -> str:
    """A text whose lines, and which as a whole, are cut in the middle where they are too long."""
    lines = [_cut(line, LINE_KEPT) for line in text.splitlines()]
    return _cut("\n".join(lines) + "\n", OUTPUT_KEPT)


def _cut(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    half = most // 2
    return f"{text[:half]} … ({len(text) - 2 * half:,} characters left out) … {text[-half:]}"
