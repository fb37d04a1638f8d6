# SPDX-License-Identifier: GPL-3.0-or-later
"""The tools of one episode with their budgets: takes calls, answers in plain JSON, counts.

Every answer is ``{"ok": true, ...}`` or ``{"ok": false, "error": sentence, "kind": class}``. A
wrong call is counted by its class and never repaired. The counters are plain JSON, so that a
session can put them away between two calls.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..messages import Picture
from . import arguments as argument_check
from .tool import Outcome, Tool, ToolError

#: Classes of errors that are not a tool's own.
UNKNOWN_TOOL = "unknown_tool"
ARGUMENTS = "arguments"
BUDGET = "budget"
ENDED = "ended"
KILLED = "killed"


@dataclass(frozen=True)
class Budgets:
    """What an episode may use.

    ``calls`` are calls of any tool, failing ones too; ``groups`` what tools of that budget may
    cost together. What is not named, or ``None``, has no limit. ``keep_last`` names a budget whose
    last unit should be kept for the final validation; the caller is reminded, not forced
    (PhysCodeGym, D.4: runs whose last launch was spent before the last change went unvalidated).
    """

    calls: int | None = None
    groups: Mapping[str, int | None] = field(default_factory=dict)
    keep_last: str | None = None


@dataclass(frozen=True)
class Answer:
    """The answer to one call. ``kind`` is the class of its error, ``None`` if it succeeded."""

    plain: dict[str, Any]
    pictures: tuple[Picture, ...] = ()
    kind: str | None = None
    ended: bool = False

    @property
    def ok(self) -> bool:
        """Whether it did what was asked."""
        return self.kind is None


class ToolBox:
    """Dispatches calls. ``state`` is that of an earlier box with the same tools."""

    def __init__(
        self, tools: Iterable[Tool], budgets: Budgets, state: Mapping[str, Any] | None = None
    ) -> None:
        self.tools: dict[str, Tool] = {tool.name: tool for tool in tools}
        self.budgets = budgets
        self._count: dict[str, Any] = {
            "calls": 0,
            "used": {},
            "tools": {},
            "errors": {},
            "ended": False,
        }
        if state is not None:
            self._count = {name: copy.deepcopy(state[name]) for name in self._count}

    def state(self) -> dict[str, Any]:
        """The counters as plain JSON: calls, used budgets, calls a tool, errors a class."""
        return copy.deepcopy(self._count)

    @property
    def ended(self) -> bool:
        """Whether a tool that ends the episode succeeded."""
        return bool(self._count["ended"])

    def left(self) -> dict[str, int]:
        """What is left of each limited budget; ``calls`` is the one over all tools."""
        left = {}
        if self.budgets.calls is not None:
            left["calls"] = max(0, self.budgets.calls - self._count["calls"])
        for name, limit in self.budgets.groups.items():
            if limit is not None:
                left[name] = max(0, limit - self._count["used"].get(name, 0))
        return left

    def metrics(self) -> dict[str, Any]:
        """Figures for a record: calls, and errors by class as such and per 100 calls."""
        calls = self._count["calls"]
        errors = dict(self._count["errors"])
        return {
            "tool_calls": calls,
            "tool_errors": sum(errors.values()),
            "tool_errors_by_class": errors,
            "tool_errors_per_100_calls": {
                kind: round(100.0 * number / calls, 2) for kind, number in errors.items()
            },
            "tool_use": {name: one["calls"] for name, one in self._count["tools"].items()},
            "tool_budget_used": dict(self._count["used"]),
        }

    def call(self, name: Any, arguments: Any, problem: str | None = None) -> Answer:
        """Call the tool ``name``; ``problem`` says why there are no arguments.

        Errors of the caller and of the tool are answers. What else a tool raises (the bench's own
        faults, a cancellation) gets out; the call has then been counted.
        """
        self._count["calls"] += 1
        try:
            tool = self._tool(name)
            self._check(tool, arguments, problem)
            outcome = self._run(tool, arguments)
        except ToolError as error:
            return self._failed(name, error)
        ends = tool.ends if outcome.ends is None else outcome.ends
        self._count["ended"] |= ends
        plain = {"ok": True, **outcome.facts, **self._remaining()}
        return Answer(plain, outcome.pictures, None, ends)

    def killed(self, name: Any) -> None:
        """Count a call that began and was killed: it has used up what it would have."""
        self._count["calls"] += 1
        errors = self._count["errors"]
        errors[KILLED] = errors.get(KILLED, 0) + 1
        tool = self.tools.get(name) if isinstance(name, str) else None
        if tool is not None and tool.budget:
            used = self._count["used"]
            used[tool.budget] = used.get(tool.budget, 0) + tool.cost

    def _tool(self, name: Any) -> Tool:
        tool = self.tools.get(name) if isinstance(name, str) else None
        if tool is None:
            raise ToolError(
                UNKNOWN_TOOL, f"there is no tool {name!r}; there are {', '.join(self.tools)}"
            )
        one = self._count["tools"].setdefault(tool.name, {"calls": 0, "errors": 0})
        one["calls"] += 1
        return tool

    def _check(self, tool: Tool, arguments: Any, problem: str | None) -> None:
        """Raise unless the call may be made: episode, budgets, arguments, in this order."""
        if self.ended:
            raise ToolError(ENDED, "the episode has ended; nothing can be changed any more")
        limit = self.budgets.calls
        if limit is not None and self._count["calls"] > limit and not tool.always:
            last = [one.name for one in self.tools.values() if one.always]
            only = f"; only {' and '.join(last)} works now" if last else ""
            raise ToolError(BUDGET, f"all {limit} tool calls are used up{only}")
        wrong = problem or argument_check.problem(arguments, tool.parameters)
        if wrong:
            raise ToolError(ARGUMENTS, f"{tool.name}: {wrong}")
        self._check_group(tool)

    def _check_group(self, tool: Tool) -> None:
        limit = self.budgets.groups.get(tool.budget) if tool.budget else None
        if limit is None or tool.always or tool.budget is None:
            return
        left = limit - self._count["used"].get(tool.budget, 0)
        if tool.cost > left:
            of = f"all {limit} of the budget {tool.budget!r} are used up"
            few = f"it costs {tool.cost} of the budget {tool.budget!r}, of which {left} are left"
            raise ToolError(BUDGET, f"{tool.name} can't be called again: {few if left else of}")

    def _run(self, tool: Tool, arguments: Any) -> Outcome:
        used = self._count["used"]
        if tool.budget:
            used[tool.budget] = used.get(tool.budget, 0) + tool.cost
        try:
            return tool.run(arguments)
        except ToolError:
            if tool.budget and not tool.failures_cost:
                used[tool.budget] -= tool.cost
            raise

    def _failed(self, name: Any, error: ToolError) -> Answer:
        errors = self._count["errors"]
        errors[error.kind] = errors.get(error.kind, 0) + 1
        if isinstance(name, str) and name in self._count["tools"]:
            self._count["tools"][name]["errors"] += 1
        plain = {"ok": False, "error": str(error), "kind": error.kind, **error.facts}
        return Answer({**plain, **self._remaining()}, (), error.kind)

    def _remaining(self) -> dict[str, Any]:
        left = self.left()
        told: dict[str, Any] = {"left": left} if left else {}
        kept = self.budgets.keep_last
        if kept and left.get(kept) == 1 and not self.ended:
            told["note"] = (
                f"One {kept} is left: keep it for the final validation of what you hand in."
            )
        return told
