# SPDX-License-Identifier: GPL-3.0-or-later
"""The terminal: what is ours on standard output, how wide it is, whether it has colour.

Blender prints to descriptor 1 whenever it likes. Where machines read us, our own copy of that
descriptor is taken first and descriptor 1 then points at standard error.
"""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TextIO

from .storage import storage_error
from .wording import printable

_SGR = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}

_DEFAULT_WIDTH = 100  # where nobody says how wide it is: a file, a pipe
_NARROWEST = 40
_WIDEST = 160  # longer lines are hard to read


@dataclass(frozen=True)
class Style:
    """What the place we print to can show."""

    colour: bool = False
    unicode: bool = True
    width: int = _DEFAULT_WIDTH
    terminal: bool = False  # whether a line can be taken back

    def paint(self, text: str, *marks: str) -> str:
        """The text in colours (``"red"``, ``"bold"`` ...) where there are any."""
        if not self.colour or not marks or not text:
            return text
        return f"\x1b[{';'.join(_SGR[m] for m in marks)}m{text}\x1b[0m"

    @property
    def ellipsis(self) -> str:
        return "…" if self.unicode else "..."

    @property
    def branch(self) -> str:
        """What stands before a consequence."""
        return "└ " if self.unicode else "- "

    @property
    def dot(self) -> str:
        """What separates the parts of a heading."""
        return " · " if self.unicode else " - "


class Console:
    """Our two streams and their styles; see :func:`console` for how they are made."""

    def __init__(self, out: TextIO | None, err: TextIO | None, environ: Mapping[str, str]) -> None:
        # Python has no stream at all where the descriptor was closed before it started.
        self.out: TextIO = out if out is not None else _Nowhere()
        self.err: TextIO = err if err is not None else _Nowhere()
        self.style = style_of(self.out, environ)
        self.err_style = style_of(self.err, environ)
        self.failed = False  # something that was to be printed is lost
        self._closed = False

    def line(self, text: str = "") -> None:
        """Print one line on standard output, at once; a reader that has gone is no error.

        Where the disk that it goes to is full, that is said once and sets :attr:`failed`.
        """
        if self._closed:
            return
        try:
            self.out.write(text + "\n")
            self.out.flush()
        except BrokenPipeError:  # `plumbline check ... | head`: judge on, say no more
            self._give_up()
        except OSError as error:
            self._give_up()
            self.failed = True
            self.warn(str(storage_error("standard output", error)))

    def _give_up(self) -> None:
        """Print no more; what is still held back goes nowhere instead of failing at the end."""
        self._closed = True
        with contextlib.suppress(OSError, ValueError):
            nothing = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nothing, self.out.fileno())
            os.close(nothing)

    def warn(self, text: str) -> None:
        """Print one line on standard error: what was wrong with the usage or an input."""
        with contextlib.suppress(OSError):
            self.err.write(f"plumbline: {printable(text)}\n")
            self.err.flush()


class _Nowhere(io.StringIO):
    """Stands for a stream that isn't there: keeps nothing."""

    def write(self, text: str) -> int:
        return len(text)


@contextlib.contextmanager
def console(machine: bool = False) -> Iterator[Console]:
    """The console of one command.

    With ``machine`` everything that others print to descriptor 1 goes to standard error until the
    end of the block, so that standard output holds only what is ours.
    """
    _occupy_descriptors()
    stdout, stderr = sys.stdout, sys.stderr
    _tolerate(stdout)
    _tolerate(stderr)
    if not machine or not _is_descriptor_1(stdout):
        yield Console(stdout, stderr, os.environ)
        return
    stdout.flush()
    own = os.dup(1)
    try:
        os.dup2(2, 1)
        encoding = getattr(stdout, "encoding", None) or "utf-8"
        with open(own, "w", encoding=encoding, errors="backslashreplace", closefd=False) as out:
            yield Console(out, stderr, os.environ)
    finally:
        with contextlib.suppress(OSError):
            sys.stdout.flush()
        os.dup2(own, 1)
        os.close(own)


def style_of(stream: TextIO, environ: Mapping[str, str]) -> Style:
    """Colour only on a terminal that has any and nobody said no to (https://no-color.org)."""
    is_terminal = _is_terminal(stream)
    is_terminal = is_terminal and environ.get("TERM") != "dumb"
    colour = is_terminal and not environ.get("NO_COLOR")
    width = _DEFAULT_WIDTH
    if is_terminal or environ.get("COLUMNS", "").isdigit():
        width = shutil.get_terminal_size((_DEFAULT_WIDTH, 24)).columns
    width = min(max(width, _NARROWEST), _WIDEST)
    return Style(colour, _can_draw(stream), width, is_terminal)


def _is_terminal(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except (AttributeError, ValueError):
        return False


def _can_draw(stream: TextIO) -> bool:
    try:
        "…└·".encode(getattr(stream, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _tolerate(stream: TextIO | None) -> None:
    """No name of a member may end a run because the terminal's alphabet lacks its letters."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")


def _occupy_descriptors() -> None:
    """Open descriptors 0 to 2 where they are closed, or the next file that is opened gets one.

    Blender would then print into that file.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            with contextlib.suppress(OSError):
                os.open(os.devnull, os.O_RDWR)


def _is_descriptor_1(stream: TextIO | None) -> bool:
    try:
        return stream is not None and stream.fileno() == 1
    except (AttributeError, OSError, ValueError):
        return False
