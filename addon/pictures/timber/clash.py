# SPDX-License-Identifier: GPL-3.0-or-later
"""Members in the same place: what they share as a solid, and how much that is."""

from __future__ import annotations

from ...runs.wording import INCH
from ..drawing import Picture, Shown
from .parts import anchor, number, still, told, words
from .plain import beside_overlap, overlap_of

_LITRE = 1.0e-3  # m3


def clash(shown: Shown) -> Picture | None:
    """The overlap through everything, with its volume; both members only hinted at."""
    overlap = overlap_of(shown) if still(shown) else None
    if overlap is None:
        return None
    volume = number(told(shown, "volume"))
    text = volume_words(volume, shown.units) if volume is not None and volume > 0 else ""
    lowest = overlap.solid.points[overlap.solid.points[:, 2].argmin()]
    faces = (*beside_overlap(shown), overlap)
    return Picture(faces, words=words(text, lowest), anchor=anchor(shown))


def volume_words(volume: float, units: str) -> str:
    """A volume in m3 for people: ``64 cm³ shared``, ``1.3 litres shared``, ``4 cu in shared``."""
    if units == "imperial":
        return f"{volume / INCH**3:,.1f} cu in shared"
    if volume >= _LITRE:
        return f"{volume / _LITRE:,.1f} litres shared"
    return f"{volume * 1e6:,.0f} cm³ shared"
