# SPDX-License-Identifier: GPL-3.0-or-later
"""A plausible colour for every block id, by the words in it: our own choice, no game's data.

Colours are sRGB triples from 0 to 1. ``oak_stairs`` and ``oak_planks`` look alike; an id without a
known word gets a colour of its own that never changes.
"""

from __future__ import annotations

import colorsys
import hashlib
from functools import lru_cache

RGB = tuple[float, float, float]

#: How much of the light goes through blocks whose id holds one of these words, 0..1.
CLEAR = {"glass": 0.65, "ice": 0.35, "water": 0.55, "slime": 0.4}

# The longest word that is contained in an id counts; dyes count where nothing longer does.
_MATERIALS: dict[str, RGB] = {
    "acacia": (0.68, 0.36, 0.20),
    "amethyst": (0.54, 0.40, 0.73),
    "andesite": (0.53, 0.54, 0.54),
    "bamboo": (0.76, 0.69, 0.36),
    "barrel": (0.50, 0.37, 0.21),
    "basalt": (0.30, 0.30, 0.33),
    "bed": (0.66, 0.17, 0.16),
    "bedrock": (0.27, 0.27, 0.27),
    "birch": (0.78, 0.71, 0.50),
    "blackstone": (0.17, 0.15, 0.18),
    "bone": (0.89, 0.87, 0.79),
    "bookshelf": (0.60, 0.45, 0.28),
    "brick": (0.60, 0.35, 0.28),
    "calcite": (0.87, 0.88, 0.86),
    "carpet": (0.80, 0.78, 0.74),
    "chain": (0.25, 0.27, 0.32),
    "cherry": (0.89, 0.69, 0.67),
    "chest": (0.60, 0.43, 0.20),
    "clay": (0.62, 0.65, 0.70),
    "coal": (0.16, 0.16, 0.17),
    "cobblestone": (0.47, 0.47, 0.48),
    "concrete": (0.66, 0.66, 0.65),
    "copper": (0.76, 0.44, 0.32),
    "crimson": (0.47, 0.20, 0.28),
    "dark_oak": (0.29, 0.19, 0.10),
    "deepslate": (0.32, 0.32, 0.34),
    "diamond": (0.42, 0.85, 0.82),
    "diorite": (0.75, 0.75, 0.76),
    "dirt": (0.53, 0.38, 0.26),
    "emerald": (0.22, 0.75, 0.40),
    "end_stone": (0.86, 0.86, 0.64),
    "fence": (0.62, 0.50, 0.32),
    "furnace": (0.42, 0.42, 0.43),
    "glass": (0.76, 0.88, 0.91),
    "glowstone": (0.88, 0.72, 0.42),
    "gold": (0.95, 0.79, 0.26),
    "granite": (0.60, 0.42, 0.36),
    "grass": (0.44, 0.62, 0.30),
    "gravel": (0.52, 0.50, 0.49),
    "hay": (0.76, 0.64, 0.18),
    "ice": (0.62, 0.77, 0.95),
    "iron": (0.84, 0.84, 0.83),
    "jungle": (0.63, 0.46, 0.32),
    "ladder": (0.60, 0.47, 0.29),
    "lantern": (0.74, 0.56, 0.34),
    "lapis": (0.15, 0.30, 0.62),
    "lava": (0.91, 0.42, 0.10),
    "leaves": (0.29, 0.47, 0.20),
    "log": (0.42, 0.33, 0.21),
    "mangrove": (0.47, 0.22, 0.20),
    "moss": (0.36, 0.45, 0.20),
    "mud": (0.30, 0.27, 0.28),
    "nether": (0.38, 0.16, 0.17),
    "oak": (0.65, 0.52, 0.32),
    "obsidian": (0.09, 0.07, 0.14),
    "pale_oak": (0.89, 0.85, 0.84),
    "planks": (0.65, 0.52, 0.32),
    "podzol": (0.40, 0.28, 0.14),
    "prismarine": (0.40, 0.64, 0.60),
    "pumpkin": (0.80, 0.47, 0.12),
    "purpur": (0.67, 0.50, 0.67),
    "quartz": (0.92, 0.90, 0.87),
    "rail": (0.55, 0.48, 0.40),
    "red_sandstone": (0.74, 0.40, 0.15),
    "redstone": (0.68, 0.10, 0.05),
    "sand": (0.86, 0.81, 0.64),
    "sandstone": (0.85, 0.79, 0.61),
    "sea_lantern": (0.74, 0.82, 0.80),
    "shroomlight": (0.94, 0.58, 0.28),
    "slime": (0.45, 0.76, 0.36),
    "smooth_stone": (0.63, 0.63, 0.63),
    "snow": (0.96, 0.98, 0.99),
    "soul": (0.32, 0.25, 0.20),
    "spruce": (0.45, 0.34, 0.20),
    "stone": (0.50, 0.50, 0.50),
    "terracotta": (0.60, 0.37, 0.27),
    "torch": (0.96, 0.82, 0.42),
    "tuff": (0.42, 0.43, 0.40),
    "unknown": (0.72, 0.45, 0.72),
    "warped": (0.17, 0.42, 0.41),
    "water": (0.24, 0.42, 0.85),
    "wool": (0.91, 0.92, 0.92),
    "door": (0.58, 0.45, 0.27),
}

