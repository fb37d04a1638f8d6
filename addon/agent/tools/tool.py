# SPDX-License-Identifier: GPL-3.0-or-later
"""What a tool is, what it answers, and how it says that it can't.

A tool knows nothing of who calls it: a model's loop, a session's command or a person.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ..messages import Picture, ToolSpec


class ToolError(ValueError):
    """A call that did not do what was asked: one sentence with the remedy, for the caller to read.

    ``kind`` is the class it is counted under (``code``, ``nothing_built``); ``facts`` are further
    fields of the answer, plain data.
    """

    def __init__(self, kind: str, message: str, **facts: Any) -> None:
        super().__init__(message)
        self.kind = kind
        self.facts = facts


@dataclass(frozen=True)
class Outcome:
    """What a tool did: plain ``facts`` for JSON, and pictures beside them.

    ``ends``: whether the episode is over now; ``None``: as the tool says of itself.
    """

    facts: Mapping[str, Any] = field(default_factory=dict)
    pictures: tuple[Picture, ...] = ()
    ends: bool | None = None


@dataclass(frozen=True)
class Tool:
    """Something that can be called by name.

    ``parameters`` is the JSON Schema of its arguments, one object (see :mod:`.arguments` for the
    part of it that is understood); a parameter that it doesn't name is an error. ``run`` gets
    arguments that fit it and raises :class:`ToolError`.

    ``budget`` names the budget that a call takes ``cost`` from, ``None`` for none; several tools
    may share one. ``failures_cost`` says whether a call that ``run`` refused has still used it up
    (a launch has, a question that was put wrongly hasn't). Calls whose arguments don't fit never
    cost: nothing was started. ``always``: works when everything else is used up. ``ends``: the
    episode is over when it succeeds.
    """

    name: str
    description: str
    parameters: Mapping[str, Any]
    run: Callable[[Mapping[str, Any]], Outcome]
    budget: str | None = None
    cost: int = 1
    failures_cost: bool = True
    always: bool = False
    ends: bool = False

    @property
    def spec(self) -> ToolSpec:
        """The tool as a model is told of it."""
        return ToolSpec(self.name, self.description, self.parameters)


class ToolSet(Protocol):
    """The tools of one kind of task at work on one attempt, and what they remember."""

    def tools(self) -> Sequence[Tool]:
        """The tools, in the order in which they are shown."""
        ...

    def state(self) -> dict[str, Any]:
        """What it remembers, as plain JSON; :meth:`restore` takes it back."""
        ...

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from :meth:`state`. Raises ``KeyError``, ``TypeError`` or ``ValueError``."""
        ...


def parameters(
    properties: Mapping[str, Mapping[str, Any]] | None = None, required: Sequence[str] = ()
) -> dict[str, Any]:
    """The schema of an object with these properties and no others."""
    return {
        "type": "object",
        "properties": {name: dict(rule) for name, rule in (properties or {}).items()},
        "required": list(required),
        "additionalProperties": False,
    }
