# SPDX-License-Identifier: GPL-3.0-or-later
"""Densities and elastic constants of what blocks are made of, in one table.

All materials count as isotropic, timber with its stiffness along the grain, and every block as a
full cube of one metre. A block whose name says nothing counts as stone, which a note says.
"""

from __future__ import annotations

from typing import NamedTuple


class Material(NamedTuple):
    """Density, kg/m3, Young's modulus, Pa, Poisson's ratio, and where they come from."""

    name: str
    density: float
    young: float
    poisson: float
    source: str


GRAVITY = 9.80665  # m/s2, standard (ISO 80000-3)

MATERIALS: dict[str, Material] = {
    m.name: m
    for m in (
        Material("stone", 2700, 50e9, 0.25, "granite: EN 1991-1-1 table A.2; Goodman 1989"),
        Material("sandstone", 2300, 20e9, 0.25, "EN 1991-1-1 table A.2; Goodman 1989"),
        Material("concrete", 2400, 33e9, 0.2, "C30/37: EN 1991-1-1 table A.1; EN 1992-1-1 3.1"),
        Material("masonry", 1900, 5e9, 0.2, "clay brick, fk 5 MPa: EN 1996-1-1 3.7.2, E = 1000 fk"),
        Material("hardwood", 640, 11e9, 0.35, "D30 mean values: EN 338; Wood Handbook table 5-2"),
        Material("softwood", 420, 11e9, 0.35, "C24 mean values: EN 338; Wood Handbook table 5-2"),
        Material("steel", 7850, 210e9, 0.3, "EN 1993-1-1 3.2.6; EN 1991-1-1 table A.4"),
        Material("copper", 8960, 120e9, 0.34, "CRC Handbook of Chemistry and Physics"),
        Material("gold", 19300, 78e9, 0.44, "CRC Handbook of Chemistry and Physics"),
        Material("glass", 2500, 70e9, 0.2, "soda-lime float: EN 572-1"),
        Material("ice", 917, 9.3e9, 0.33, "Petrenko and Whitworth 1999, 0 to -10 degrees C"),
        Material("soil", 1800, 50e6, 0.3, "stiff: Bowles 1996 tables 2-7 and 2-8"),
    )
}

# Part of an id and what it means; the first that is contained counts.
_NAMES: tuple[tuple[str, str], ...] = (
    ("concrete_powder", "soil"),
    ("concrete", "concrete"),
    ("_ore", "stone"),
    ("sandstone", "sandstone"),
    ("soul_sand", "soil"),
    ("stone", "stone"),
    ("nether_brick", "masonry"),
    ("mud_brick", "masonry"),
    ("prismarine", "stone"),
    ("deepslate", "stone"),
    ("blackstone", "stone"),
    ("brick", "masonry"),
    ("terracotta", "masonry"),
    ("glass", "glass"),
    ("sea_lantern", "glass"),
    ("ice", "ice"),
    ("iron", "steel"),
    ("anvil", "steel"),
    ("chain", "steel"),
    ("netherite", "steel"),
    ("copper", "copper"),
    ("gold", "gold"),
    ("oak", "hardwood"),
    ("birch", "hardwood"),
    ("acacia", "hardwood"),
    ("jungle", "hardwood"),
    ("mangrove", "hardwood"),
    ("cherry", "hardwood"),
    ("spruce", "softwood"),
    ("planks", "softwood"),
    ("wood", "softwood"),
    ("_log", "softwood"),
    ("bookshelf", "softwood"),
    ("barrel", "softwood"),
    ("crafting_table", "softwood"),
    ("dirt", "soil"),
    ("grass_block", "soil"),
    ("podzol", "soil"),
    ("gravel", "soil"),
    ("clay", "soil"),
    ("mud", "soil"),
    ("sand", "soil"),
    *((rock, "stone") for rock in ("granite", "diorite", "andesite", "basalt", "tuff", "calcite")),
    *((rock, "stone") for rock in ("quartz", "obsidian", "bedrock", "purpur", "dripstone")),
)


def material_of(block: str) -> Material | None:
    """What a block of this id is made of; ``None`` where the name says nothing."""
    name = block.lower()
    return next((MATERIALS[m] for part, m in _NAMES if part in name), None)
