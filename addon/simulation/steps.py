# SPDX-License-Identifier: GPL-3.0-or-later
"""Work on a simulation a piece at a time, so that a window stays free and it can be called off.

A piece of work is a generator that yields (done, total) and returns what it made. No ``bpy`` here.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TypeAlias, TypeVar

T = TypeVar("T")

#: Yields (done, total) after each piece, returns what it made.
Steps: TypeAlias = Generator[tuple[int, int], None, T]


class SimulationError(ValueError):
    """A scene that can't be simulated; one sentence that names the place and the remedy."""


def finish(steps: Steps[T], progress: Callable[[int, int], None] | None = None) -> T:
    """Do all of it now. ``progress`` is told (done, total), and may raise to call it off.

    Raises :class:`SimulationError` as the work does; it is closed then, and cleans up.
    """
    try:
        while True:
            try:
                done, total = next(steps)
            except StopIteration as end:
                made: T = end.value
                return made
            if progress is not None:
                progress(done, total)
    finally:
        steps.close()