# Dyed blocks begin with one of these words; wool, concrete, glass, a bed take its colour.
_DYES: dict[str, RGB] = {
    "black": (0.10, 0.10, 0.12),
    "blue": (0.20, 0.25, 0.62),
    "brown": (0.44, 0.28, 0.17),
    "cyan": (0.09, 0.50, 0.56),
    "gray": (0.28, 0.31, 0.33),
    "green": (0.33, 0.43, 0.13),
    "light_blue": (0.26, 0.63, 0.84),
    "light_gray": (0.56, 0.56, 0.53),
    "lime": (0.45, 0.70, 0.11),
    "magenta": (0.70, 0.25, 0.66),
    "orange": (0.92, 0.48, 0.08),
    "pink": (0.92, 0.56, 0.68),
    "purple": (0.46, 0.17, 0.64),
    "red": (0.66, 0.15, 0.14),
    "white": (0.91, 0.92, 0.92),
    "yellow": (0.95, 0.76, 0.16),
}
# Ids that begin like a dyed block and are none.
_NOT_DYED = ("red_sand", "red_nether", "red_mushroom", "blue_ice", "brown_mushroom", "redstone")
# Dyed glass lets light through, so that it looks paler than its dye.
_GLASS_SHARE = 0.45


@lru_cache(maxsize=4096)
def colour_of(material: str) -> RGB:
    """The colour of a block id, sRGB; the same for the same id, always."""
    name = material.lower()
    dye = _dye(name)
    if dye is not None:
        return _mixed(dye, (1.0, 1.0, 1.0), _GLASS_SHARE) if "glass" in name else dye
    words = [word for word in _MATERIALS if word in name]
    if words:
        return _MATERIALS[max(words, key=len)]
    return _of_its_own(material)


def clear_share(material: str) -> float:
    """How much light goes through a block, 0 (none) to 1."""
    return max((share for word, share in CLEAR.items() if word in material.lower()), default=0.0)


def _dye(name: str) -> RGB | None:
    if name.startswith(_NOT_DYED):
        return None
    first = [dye for dye in _DYES if name == dye or name.startswith(dye + "_")]
    return _DYES[max(first, key=len)] if first else None


def _of_its_own(material: str) -> RGB:
    """A muted colour out of the id's digest."""
    digest = hashlib.sha256(material.encode("utf-8", "replace")).digest()
    hue, saturation, value = (digest[i] / 255 for i in range(3))
    red, green, blue = colorsys.hsv_to_rgb(hue, 0.25 + 0.4 * saturation, 0.45 + 0.4 * value)
    return red, green, blue


def _mixed(one: RGB, other: RGB, share: float) -> RGB:
    red, green, blue = (a + (b - a) * share for a, b in zip(one, other, strict=True))
    return red, green, blue
