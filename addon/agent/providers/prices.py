# SPDX-License-Identifier: GPL-3.0-or-later
"""What a call costs, from a dated table. What the table doesn't say is unknown, never a guess.

``PLUMBLINE_PRICES`` may name a file of the same form (``plumbline.prices/1``): its hosts, such as
``127.0.0.1:8000`` for a server of one's own, come before the table's.
"""

from __future__ import annotations

import functools
import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..messages import Usage

SCHEMA = "plumbline.prices/1"
VARIABLE = "PLUMBLINE_PRICES"
_FILE = Path(__file__).with_name("prices.json")
_MILLION = 1_000_000
_KINDS = ("input", "cached", "cache_write", "output")
# Providers name a fixed state of a model by its day: claude-sonnet-4-5-20250929, gpt-5-2025-08-07.
_DAY = re.compile(r"-(?:\d{8}|\d{4}-\d{2}-\d{2})$")


def date() -> str:
    """The day up to which our table is right (``2026-11-05``)."""
    return str(_read(_FILE)["date"])


def source() -> str:
    """Where our table comes from, in a sentence."""
    return str(_read(_FILE)["source"])


def check() -> None:
    """Raise ``ValueError`` with one sentence if the user's own price file can't be used."""
    _tables()


def cost(host: str, model: str, usage: Usage) -> float | None:
    """US dollars for one call to ``host`` (with its port if it isn't the usual one).

    ``None`` if the host, the model or one of the kinds of tokens used has no price, or if the
    tokens are unknown. Raises ``ValueError`` as :func:`check`.
    """
    if usage.uncounted:
        return None
    entry = _entry(host, model)
    if entry is None:
        return None
    prompt = usage.input_tokens + usage.cached_tokens + usage.cache_write_tokens
    long = entry.get("long")
    prices = long if long is not None and prompt > long["above"] else entry
    used = {
        "input": usage.input_tokens,
        "cached": usage.cached_tokens,
        "cache_write": usage.cache_write_tokens,
        "output": usage.output_tokens,
    }
    if any(count and prices.get(kind) is None for kind, count in used.items()):
        return None
    return sum(count * prices[kind] for kind, count in used.items() if count) / _MILLION


def _entry(host: str, model: str) -> Mapping[str, Any] | None:
    plain = _DAY.sub("", model)
    for table in _tables():
        for entry in table["hosts"].get(host, ()):
            if model in entry["models"] or plain in entry["models"]:
                return entry
    return None


def _tables() -> list[Mapping[str, Any]]:
    own = os.environ.get(VARIABLE)
    return [*([_read(Path(own))] if own else []), _read(_FILE)]


@functools.cache
def _read(path: Path) -> Mapping[str, Any]:
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
        right = table["schema"] == SCHEMA and all(_is_entry(e) for e in _entries(table))
    except OSError as error:
        raise ValueError(f"the price file {path} can't be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        right = False
    if not right:
        raise ValueError(f"{path} is no price file of the form {SCHEMA} (see prices.json)")
    return table


def _entries(table: Mapping[str, Any]) -> list[Any]:
    return [entry for entries in table["hosts"].values() for entry in entries]


def _is_entry(entry: Any) -> bool:
    prices = [*(entry.get(kind) for kind in _KINDS)]
    long = entry.get("long")
    if long is not None:
        prices += [long["above"], *(long.get(kind) for kind in _KINDS)]
    numbers = all(p is None or (isinstance(p, int | float) and p >= 0) for p in prices)
    return numbers and all(isinstance(model, str) for model in entry["models"])
