# SPDX-License-Identifier: GPL-3.0-or-later
"""Structural elements: foundations, walls, roofs on columns, frames. Sizes in blocks."""

from __future__ import annotations

from itertools import product

from . import calls as c
from .file import TERMS, VERBS, Item, TaskFile

_PLAN = (7, 8, 9, 10)
_PILES_BELOW = 5  # length of a pile

FOUNDATIONS = TaskFile(
    "1-se-1.1-foundations",
    tuple(
        Item.of(
            c.all_of("stone"),
            c.size("is_equal", xz=[a, b], y=depth),
            c.CONNECTED,
            c.MOVED,
            a=a,
            b=b,
            depth=depth,
        )
        for a, b, depth in product(_PLAN, _PLAN, (1, 2))
    ),
    {"verb": ("lay", "install")},
    (
        ("{Verb} {slab} out of stone: {a} blocks by {b} blocks in plan, {depth} deep.",),
        ("Out of stone, {verb} {slab} that measures {a} x {b} blocks and is {depth} deep.",),
    ),
    terms={
        "plain": {"slab": "a solid rectangular foundation"},
        "trade": {"slab": "a mat foundation"},
    },
)

DEEP_FOUNDATIONS = TaskFile(
    "1-se-1.2-foundations_deep",
    tuple(
        Item.of(
            c.material("is_block_cnt_equal_to", expected_count=a * b * cap + _PILES_BELOW * piles),
            c.all_of("stone"),
            c.CONNECTED,
            c.size("min_y_is_equal", expected_y=1 - cap - _PILES_BELOW),
            c.clusters(1 - cap - _PILES_BELOW, piles),
            c.apart(1 - cap - _PILES_BELOW, 1),
            a=a,
            b=b,
            cap=cap,
            piles=piles,
        )
        for a, b, cap, piles in product((7, 9), (7, 9), (1, 2), (4, 5, 6))
    ),
    {"verb": ("lay", "install")},
    (
        (
            "{Verb} {deep} out of stone. {Cap}: {a} by {b} blocks, {cap} thick, its top layer at "
            "y = 0. Beneath it: {piles} piles, each one block across and 5 blocks long below the "
            "underside, none touching another.",
        ),
        (
            "Out of stone, {verb} {deep}: {piles} separate piles of a single block across that "
            "reach 5 blocks below {the_cap}, which is {a} x {b} blocks, {cap} thick, and has its "
            "top layer at y = 0.",
        ),
    ),
    terms={
        "plain": {"deep": "a deep foundation", "Cap": "Slab on top", "the_cap": "the slab on top"},
        "trade": {"deep": "a piled foundation", "Cap": "Pile cap", "the_cap": "the pile cap"},
    },
)

WALLS = TaskFile(
    "1-se-2-walls",
    tuple(
        Item.of(
            c.material("is_block_cnt_equal_to", expected_count=width * thickness * height),
            c.all_of("stone"),
            c.size("is_equal", xz=[thickness, width], y=height),
            c.CONNECTED,
            c.MOVED,
            width=width,
            thickness=thickness,
            height=height,
        )
        for width, thickness, height in product((5, 7, 10), (1, 2), (5, 7))
    ),
    {"verb": ("build", "create", "construct", "erect")},
    (
        ("{Verb} a solid wall of stone, {width} long, {height} high and {thickness} thick.",),
        ("{Verb} a stone wall without openings: length {width}, thickness {thickness}, "
         "height {height}.",),
    ),
)  # fmt: skip

ROOFS = TaskFile(
    "1-se-3.1-roofs_cols",
    tuple(
        Item.of(
            c.CONNECTED,
            c.material("is_block_cnt_geq", min_count=a * b + columns * height),
            c.clusters(1, columns),
            c.order("stone", "oak_planks"),
            a=a,
            b=b,
            height=height,
            columns=columns,
        )
        for (a, b), height, columns in product(
            ((3, 5), (5, 5), (5, 7), (7, 7)), (3, 4), (2, 3, 4, 5)
        )
    ),
    {"verb": VERBS},
    (
        (
            "{Verb} a flat {a} by {b} roof of oak planks on {columns} stone columns. Every column "
            "is one block across and {height} high, and none touches another.",
        ),
        (
            "{Verb} {columns} free-standing stone columns, one block across and {height} high, and "
            "a flat roof of oak planks on them that measures {a} x {b}.",
        ),
    ),
)


def _roof_item(layers: int, columns: int, reference: float, *materials: str) -> Item:
    """A 10 x 10 roof on columns of 2 x 2 x 2 that should be stressed as little as can be."""
    return Item.of(
        c.CONNECTED,
        c.stress(reference),
        c.material("is_block_cnt_geq", min_count=100 * layers + 8 * columns),
        c.clusters(0, columns),
        c.clusters(1, columns),
        c.order(*materials),
        columns=columns,
        layers=layers,
    )


_STABLE = (
    "Find places for the columns that keep the peak stress in the whole as low as you can.",
    "Choose where the columns stand with care: the lower the peak stress, the better.",
)
_SOMD = ("white_concrete", "iron", "gray_concrete")

ONE_LAYER = TaskFile(
    "1-se-3.2-roofs_cols-one_layer-stress",
    (
        _roof_item(1, 5, 62e6, "stone", "oak_planks"),
        _roof_item(1, 4, 70e6, "stone", "oak_planks"),
    ),
    {"verb": VERBS},
    tuple(
        (
            "{Verb} a flat roof of oak planks, 10 by 10 and one block thick, on exactly {columns} "
            f"stone columns of 2 x 2 x 2 blocks. {stable}",
        )
        for stable in _STABLE
    ),
)

TWO_LAYERS = TaskFile(
    "1-se-3.2-roofs_cols-two_layer-stress",
    (_roof_item(2, 5, 8943, *_SOMD), _roof_item(2, 4, 9474, *_SOMD)),
    {"verb": VERBS},
    tuple(
        (
            "{Verb} a 10 by 10 {slab} on exactly {columns} columns of white concrete, 2 x 2 x 2 "
            "blocks each. The {slab} has two layers: {deck} of iron blocks below and gray concrete "
            f"above. {stable}",
        )
        for stable in _STABLE
    ),
    terms={
        "plain": {"slab": "slab on metal deck", "deck": "a sheet"},
        "trade": {"slab": "SOMD", "deck": "a deck"},
    },
    term="trade",
)

FRAMES = TaskFile(
    "1-se-4-frames",
    tuple(
        Item.of(
            c.CONNECTED,
            c.stairs(4 * (storeys - 1)),
            c.high(4 * storeys),
            c.containing("is_block_cnt_larger_than", "concrete", cnt=16 * storeys),
            storeys=storeys,
        )
        for storeys in range(2, 11)
    ),
    {"term": TERMS, "verb": VERBS},
    (
        (
            "{Verb} {frame} with {storeys} storeys. From one floor to the next it is 4 blocks, and "
            "stairs lead up to the topmost floor.",
        ),
        (
            "{Verb} {frame} of {storeys} storeys, 4 blocks each, together with the stairs that one "
            "climbs from the ground to the topmost floor.",
        ),
    ),
    terms={
        "plain": {"frame": "the bare concrete skeleton of a building"},
        "trade": {"frame": "an RC frame (concrete blocks)"},
    },
)

STRUCTURAL = (
    FOUNDATIONS,
    DEEP_FOUNDATIONS,
    WALLS,
    ROOFS,
    ONE_LAYER,
    TWO_LAYERS,
    FRAMES,
)
