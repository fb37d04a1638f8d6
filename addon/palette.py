# SPDX-License-Identifier: GPL-3.0-or-later
"""Colours of pictures: what each tone looks like, the ramp of a heat map, and sets for groups.

All colours are sRGB triples from 0 to 1 as they stand on the screen. How far apart they are, also
for people who see fewer hues, is measured by the tests (CIE 1976 colour difference under simulated
protanopia, deuteranopia and tritanopia).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .pictures.drawing import Tone

RGB = tuple[float, float, float]


@dataclass(frozen=True)
class Palette:
    """What each tone of :data:`.pictures.drawing.Tone` looks like, sRGB."""

    fault: RGB = (0.90, 0.10, 0.12)
    related: RGB = (1.0, 0.68, 0.10)
    sound: RGB = (0.30, 0.69, 0.31)
    flow: RGB = (0.20, 0.72, 1.0)
    allowed: RGB = (0.55, 0.95, 0.60)
    plain: RGB = (1.0, 1.0, 1.0)

    def tone(self, name: Tone) -> RGB:
        """The colour of a tone. Raises ``AttributeError`` for what is none."""
        colour: RGB = getattr(self, name)
        return colour


STANDARD = Palette()

#: The closest two of its tones are 30 apart (CIE 1976) however the hues are seen, and no two are
#: less than 8 apart in lightness: seen on a dark and on a light view, and in a grey print.
COLOUR_BLIND_SAFE = Palette(
    fault=(0.84, 0.27, 0.08),
    related=(0.95, 0.82, 0.04),
    sound=(0.05, 0.33, 0.79),
    flow=(0.65, 0.70, 0.98),
    allowed=(0.09, 0.72, 0.45),
)

#: What the preferences offer; ``own`` puts the person's colours in place of the standard ones.
PALETTES: Mapping[str, Palette] = {
    "standard": STANDARD,
    "colour_blind_safe": COLOUR_BLIND_SAFE,
    "own": STANDARD,
}


def palette(name: str, **own: RGB) -> Palette:
    """The palette of a name in :data:`PALETTES`; colours by tone, which count for ``own`` alone."""
    chosen = PALETTES[name]
    return replace(chosen, **own) if name == "own" else chosen


#: Where the colours of the heat map end: a fifth beyond what is allowed, and all that is worse.
HEAT_END = 1.2

#: What has no figure, in a grey that no figure has.
UNKNOWN: RGB = (0.33, 0.36, 0.40)

# Utilisation and colour. Idle members look nearly unpainted and become darker and stronger towards
# their limit; beyond it the ramp leaps to red, so that nobody has to judge shades to see a fault.
_WITHIN = (
    (0.0, (0.87, 0.92, 0.96)),
    (0.5, (0.97, 0.86, 0.52)),
    (1.0, (0.95, 0.60, 0.14)),
)
_BEYOND = (
    (1.0, (0.86, 0.09, 0.11)),
    (HEAT_END, (0.47, 0.00, 0.16)),
)


def heat(utilisation: ArrayLike) -> NDArray[np.float64]:
    """Colours (n, 3) of utilisations (n,), which are 1 at the limit; grey where one is NaN.

    Exactly at the limit nothing is at fault, and the colour is one of those within it.
    """
    used = np.atleast_1d(np.asarray(utilisation, dtype=np.float64))
    colours = np.where((used > 1.0)[:, None], _along(_BEYOND, used), _along(_WITHIN, used))
    colours[np.isnan(used)] = UNKNOWN
    return colours


def _along(
    stops: tuple[tuple[float, RGB], ...], values: NDArray[np.float64]
) -> NDArray[np.float64]:
    places = [place for place, _ in stops]
    return np.stack(
        [np.interp(values, places, [rgb[i] for _, rgb in stops]) for i in range(3)], axis=-1
    )


# Seven colours after Okabe and Ito (Color Universal Design, 2008), then each time the colour that
# is farthest from all before it and from the greys of a view, however the hues are seen.
_CATEGORIES: tuple[RGB, ...] = (
    (0.90, 0.62, 0.00),
    (0.34, 0.71, 0.91),
    (0.00, 0.62, 0.45),
    (0.94, 0.89, 0.26),
    (0.84, 0.37, 0.00),
    (0.80, 0.47, 0.65),
    (0.20, 0.42, 0.85),
    (0.50, 0.00, 1.00),
    (0.71, 0.93, 0.57),
    (0.50, 0.29, 0.57),
    (0.57, 0.29, 0.14),
    (0.00, 1.00, 0.79),
    (0.50, 0.71, 0.36),
    (0.64, 0.93, 1.00),
    (0.93, 0.07, 1.00),
    (0.36, 0.43, 0.43),
    (0.79, 0.86, 0.36),
    (0.64, 0.00, 0.71),
    (0.14, 0.43, 0.29),
    (1.00, 0.71, 0.64),
    (1.00, 0.43, 0.86),
    (0.57, 0.50, 0.29),
    (0.79, 0.71, 0.79),
    (0.86, 0.21, 0.71),
)


def categories(k: int) -> NDArray[np.float64]:
    """Colours (k, 3) for ``k`` groups, as far apart as that many can be.

    The first ones do not depend on ``k``. Past the end of the set they come again, each time
    darker, so that even then no two are the same.
    """
    number = np.arange(k)
    colours = np.array(_CATEGORIES)[number % len(_CATEGORIES)]
    return colours * 0.8 ** (number // len(_CATEGORIES))[:, None]
