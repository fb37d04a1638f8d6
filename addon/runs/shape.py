# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a record that was read is one: the published schema, held to with what Python carries.

Knows the keywords of JSON Schema that our schemas of records and annotations use, and no others.
What passes here can be shown without a second look at its types.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from .records import schema

_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "number": (int, float),
    "integer": (int,),
    "boolean": (bool,),
    "null": (type(None),),
}

# What readers of the optional fields may count on.
_RECORD = {
    "title": None,
    "variant": None,
    "epoch": 1,
    "agent": None,
    "harness": None,
    "model": None,
    "effort": None,
    "protocol": None,
    "end": None,
    "rejudged": None,
    "problem": None,
    "source": None,
    "attempt": None,
    "expectation": None,
    "environment": None,
}
_FINDING = {"subject_kind": "member", "follows": None}


def is_record(value: Any) -> bool:
    """Whether ``value`` is a record by the published schema."""
    return fits(value, _schema(), _schema()["$defs"])


def completed(record: Mapping[str, Any]) -> dict[str, Any]:
    """A valid record with its optional fields filled in."""
    checks = [
        {
            "required": True,
            **check,
            "findings": [{**_FINDING, "detail": {}, **f} for f in check["findings"]],
        }
        for check in record["checks"]
    ]
    total = record["timing"].get("total")
    known = isinstance(total, (int, float)) and not isinstance(total, bool)
    timing = {**record["timing"], "total": total if known else 0.0}
    return {**_RECORD, "notes": [], **record, "checks": checks, "timing": timing}


@cache
def _schema() -> dict[str, Any]:
    return schema()


def fits(value: Any, rule: Mapping[str, Any], named: Mapping[str, Any]) -> bool:
    """Whether ``value`` keeps to ``rule``; ``named`` are the ``$defs`` that it may refer to."""
    if "$ref" in rule and not fits(value, named[rule["$ref"].rpartition("/")[2]], named):
        return False
    if "type" in rule and not _is_of(value, rule["type"]):
        return False
    if "const" in rule and value != rule["const"]:
        return False
    if "enum" in rule and value not in rule["enum"]:
        return False
    if "anyOf" in rule and not any(fits(value, one, named) for one in rule["anyOf"]):
        return False
    for one in rule.get("allOf", ()):
        applies = fits(value, one["if"], named) if "if" in one else False
        if applies and not fits(value, one["then"], named):
            return False
    if isinstance(value, dict):
        return _object_fits(value, rule, named)
    if isinstance(value, list):
        inside = rule.get("minItems", 0) <= len(value) <= rule.get("maxItems", len(value))
        items = rule.get("items")
        return inside and (items is None or all(fits(item, items, named) for item in value))
    if isinstance(value, str):
        return len(value) >= rule.get("minLength", 0)
    if value is None or isinstance(value, bool):
        return True
    return rule.get("minimum", value) <= value <= rule.get("maximum", value)


def _object_fits(
    value: Mapping[str, Any], rule: Mapping[str, Any], named: Mapping[str, Any]
) -> bool:
    if any(name not in value for name in rule.get("required", ())):
        return False
    known, others = rule.get("properties", {}), rule.get("additionalProperties")
    for name, item in value.items():
        own = known.get(name, others)
        if own is not None and not fits(item, own, named):
            return False
    return True


def _is_of(value: Any, kinds: str | list[str]) -> bool:
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if isinstance(value, bool):  # which Python counts among the numbers
        return "boolean" in kinds
    return any(isinstance(value, _TYPES[kind]) for kind in kinds)
