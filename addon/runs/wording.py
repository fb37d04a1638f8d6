# SPDX-License-Identifier: GPL-3.0-or-later
"""How figures, places and names are put into words for people; the numbers stay SI inside.

Shared by the terminal and the report. Lengths carry feet and inches in brackets, for the people
whose lumber is sold that way.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any

INCH = 0.0254  # m, exact
_SIXTEENTHS = 16  # the finest mark on a carpenter's tape

# Below this a length reads better in millimetres; so it does where drawings are dimensioned.
_MILLIMETRES_BELOW = 1.0

STATUS_WORDS: Mapping[str, str] = {
    "passed": "passed",
    "failed": "failed",
    "vacuous": "nothing to check",
    "not_applicable": "not applicable",
    "not_run": "not run",
    "inconclusive": "inconclusive",
}

VERDICT_WORDS: Mapping[str, str] = {
    "passed": "passed",
    "failed": "failed",
    "not_judged": "not judged",
}

METRES: Mapping[str, float] = {"m": 1.0, "mm": 1e-3, "cm": 1e-2}
_SYMBOLS: Mapping[str, str] = {"m2": "m²", "m3": "m³", "cm3": "cm³", "deg": "°", "%": "%"}


def feet_inches(metres: float) -> str:
    """A length as on a tape, to the next sixteenth: ``4.1177`` -> ``13' 6 1/8"``."""
    sixteenths = round(abs(metres) / INCH * _SIXTEENTHS)
    inches, rest = divmod(sixteenths, _SIXTEENTHS)
    feet, inches = divmod(inches, 12)
    divisor = next((d for d in (16, 8, 4, 2) if rest % d == 0), 1) if rest else 1
    fraction = f"{rest // divisor}/{_SIXTEENTHS // divisor}" if rest else ""
    tape = f"{inches} {fraction}".strip() if inches or not fraction else fraction
    sign = "-" if metres < 0 and sixteenths else ""
    return f"{sign}{feet}' {tape}\"" if feet else f'{sign}{tape}"'


def length(metres: float) -> str:
    """A length in metres, or millimetres below one metre: ``4.118 m``, ``38 mm``."""
    if abs(metres) >= _MILLIMETRES_BELOW:
        return f"{metres:.3f} m"
    return f"{_trim(metres * 1000.0, 1)} mm"


def quantity(value: float | None, unit: str | None, tape: bool = True) -> str:
    """A figure with its unit, empty for ``None``; ``tape`` adds feet and inches to lengths."""
    if value is None:
        return ""
    if unit is not None and unit in METRES:
        metres = value * METRES[unit]
        return f"{length(metres)} ({feet_inches(metres)})" if tape else length(metres)
    number = f"{value:.4g}" if abs(value) < 1e4 else f"{value:,.0f}"
    if not unit or unit == "1":
        return number
    symbol = _SYMBOLS.get(unit, unit)
    if abs(value) == 1 and symbol.isalpha() and len(symbol) > 3:
        symbol = symbol.removesuffix("s")  # counted things: 1 member, 1 end
    return f"{number}{symbol}" if symbol == "°" else f"{number} {symbol}"


def place(location: Any) -> str:
    """A place in metres: ``2.40, 1.22, 0.55``; empty for ``None``."""
    if location is None:
        return ""
    return ", ".join("?" if x is None else f"{round(x, 2) + 0.0:.2f}" for x in location)


def seconds(value: float) -> str:
    """A duration, whole seconds as such: ``0.31 s``, ``12 s``, ``3 min 05 s``, ``1 h 02 min``."""
    if value < 9.95 and isinstance(value, float):
        return f"{value:.2f} s"
    whole = round(value)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"


def figure(value: Any) -> str:
    """A figure of any kind: ``12``, ``0.4567``, ``yes``."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def usage(used: Mapping[str, Any]) -> str:
    """Tokens and cost: ``12,345 tokens, $0.0417``; a cost that nobody knows is said so."""
    cost = used.get("cost")
    told = f"${cost:.4f}" if isinstance(cost, (int, float)) else "cost unknown"
    return f"{count(int(used.get('tokens') or 0), 'token')}, {told}"


def count(number: int, singular: str, plural: str | None = None) -> str:
    """``1 fault``, ``2 faults``, ``5,000 faults``."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def size(metrics: Mapping[str, Any]) -> str:
    """``236 members``, ``1 block`` or ``7 bodies``; empty where nobody counted."""
    for one, several in (("member", "members"), ("block", "blocks"), ("body", "bodies")):
        if isinstance(number := metrics.get(several), int):
            return count(number, one, several)
    return ""


def tally(roots: int, findings: int, verdict: str = "failed") -> str:
    """What a scorecard says of findings: ``2 faults, 14 more follow from them``."""
    following = findings - roots
    if not findings:  # of what was not judged nobody knows that it has none
        return "no verdict" if verdict == "not_judged" else "no faults"
    if not following:
        return count(roots, "fault")
    it = "it" if roots == 1 else "them"
    return f"{count(roots, 'fault')}, {following:,} more {_follow(following)} from {it}"


def _follow(number: int) -> str:
    return "follows" if number == 1 else "follow"


def printable(text: str) -> str:
    """The text with everything escaped that could move a cursor, hide or turn text round."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def display_width(text: str) -> int:
    """Columns that a text takes on a terminal."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) > 0 for c in text)


def clip(text: str, width: int, ellipsis: str = "…") -> str:
    """The text cut to ``width`` columns, with an ellipsis where it was cut."""
    if display_width(text) <= width:
        return text
    room = max(0, width - len(ellipsis))
    used, kept = 0, []
    for char in text:
        used += display_width(char)
        if used > room:
            break
        kept.append(char)
    return "".join(kept) + ellipsis


def _trim(value: float, digits: int) -> str:
    text = f"{round(value, digits) + 0.0:.{digits}f}"  # + 0.0: no minus before a zero
    return text.rstrip("0").rstrip(".") if "." in text else text
