# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be made otherwise in a structure that stands still, as plain data."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ..steps import SimulationError

Kind = Literal["remove", "shift", "weaken", "cut", "gravity", "push"]

#: What each kind means, and the fields that it needs of :class:`WhatIf`.
KINDS: dict[str, tuple[str, tuple[str, ...]]] = {
    "remove": ("the members aren't there", ("members",)),
    "shift": ("the members stand elsewhere", ("members", "offset")),
    "weaken": ("the joints of the members hold less", ("members", "factor")),
    "cut": ("two members don't hold each other", ("members",)),
    "gravity": ("gravity has another strength or direction", ("vector",)),
    "push": ("the members are pushed", ("members", "vector", "unit")),
}


@dataclass(frozen=True, slots=True)
class WhatIf:
    """One thing that is otherwise.

    Attributes
    ----------
    kind
        See :data:`KINDS`.
    members
        Names as in the structure; exactly two for ``cut``. Blocks are named as in findings,
        ``"block (x, y, z)"``.
    offset
        Where to the members are shifted, m, world axes.
    factor
        What their joints hold then, as a share of what they held; 0 is nothing, above 1 is more.
    vector
        ``gravity``: times the standard gravity in each of the world's directions, ``(0, 0, -1)`` is
        as it is. ``push``: the force, N, or with ``unit`` ``"m/s"`` the velocity to begin with.
    unit
        Of a push: ``"N"`` (for as long as it lasts) or ``"m/s"``.
    """

    kind: Kind
    members: tuple[str, ...] = ()
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    factor: float = 0.0
    vector: tuple[float, float, float] = (0.0, 0.0, -1.0)
    unit: str = "N"

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise SimulationError(f"what if: unknown kind {self.kind!r}; known: {', '.join(KINDS)}")
        if self.kind == "cut" and len(set(self.members)) != 2:
            raise SimulationError("what if: cut needs two members; pick both ends of the contact")
        if "members" in KINDS[self.kind][1] and not self.members:
            raise SimulationError(f"what if: {self.kind} needs members; pick at least one")
        if not all(map(math.isfinite, (*self.offset, *self.vector, self.factor))):
            raise SimulationError(f"what if: a figure of {self.kind} is no number")
        if self.factor < 0:
            raise SimulationError("what if: factor must not be negative; 0 cuts the joints")
        if self.unit not in ("N", "m/s"):
            raise SimulationError(f"what if: a push is in N or m/s, not {self.unit!r}")

    @classmethod
    def from_mapping(cls, data: Mapping[str, Any]) -> WhatIf:
        """One from plain data such as JSON. Raises :class:`SimulationError` naming the field."""
        if not isinstance(data, Mapping):
            raise SimulationError("what if: must be an object with a kind")
        known = tuple(cls.__dataclass_fields__)
        for key in data:
            if key not in known:
                raise SimulationError(f"what if: unknown field {key!r}; known: {', '.join(known)}")
        values = dict(data)
        members = values.get("members", ())
        if not isinstance(members, (list, tuple)) or not all(isinstance(m, str) for m in members):
            raise SimulationError("what if: members must be a list of names")
        values["members"] = tuple(members)
        for key in ("offset", "vector"):
            if key in values:
                values[key] = _vector(key, values[key])
        factor = values.get("factor", 0.0)
        if isinstance(factor, bool) or not isinstance(factor, (int, float)):
            raise SimulationError("what if: factor must be a number")
        return cls(**{"kind": "", **values})

    def to_mapping(self) -> dict[str, Any]:
        """Plain data that :meth:`from_mapping` reads, with the fields of this kind only."""
        found: dict[str, Any] = {"kind": self.kind}
        for name in KINDS[self.kind][1]:
            value = getattr(self, name)
            found[name] = list(value) if isinstance(value, tuple) else value
        return found

    @property
    def says(self) -> str:
        """It in words, after "if": ``"Post_1 isn't there"``."""
        who = (
            " and ".join(self.members) if len(self.members) < 3 else f"{len(self.members)} members"
        )
        one = len(self.members) == 1
        if self.kind == "remove":
            return f"{who} {'is' if one else 'are'}n't there"
        if self.kind == "shift":
            return f"{who} {'stands' if one else 'stand'} {_told(self.offset)} m elsewhere"
        if self.kind == "weaken":
            return f"the joints of {who} hold {self.factor:.0%} of what they held"
        if self.kind == "cut":
            return f"{who} don't hold each other"
        if self.kind == "gravity":
            return f"gravity is {_told(self.vector)} g"
        return f"{who} {'is' if one else 'are'} pushed by {_told(self.vector)} {self.unit}"


def _vector(key: str, value: Any) -> tuple[float, float, float]:
    if not isinstance(value, (list, tuple)) or len(value) != 3:
        raise SimulationError(f"what if: {key} must be three numbers")
    if any(isinstance(v, bool) or not isinstance(v, (int, float)) for v in value):
        raise SimulationError(f"what if: {key} must be three numbers")
    x, y, z = map(float, value)
    return x, y, z


def _told(vector: tuple[float, float, float]) -> str:
    return "(" + ", ".join(f"{v:g}" for v in vector) + ")"
