# SPDX-License-Identifier: GPL-3.0-or-later
"""The JSON Schema of a rubric's physics, made from the same tables that the rubric is read by.

``schema/rubric-1.schema.json`` is what it makes; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from .bodies import DRIVERS
from .brief import PROBES
from .expectations import _COMMON as _EXPECTED
from .expectations import PREDICATES
from .interventions import _COMMON as _DONE
from .interventions import KINDS, Kind
from .limits import Limits
from .reading import LAST_FRAME, Field, OneOf, amount, frame, number, pair, text, vector

Schema = dict[str, Any]

_TEXT: Schema = {"type": "string", "minLength": 1}
_NUMBER: Schema = {"type": "number"}
_AMOUNT: Schema = {"type": "number", "minimum": 0}
_VECTOR: Schema = {"type": "array", "items": _NUMBER, "minItems": 3, "maxItems": 3}
_NAMES: Schema = {"type": "array", "items": _TEXT}
_PAIR: Schema = {**_NAMES, "minItems": 2, "maxItems": 2, "uniqueItems": True}
_READ: dict[Callable[..., Any], Schema] = {
    text: _TEXT,
    number: _NUMBER,
    amount: _AMOUNT,
    vector: _VECTOR,
    frame: {"type": "integer", "minimum": -LAST_FRAME, "maximum": LAST_FRAME},
    pair: _PAIR,
}
_COMMENT: Schema = {"^_": {}}


def rubric_schema() -> Schema:
    """The schema, as plain data."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://plumbline.invalid/schema/rubric-1.schema.json",
        "title": "What a rubric asks of the physics of a reconstruction",
        **_object(_RUBRIC),
        "$defs": {
            "intervention": _kinds("kind", KINDS, _DONE),
            "expectation": _kinds("predicate", PREDICATES, _EXPECTED),
            "expectations": {"type": "array", "items": _ref("expectation"), "minItems": 1},
            "control": _object(
                {"intervention": _ref("intervention"), "expects": _ref("expectations")},
                ("intervention", "expects"),
            ),
            "counterfactual": _object(
                {
                    "intervention": _ref("intervention"),
                    "expects": _ref("expectations"),
                    "held": _NAMES,
                    "positive": _ref("control"),
                    "negative": _ref("control"),
                },
                ("intervention", "expects"),
            ),
            "criterion": _criterion(),
        },
    }


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _object(properties: Mapping[str, Schema], required: tuple[str, ...] = ()) -> Schema:
    return {
        "type": "object",
        **({"required": list(required)} if required else {}),
        "properties": dict(properties),
        "patternProperties": _COMMENT,
        "additionalProperties": False,
    }


def _value(one: Field) -> Schema:
    """The schema of one named value, with its meaning and unit."""
    if isinstance(one.read, OneOf):
        schema: Schema = {"enum": list(one.read.words)}
    else:
        schema = dict(_READ[one.read])
    unit = f", {one.unit}" if one.unit else ""
    schema["description"] = f"{one.meaning}{unit}"
    if one.default is not None:
        default = one.default
        schema["default"] = list(default) if isinstance(default, tuple) else default
    return schema


def _kinds(key: str, kinds: Mapping[str, Kind], common: Mapping[str, Field]) -> Schema:
    """One alternative a kind, each with its example."""
    every = []
    for name, kind in kinds.items():
        values = {**{k: v for k, v in common.items() if k != key}, **kind.values}
        required = tuple(v for v, one in kind.values.items() if one.required)
        one = _object(
            {key: {"const": name}, **{k: _value(v) for k, v in values.items()}}, (key, *required)
        )
        one |= {"title": kind.meaning, "examples": [{key: name, **kind.example}]}
        if kind.one_of:
            one["oneOf"] = [{"required": [v]} for v in kind.one_of]
        every.append(one)
    return {"oneOf": every}


def _criterion() -> Schema:
    return {
        **_object(
            {
                "id": _TEXT,
                "mechanism": _TEXT,
                "weight": {**_AMOUNT, "default": 1},
                "cap": {
                    "type": "number",
                    "minimum": 0,
                    "maximum": 1,
                    "description": "the most that validity can be if it fails",
                },
                "probes": {"type": "array", "items": {"enum": list(PROBES)}},
                "roles": _NAMES,
                "evidence": _TEXT,
                "counterfactual": _ref("counterfactual"),
            },
            ("id",),
        ),
        "anyOf": [
            {"required": ["probes"], "properties": {"probes": {"minItems": 1}}},
            {"required": ["counterfactual"]},
        ],
    }


def _limits() -> Schema:
    return _object(
        {
            row.name: {
                **_AMOUNT,
                "default": row.default,
                "description": f"{row.metadata['meaning']}, {row.metadata['unit']}",
            }
            for row in fields(Limits)
        }
    )


def _map(values: Schema) -> Schema:
    return {"type": "object", "additionalProperties": values}


_RUBRIC: dict[str, Schema] = {
    "criteria": {"type": "array", "items": _ref("criterion")},
    "roles": {**_map(_TEXT), "description": "object names by role"},
    "core": {**_NAMES, "description": "roles that the solver must move"},
    "admitted": _map({"type": "array", "items": {"enum": list(DRIVERS)}}),
    "sources": {**_NAMES, "description": "roles, joints and fields that may put energy in"},
    "rolling": {**_NAMES, "description": "roles that roll"},
    "may_overlap": {"type": "array", "items": _PAIR},
    "may_change_volume": _NAMES,
    "gravity": {**_VECTOR, "description": "gravity that there should be, m/s2"},
    "densities": _map({"type": "array", "items": _AMOUNT, "minItems": 2, "maxItems": 2}),
    "limits": _limits(),
    "optional": _NAMES,
    "not_applicable": _map(_TEXT),
}
