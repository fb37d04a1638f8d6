# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether arguments fit a tool's schema, said so that the caller can put it right.

Understood of JSON Schema: ``type`` (one or several), ``properties``, ``required``,
``additionalProperties`` (false unless said), ``items``, ``minItems``, ``maxItems``, ``enum``,
``minimum``, ``maximum``, ``minLength``, ``maxLength``, ``pattern``. Nothing is converted: ``"3"``
is no number, and 1.0 is no whole number unless it is written as one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

_WORDS = {
    "object": "an object",
    "array": "a list",
    "string": "a text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "null": "null",
}
_TYPES: dict[str, type | tuple[type, ...]] = {
    "object": Mapping,
    "array": (list, tuple),
    "string": str,
    "number": (int, float),
    "integer": int,
    "boolean": bool,
    "null": type(None),
}
# Longer values are cut in messages, characters.
_SHOWN = 60


def problem(arguments: Any, schema: Mapping[str, Any]) -> str | None:
    """The first thing that is wrong with ``arguments`` in a sentence's half, ``None`` if they fit.

    Unknown parameters come first: a wrong name explains a missing one.
    """
    if not isinstance(arguments, Mapping):
        return f"the arguments must be one JSON object, not {_named(arguments)}"
    return _object_problem(arguments, schema, "")


def _object_problem(value: Mapping[str, Any], schema: Mapping[str, Any], where: str) -> str | None:
    known = schema.get("properties", {})
    open_to_others = bool(schema.get("additionalProperties", False))
    extra = [str(name) for name in value if name not in known]
    if extra and not open_to_others:
        it_has = f"it has {', '.join(known)}" if known else "it has none"
        of = f" in {where}" if where else ""
        return f"there is no parameter {', '.join(map(repr, extra[:5]))}{of}; {it_has}"
    missing = [name for name in schema.get("required", ()) if name not in value]
    if missing:
        of = f" of {where}" if where else ""
        names = " and ".join(map(repr, missing))
        return f"{names}{of} must be given"
    for name, item in value.items():
        if name in known:
            found = _problem(item, known[name], f"{where}.{name}" if where else str(name))
            if found:
                return found
    return None


def _problem(value: Any, schema: Mapping[str, Any], where: str) -> str | None:
    kinds = schema.get("type")
    if kinds is not None:
        kinds = [kinds] if isinstance(kinds, str) else list(kinds)
        if not any(_is_of(value, kind) for kind in kinds):
            return f"{where} must be {' or '.join(_WORDS[k] for k in kinds)}, not {_named(value)}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{where} must be one of {', '.join(map(str, schema['enum']))}, not {_named(value)}"
    if isinstance(value, Mapping):
        return _object_problem(value, schema, where) if "properties" in schema else None
    if isinstance(value, (list, tuple)):
        return _list_problem(value, schema, where)
    if isinstance(value, str):
        return _text_problem(value, schema, where)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return _number_problem(value, schema, where)
    return None


def _is_of(value: Any, kind: str) -> bool:
    if isinstance(value, bool):  # which Python counts among the numbers
        return kind == "boolean"
    if kind == "integer" and isinstance(value, float):
        return value.is_integer()  # 3.0 is a whole number to JSON Schema
    return isinstance(value, _TYPES[kind])


def _list_problem(value: Any, schema: Mapping[str, Any], where: str) -> str | None:
    least, most = schema.get("minItems", 0), schema.get("maxItems", math.inf)
    if not least <= len(value) <= most:
        wanted = f"{least}" if least == most else f"{least} to {most}"
        wanted = f"at least {least}" if most == math.inf else wanted
        return f"{where} must have {wanted} items, not {len(value)}"
    if "items" in schema:
        for index, item in enumerate(value):
            found = _problem(item, schema["items"], f"{where}[{index}]")
            if found:
                return found
    return None


def _text_problem(value: str, schema: Mapping[str, Any], where: str) -> str | None:
    least, most = schema.get("minLength", 0), schema.get("maxLength", math.inf)
    if len(value) < least:
        return f"{where} must not be empty" if least == 1 else f"{where} is shorter than {least}"
    if len(value) > most:
        return f"{where} is longer than {most:,} characters"
    if "pattern" in schema and not re.search(schema["pattern"], value):
        return f"{where} must look like {schema['pattern']}, not {_named(value)}"
    return None


def _number_problem(value: float, schema: Mapping[str, Any], where: str) -> str | None:
    if isinstance(value, float) and not math.isfinite(value):
        return f"{where} must be a finite number"
    if value < schema.get("minimum", -math.inf):
        return f"{where} must be at least {schema['minimum']}, not {value}"
    if value > schema.get("maximum", math.inf):
        return f"{where} must be at most {schema['maximum']}, not {value}"
    return None


def _named(value: Any) -> str:
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, (list, tuple)):
        return "a list"
    text = "true" if value is True else "false" if value is False else repr(value)
    text = "null" if value is None else text
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
