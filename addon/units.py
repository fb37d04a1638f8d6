# SPDX-License-Identifier: GPL-3.0-or-later
"""Lengths for people, in the units that they have chosen; the numbers stay SI inside."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from .runs.wording import INCH, feet_inches

Units = Literal["metric", "imperial"]

SYSTEMS: tuple[Units, ...] = ("metric", "imperial")

# Half of the last digit that a length in metres is written with here, m.
_HALF_A_MILLIMETRE = 0.0005


def metric(metres: float) -> str:
    """``3.92 m``, and whole millimetres below one metre: ``38 mm``."""
    if abs(metres) < 1.0 - _HALF_A_MILLIMETRE:
        return f"{metres * 1000.0 + 0.0:.0f} mm"
    return f"{metres:.2f} m"


def length_words(system: str) -> Callable[[float], str]:
    """What writes a length in m for people: ``3.92 m``, or ``12' 10 5/16"``.

    Feet and inches are rounded to the sixteenths of a carpenter's tape. Raises ``ValueError`` for a
    system that is none of :data:`SYSTEMS`.
    """
    if system == "metric":
        return metric
    if system == "imperial":
        return feet_inches
    raise ValueError(f"no system of units is called {system!r}: they are {', '.join(SYSTEMS)}")


def tape_or_decimals(metres: Sequence[float]) -> list[str]:
    """Lengths that are compared, in feet and inches.

    Where a sixteenth does not tell two of them apart all are in decimal inches: ``0.748"``.
    """
    texts = [feet_inches(value) for value in metres]
    if len(set(texts)) == len(set(metres)):
        return texts
    return [f'{value / INCH:.3f}"' for value in metres]
