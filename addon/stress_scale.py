# SPDX-License-Identifier: GPL-3.0-or-later
"""Colours of a stress, from which figure to which they go, and the legend that says so. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..checks.voxel.stress.score import Field
from .colouring import Entry, Legend, Ramp
from .palette import RGB, UNKNOWN, Palette

Floats = NDArray[np.float64]

#: What hatches blocks whose stress means nothing, and what stands where others hang.
HATCH: RGB = (1.0, 1.0, 1.0)
STANDS: RGB = (0.74, 0.76, 0.78)

# Viridis (Smith and van der Walt 2015, CC0) at equal steps: even to the eye, also in grey and
# whichever hues are seen.
_VIRIDIS = np.array(
    [
        (0.267, 0.005, 0.329),
        (0.283, 0.141, 0.458),
        (0.254, 0.265, 0.530),
        (0.207, 0.372, 0.553),
        (0.164, 0.471, 0.558),
        (0.128, 0.567, 0.551),
        (0.135, 0.659, 0.518),
        (0.267, 0.749, 0.441),
        (0.478, 0.821, 0.318),
        (0.741, 0.873, 0.150),
        (0.993, 0.906, 0.144),
    ]
)
_BANDS = 64
_AT = (0.0, 0.5, 1.0)
_UNITS = ((1e9, "GPa"), (1e6, "MPa"), (1e3, "kPa"), (1.0, "Pa"))

TITLES = {
    "fem": "Von Mises stress, {unit}",
    "sph": "Stress as published (sph), {unit}",
}


@dataclass(frozen=True)
class Span:
    """The figures, Pa, at both ends of the colours."""

    low: float
    high: float

    def shares(self, values: Floats) -> Floats:
        """Where values (n,) lie between the ends, from 0 to 1; NaN stays NaN."""
        wide = self.high - self.low
        shares: Floats = np.clip((values - self.low) / (wide if wide > 0 else 1.0), 0.0, 1.0)
        return shares


def fitting_span(field: Field) -> Span:
    """From 0 to the greatest stress; blocks whose stress means nothing don't count if others do."""
    values = np.where(np.isfinite(field.von_mises), field.von_mises, 0.0)
    sound = values[~field.artefact]
    high = float(sound.max(initial=0.0)) or float(values.max(initial=0.0))
    return Span(0.0, high if high > 0.0 else 1.0)


def colours_of(values: Floats, span: Span) -> Floats:
    """Colours (n, 3), sRGB, of stresses (n,), Pa; grey where there is no figure."""
    return _along(span.shares(values))


def _along(shares: Floats) -> Floats:
    stops = np.linspace(0.0, 1.0, len(_VIRIDIS))
    rgb = np.stack([np.interp(shares, stops, _VIRIDIS[:, k]) for k in range(3)], axis=-1)
    rgb[~np.isfinite(shares)] = UNKNOWN
    return rgb


def times(scale: float) -> str:
    """How many times larger something is drawn, for people: ``"6,770"``, ``"2.5"``."""
    return f"{float(f'{scale:.3g}'):,.0f}" if scale >= 100 else f"{scale:.3g}"


def legend_of(field: Field, span: Span, scale: float = 0.0) -> Legend:
    """The ramp with its unit and figures, and what hatching means where there is some.

    ``scale`` is how many times larger the displacement is drawn, 0 for not at all.
    """
    size, unit = unit_of(span.high)
    greatest = float(np.nanmax(field.von_mises, initial=0.0))
    marks = [(share, f"{(span.low + share * (span.high - span.low)) / size:.3g}") for share in _AT]
    if greatest > span.high * (1.0 + 1e-9):
        marks[-1] = (1.0, f"{marks[-1][1]} and more")
    entries = []
    if field.artefact.any():
        entries.append(Entry("means nothing here", HATCH, int(field.artefact.sum())))
    return Legend(
        TITLES[field.method].format(unit=unit),
        tuple(entries),
        Ramp(_along(np.linspace(0.0, 1.0, _BANDS)), tuple(marks)),
        f"deformed, {times(scale)} times enlarged" if scale else "",
    )


def legend_of_hanging(hanging: int, count: int, palette: Palette) -> Legend:
    """What the colours mean where parts hang on nothing, so that there is no stress."""
    entries = [Entry("hangs on nothing", palette.fault, hanging)]
    if count > hanging:
        entries.append(Entry("stands", STANDS, count - hanging))
    return Legend("No stress: parts hang", tuple(entries))


def unit_of(pascals: float) -> tuple[float, str]:
    """The unit in which people read a stress, and how many Pa it has."""
    return next(((size, unit) for size, unit in _UNITS if pascals >= size), _UNITS[-1])
