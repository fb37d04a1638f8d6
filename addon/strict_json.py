# SPDX-License-Identifier: GPL-3.0-or-later
"""JSON by the letter: what comes from files and models, and must be able to go out again.

Python's own reader takes NaN and infinities, makes an infinity of 1e999 and leaves lone surrogates
in texts; none of them can be written as JSON, sent or printed.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from typing import Any

#: Nesting beyond this is no answer to anything.
DEEPEST = 100
#: The same for files of ours, which hold answers; much more is too much for Python's own writer.
DEEPEST_FILE = 200
_HALF = re.compile("[\ud800-\udfff]")


def loads(text: str | bytes, deepest: int = DEEPEST) -> Any:
    """The value of a JSON text, its texts made of whole letters. Raises ``ValueError``."""
    try:
        value = json.loads(text, parse_constant=_refuse, parse_float=_finite)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except json.JSONDecodeError:
        raise
    except ValueError as error:
        if "int_max_str_digits" in str(error):  # a whole number with thousands of digits
            raise ValueError("it holds too large a number") from None
        raise
    return _sound(value, deepest)


def mended(text: str) -> str:
    """A text of whole letters: halves that belong together joined, others a replacement mark."""
    if not _HALF.search(text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def changed(value: Any, change: Callable[[str], str], deepest: int = DEEPEST_FILE) -> Any:
    """Plain data with every text in it replaced by what ``change`` makes of it.

    Raises ``ValueError`` where it is nested too deeply.
    """
    if isinstance(value, str):
        return change(value)
    if not isinstance(value, (list, dict)):
        return value
    if deepest == 0:
        raise ValueError("it is nested too deeply")
    if isinstance(value, list):
        return [changed(item, change, deepest - 1) for item in value]
    return {change(str(key)): changed(item, change, deepest - 1) for key, item in value.items()}


def _refuse(word: str) -> Any:
    raise ValueError(f"{word} is no number in JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"{digits[:20]} is too large a number")
    return number


def _sound(value: Any, deepest: int) -> Any:
    if isinstance(value, str):
        return mended(value)
    if isinstance(value, int) and abs(value) > 1e300:
        raise ValueError("it holds too large a number")
    if not isinstance(value, (list, dict)):
        return value
    if deepest == 0:
        raise ValueError("it is nested too deeply")
    if isinstance(value, list):
        return [_sound(item, deepest - 1) for item in value]
    return {mended(key): _sound(item, deepest - 1) for key, item in value.items()}
