# SPDX-License-Identifier: GPL-3.0-or-later
"""What a whole run may cost, and whether another attempt may begin."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..agent.agents import Limits
from ..agent.providers.base import LASTING


class RunBudget:
    """US dollars for all attempts of a run; ``None``: no limit.

    ``spent`` is what earlier sittings of the run cost. An attempt is given what is left as its own
    limit, so a run of one worker at a time stays within its budget up to the last reply. As soon as
    a cost is unknown the budget can't be kept any more: nothing further begins. Nor does it after
    a fault that the next attempt would meet as well (no key, no quota): ``fault`` is its message.
    """

    def __init__(self, dollars: float | None = None, spent: float = 0.0) -> None:
        self.dollars = dollars
        self.spent = spent
        self.unknown = False
        self.fault: str | None = None
        self._lock = threading.Lock()

    @property
    def left(self) -> bool:
        """Whether another attempt may begin."""
        with self._lock:
            if self.fault is not None:
                return False
            return self.dollars is None or (self.spent < self.dollars and not self.unknown)

    def spend(self, record: Mapping[str, Any]) -> None:
        """Count what an attempt cost by its record; no model, no cost."""
        fault = record.get("environment")
        if fault and fault["kind"] in LASTING:
            with self._lock:
                self.fault = fault["message"]
        usage = record.get("usage")
        if usage is None:
            return
        cost = usage.get("cost")
        with self._lock:
            if cost is None:
                self.unknown = True
            else:
                self.spent += cost

    def limits(self, limits: Limits) -> Limits:
        """The limits of an attempt that begins now."""
        with self._lock:
            if self.dollars is None:
                return limits
            left = max(0.0, self.dollars - self.spent)
        return replace(limits, cost=left if limits.cost is None else min(limits.cost, left))
