# SPDX-License-Identifier: GPL-3.0-or-later
"""Leave to run code in the open session: given by the person, for a while, and never stored.

It ends by itself after :data:`LASTS`, with the file that it was given for, with the session, and
whenever the person takes it back. No ``bpy`` here.
"""

from __future__ import annotations

import time
from collections.abc import Callable

#: How long a leave lasts, s.
LASTS = 30 * 60.0

#: What the person is told before giving it, line by line.
WARNING = (
    "Code that a model wrote, or a text of yours, will run in this Blender with all your rights.",
    "A list of rules looks through it first and stops what is plainly harmful, but that is no",
    "security boundary: code that means harm can get past it, to your files and the network.",
    "An isolated worker is the safe way. A copy of this file is saved before anything runs.",
)

#: What code is refused with while there is no leave.
REFUSED = (
    "running code in this session is not allowed: allow it in the panel Agent (it ends by itself "
    "after 30 minutes), or choose the isolated worker"
)


class Consent:
    """Whether code may run in the open session now. ``clock`` gives seconds that only grow."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._until: float | None = None

    def give(self, seconds: float = LASTS) -> None:
        """The person allows it from now on."""
        self._until = self._clock() + seconds

    def revoke(self) -> None:
        """It is over: the person took it back, or the file was closed."""
        self._until = None

    @property
    def left(self) -> float:
        """How long it still lasts, s; 0 if there is none."""
        if self._until is None:
            return 0.0
        left = self._until - self._clock()
        if left <= 0.0:
            self._until = None
            return 0.0
        return left

    @property
    def given(self) -> bool:
        """Whether code may run."""
        return self.left > 0.0


#: The leave of this session.
consent = Consent()
