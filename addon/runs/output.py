# SPDX-License-Identifier: GPL-3.0-or-later
"""Where records for machines go: standard output, a file, both or neither."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

from .console import Console
from .records import to_line
from .storage import StorageError, explained


class RecordOutput:
    """Writes records as JSON lines. Use as a context manager.

    ``printed``: on standard output; ``path``: into that file, made anew. A file that the disk does
    not take is said once on standard error and sets :attr:`failed`; judging goes on, and whatever
    is printed is still printed.
    """

    def __init__(self, terminal: Console, printed: bool, path: str | None) -> None:
        self.failed = False
        self._terminal = terminal
        self._printed = printed
        self._path = path
        self._stream: IO[str] | None = None

    def __enter__(self) -> RecordOutput:
        if self._path is not None:
            with explained(self._path):
                self._stream = open(self._path, "w", encoding="ascii", newline="\n")
        return self

    def __exit__(self, *_: object) -> None:
        if self._stream is not None:
            self._write("", close=True)

    def record(self, record: Mapping[str, Any]) -> None:
        """Write one record wherever it is wanted."""
        line = to_line(record)
        if self._printed:
            self._terminal.line(line)
        if self._stream is not None:
            self._write(line + "\n")

    def _write(self, text: str, close: bool = False) -> None:
        stream = self._stream
        assert stream is not None and self._path is not None
        try:
            with explained(self._path):
                if close:
                    stream.close()
                else:
                    stream.write(text)
                    stream.flush()
        except StorageError as error:
            self._stream = None
            self.failed = True
            self._terminal.warn(str(error))
