# SPDX-License-Identifier: GPL-3.0-or-later
"""What this machine holds programs of models in, tried once when somebody asks. Main thread only.

Trying starts a process, so nobody does it while a panel is drawn: :func:`now` is only a look.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..sandbox import box
from . import jobs

BOX = "Programs run in a bubblewrap box: without your files, your keys or the network"
PROCESS = "Programs run in a process of their own, without a box"


@dataclass(frozen=True)
class Offer:
    """Whether there is a box, in a sentence; ``reason`` is why not, with the remedy."""

    boxed: bool
    sentence: str
    reason: str | None = None


_known: list[Offer] = []


def now() -> Offer | None:
    """What was found; ``None`` while nobody has asked."""
    return _known[0] if _known else None


def find_out(then: Callable[[Offer], None]) -> None:
    """Try it beside the window, then ``then(offer)`` here. What can't be tried is no box."""

    def found(reason: str | None) -> None:
        _known[:] = [Offer(reason is None, BOX if reason is None else PROCESS, reason)]
        then(_known[0])

    def work(_job: object) -> str | None:
        box.why_not.cache_clear()  # bubblewrap may have been installed since
        return box.why_not()

    jobs.start("Trying what programs can run in", work, found, found)


def forget() -> None:
    """For when the extension goes."""
    _known.clear()
