# SPDX-License-Identifier: GPL-3.0-or-later
"""What should come of an intervention, as data: predicates on trajectories, and an example each.

:mod:`.responses` measures them. Shares of a body's size are of its longest extent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .interventions import Kind
from .reading import (
    BriefError,
    Field,
    amount,
    fields_of,
    frame,
    mapping,
    number,
    one_of,
    pair,
    text,
)

_SUBJECT = Field(text, "role or name of the body")
_FAR = {
    "limit": Field(amount, "how far", "m or size"),
    "unit": Field(one_of("m", "size"), "what the limit is in", None, False, "m"),
    "axis": Field(one_of("x", "y", "z", "any"), "along which axis", None, False, "any"),
    "against": Field(
        one_of("start", "baseline"), "from where: its start, or the baseline", None, False, "start"
    ),
}

PREDICATES: dict[str, Kind] = {
    "falls_below": Kind(
        "the whole body, or its centre, gets below a height",
        {
            "subject": _SUBJECT,
            "height": Field(number, "the height", "m"),
            "part": Field(one_of("centre", "whole"), "what of it", None, False, "centre"),
        },
        (),
        {"subject": "cue_ball", "height": 0.5},
    ),
    "arrested_at": Kind(
        "another body stops it: it comes to it and doesn't get through or fall past",
        {
            "subject": _SUBJECT,
            "object": Field(text, "role or name of what stops it"),
            "tolerance": Field(amount, "depth that is let pass", "m", False, None),
        },
        (),
        {"subject": "rotor", "object": "table"},
    ),
    "displacement_over": Kind(
        "it gets at least so far",
        {"subject": _SUBJECT, **_FAR},
        (),
        {"subject": "target", "limit": 0.1},
    ),
    "displacement_under": Kind(
        "it never gets so far",
        {"subject": _SUBJECT, **_FAR},
        (),
        {"subject": "target", "limit": 0.01},
    ),
    "unchanged": Kind(
        "it goes as in the baseline",
        {
            "subject": _SUBJECT,
            "tolerance": Field(amount, "how far apart", "size", False, None),
        },
        (),
        {"subject": "piece"},
    ),
    "changed": Kind(
        "it doesn't go as in the baseline",
        {
            "subject": _SUBJECT,
            "tolerance": Field(amount, "how far apart at least", "size", False, None),
        },
        (),
        {"subject": "flag"},
    ),
    "no_contact": Kind(
        "two bodies never touch", {"pair": Field(pair, "the two")}, (), {"pair": ["ball", "target"]}
    ),
    "contact": Kind(
        "two bodies touch", {"pair": Field(pair, "the two")}, (), {"pair": ["ball", "target"]}
    ),
    "penetration_under": Kind(
        "neither is deeper in the other",
        {"pair": Field(pair, "the two"), "limit": Field(amount, "the depth", "m")},
        (),
        {"pair": ["piece", "knight"], "limit": 0.005},
    ),
}

_COMMON = {
    "predicate": Field(one_of(*PREDICATES), "what is expected"),
    "from_frame": Field(frame, "the first frame that counts", "frame", False, None),
    "to_frame": Field(frame, "the last frame that counts", "frame", False, None),
}


@dataclass(frozen=True)
class Expectation:
    """One expectation: ``predicate`` of :data:`PREDICATES`, its values, and the frames it is of."""

    predicate: str
    values: Mapping[str, Any] = field(default_factory=dict)
    from_frame: int | None = None
    to_frame: int | None = None

    @classmethod
    def from_mapping(cls, data: Any, place: str = "expectation") -> Expectation:
        """An expectation from a rubric. Raises :class:`BriefError`, which names the place."""
        given = mapping(data, place)
        name = _COMMON["predicate"].read(given.get("predicate"), f"{place}: predicate")
        values = fields_of(given, {**_COMMON, **PREDICATES[name].values}, place)
        first, last = values["from_frame"], values["to_frame"]
        if first is not None and last is not None and last < first:
            raise BriefError(f"{place}: to_frame {last} is before from_frame {first}")
        kept = {v: values[v] for v in PREDICATES[name].values if values[v] is not None}
        return cls(name, kept, first, last)

    @property
    def subjects(self) -> tuple[str, ...]:
        """Roles or names of the bodies that it is about."""
        if "pair" in self.values:
            first, second = self.values["pair"]
            return first, second
        return tuple(self.values[v] for v in ("subject", "object") if v in self.values)
