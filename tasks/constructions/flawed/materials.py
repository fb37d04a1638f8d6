# SPDX-License-Identifier: GPL-3.0-or-later
"""Flaws of material: the wrong one, too many, too few, and too small a share of a region."""

from __future__ import annotations

from .flaw import Flaw

_BASIC = "2-bt-1-basic-fine_grained"


def _gravel(item: int, side: str, cell: str, line: str) -> Flaw:
    """Gravel in the middle of one wall of the basic house."""
    name = side.replace("_", " ")
    return Flaw(
        f"{_BASIC}/{item:02d}-01",
        f"gravel_{side}",
        f"Gravel in the {name} wall",
        f"Two of the four dirt blocks at y = 2 of the wall at {name} are gravel.",
        {"check": f"material.is_{side}_material_equal_to", "subject": f"block {cell}"},
        f'line({line}, "gravel")',
    )


MATERIALS: tuple[Flaw, ...] = (
    Flaw(
        "1-se-2-walls/01-01",
        "cobblestone",
        "One block of cobblestone",
        "One block of the stone wall is cobblestone.",
        {"check": "material.is_all_material_equal_to", "subject": "block (2, 2, 0)"},
        'place_block(2, 2, 0, "cobblestone")',
    ),
    Flaw(
        "2-bt-3-multi_beds/02-01",
        "third_bed",
        "A third bed",
        "There is a third bed in a house of two.",
        {"check": "material.is_block_cnt_equal_to", "subject": "block (3, 0, 3)"},
        'place_block(3, 0, 3, "red_bed")',
    ),
    Flaw(
        f"{_BASIC}/01-01",
        "no_door",
        "No door",
        "Both doors are taken out, so that the house has none.",
        {"check": "material.is_block_cnt_larger_than", "named": "blocks of some 'door'"},
        "remove_block(2, 0, 0)\nremove_block(3, 0, 0)",
    ),
    Flaw(
        "1-se-3.1-roofs_cols/15-01",
        "hole_in_roof",
        "A hole in the roof",
        "One block of the roof is missing, so that there is one less than the roof and the columns "
        "take.",
        {"check": "material.is_block_cnt_geq", "named": "blocks"},
        "remove_block(1, 4, 1)",
    ),
    Flaw(
        "4-cm-7-resource-optimization/02-01",
        "one_plank_too_many",
        "One plank too many",
        "A plank lies in the room that uses up all planks for its walls.",
        {"check": "material.is_block_cnt_leq", "subject": "block (1, 1, 1)"},
        'place_block(1, 1, 1, "oak_planks")',
    ),
    Flaw(
        f"{_BASIC}/02-01",
        "dirt_corners",
        "Corners of dirt",
        "Three of the four corner posts are dirt at y = 2.",
        {"check": "material.is_corner_material_equal_to", "subject": "block (0, 2, 0)"},
        'for x, z in ((0, 0), (0, 5), (5, 0)):\n    place_block(x, 2, z, "dirt")',
    ),
    _gravel(3, "min_x", "(0, 2, 0)", "0, 2, 1, 0, 2, 2"),
    _gravel(4, "max_x", "(5, 2, 0)", "5, 2, 1, 5, 2, 2"),
    _gravel(5, "min_z", "(0, 2, 0)", "1, 2, 0, 2, 2, 0"),
    _gravel(6, "max_z", "(0, 2, 5)", "1, 2, 5, 2, 2, 5"),
    Flaw(
        f"{_BASIC}/07-01",
        "brick_chimney",
        "A chimney of bricks",
        "A block of bricks stands on the coloured roof and is the highest of all.",
        {"check": "material.is_highest_block_material_equal_to", "subject": "block (0, 5, 0)"},
        'place_block(0, 5, 0, "bricks")',
    ),
)
