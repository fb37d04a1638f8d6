# SPDX-License-Identifier: GPL-3.0-or-later
"""Flaws of size: too long, too deep, too low."""

from __future__ import annotations

from .flaw import Flaw

SIZES: tuple[Flaw, ...] = (
    Flaw(
        "1-se-1.1-foundations/01-01",
        "sticks_out",
        "A block that sticks out",
        "One block lies beside the foundation, which is then eight blocks long.",
        {"check": "size.is_equal", "named": "extent along x"},
        'place_block(7, 0, 0, "stone")',
    ),
    Flaw(
        "3-ae-5.2-accessibility_theater/02-01",
        "too_long",
        "A floor that is too long",
        "The floor reaches one block further than the theatre may.",
        {"check": "size.is_leq", "named": "extent along x"},
        'place_block(15, -1, 0, "stone")',
    ),
    Flaw(
        "1-se-1.2-foundations_deep/01-01",
        "long_pile",
        "A pile that is too long",
        "One pile is six blocks long; the block comes from the cap.",
        {"check": "size.min_y_is_equal", "subject": "block (0, -6, 0)"},
        'remove_block(1, 0, 1)\nplace_block(0, -6, 0, "stone")',
    ),
    Flaw(
        "2-bt-4-multi-story/01-02",
        "no_floor",
        "Posts that carry nothing",
        "The upper floor is missing, and nothing is higher than the posts.",
        {"check": "size.max_y_is_geq", "subject": "block (0, 3, 0)"},
        "for x in range(5):\n    for z in range(5):\n        remove_block(x, 4, z)",
    ),
    Flaw(
        "4-cm-7-resource-optimization/01-01",
        "no_ceiling",
        "A room without its ceiling",
        "The ceiling is missing, so that the room is a block lower than it is wide.",
        {"check": "size.all_dimensions_geq", "named": "extent along y"},
        "for x in range(4):\n    for z in range(4):\n        remove_block(x, 3, z)",
    ),
)
