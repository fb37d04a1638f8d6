# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be made otherwise in a copy of a scene, as data: kinds, what each needs, an example.

Bodies are named by role or by object name, lengths are in metres. Up to ``at_frame`` (the start if
it isn't given) the trajectory is held exactly as it was.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

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
    vector,
)


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of intervention.

    ``one_of`` are values of which exactly one is needed.
    """

    meaning: str
    values: Mapping[str, Field]
    one_of: tuple[str, ...] = ()
    example: Mapping[str, Any] = field(default_factory=dict)


def _any(read: Any, meaning: str, unit: str | None = None) -> Field:
    return Field(read, meaning, unit, required=False)


_OBJECT = Field(text, "role or name of the body")
_PAIR = Field(pair, "roles or names of the two bodies")

KINDS: dict[str, Kind] = {
    "gravity": Kind(
        "gravity has another value",
        {
            "vector": _any(vector, "the new gravity", "m/s2"),
            "scale": _any(number, "times the old gravity; 0 switches it off"),
        },
        ("vector", "scale"),
        {"scale": 0},
    ),
    "remove": Kind("a body isn't there", {"object": _OBJECT}, (), {"object": "dish"}),
    "remove_contact": Kind(
        "two bodies don't feel each other", {"pair": _PAIR}, (), {"pair": ["ball", "target"]}
    ),
    "add_contact": Kind(
        "two bodies feel each other by their visible surfaces",
        {"pair": _PAIR},
        (),
        {"pair": ["piece", "knight"]},
    ),
    "remove_constraint": Kind(
        "a joint doesn't hold", {"constraint": Field(text, "its name")}, (), {"constraint": "hinge"}
    ),
    "field": Kind(
        "a force field is weaker, stronger or off",
        {
            "field": Field(text, "its name"),
            "scale": Field(number, "times its strength; 0 switches it off"),
        },
        (),
        {"field": "wind", "scale": 0},
    ),
    "release": Kind(
        "a body starts elsewhere or turned",
        {
            "object": _OBJECT,
            "offset": Field(vector, "how far it is shifted", "m", False, (0.0, 0.0, 0.0)),
            "rotation": Field(vector, "axis times angle", "rad", False, (0.0, 0.0, 0.0)),
        },
        (),
        {"object": "cue_ball", "offset": [0.0, 0.3, 0.0]},
    ),
    "velocity": Kind(
        "a body starts with another velocity",
        {
            "object": _OBJECT,
            "linear": Field(vector, "velocity", "m/s", False, (0.0, 0.0, 0.0)),
            "angular": Field(vector, "angular velocity", "rad/s", False, (0.0, 0.0, 0.0)),
        },
        (),
        {"object": "cue_ball", "linear": [0.0, 1.2, 0.0]},
    ),
    "mass": Kind(
        "a body is heavier or lighter",
        {
            "object": _OBJECT,
            "value": _any(amount, "its mass", "kg"),
            "scale": _any(amount, "times its mass"),
        },
        ("value", "scale"),
        {"object": "egg", "scale": 10},
    ),
    "friction": Kind(
        "a body has another friction",
        {"object": _OBJECT, "value": Field(amount, "coefficient as the solver has it")},
        (),
        {"object": "crate", "value": 0},
    ),
    "restitution": Kind(
        "a body has another restitution",
        {"object": _OBJECT, "value": Field(amount, "coefficient as the solver has it")},
        (),
        {"object": "ball", "value": 0.9},
    ),
    "add_support": Kind(
        "a still box stands there",
        {"centre": Field(vector, "its centre", "m"), "size": Field(vector, "its lengths", "m")},
        (),
        {"centre": [0, 0, -0.5], "size": [4, 4, 1]},
    ),
    "bound_support": Kind(
        "a support ends where its visible surface ends",
        {"object": _OBJECT},
        (),
        {"object": "table"},
    ),
    "none": Kind("nothing is otherwise: for controls", {}, (), {}),
}

_COMMON = {
    "kind": Field(one_of(*KINDS), "what is made otherwise"),
    "at_frame": Field(frame, "up to this frame all is held as it was", "frame", False, None),
    "substeps": Field(amount, "times the solver's steps a frame", None, False, None),
}


@dataclass(frozen=True)
class Intervention:
    """One intervention: ``kind`` of :data:`KINDS`, its values, and from which frame on."""

    kind: str
    values: Mapping[str, Any] = field(default_factory=dict)
    at_frame: int | None = None
    substeps: float | None = None

    @classmethod
    def from_mapping(cls, data: Any, place: str = "intervention") -> Intervention:
        """An intervention from a rubric. Raises :class:`BriefError`, which names the place."""
        given = mapping(data, place)
        name = _COMMON["kind"].read(given.get("kind"), f"{place}: kind")
        kind = KINDS[name]
        values = fields_of(given, {**_COMMON, **kind.values}, place)
        if kind.one_of and sum(values[v] is not None for v in kind.one_of) != 1:
            raise BriefError(f"{place}: {name} needs exactly one of {' and '.join(kind.one_of)}")
        kept = {v: values[v] for v in kind.values if values[v] is not None}
        return cls(name, kept, values["at_frame"], values["substeps"])

    @property
    def subjects(self) -> tuple[str, ...]:
        """Roles or names of the bodies that it touches."""
        if "pair" in self.values:
            first, second = self.values["pair"]
            return first, second
        return (self.values["object"],) if "object" in self.values else ()

    def to_plain(self) -> dict[str, Any]:
        """As in a rubric."""
        plain = {"kind": self.kind, **self.values}
        plain |= {} if self.at_frame is None else {"at_frame": self.at_frame}
        return plain | ({} if self.substeps is None else {"substeps": self.substeps})
