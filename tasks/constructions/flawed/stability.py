# SPDX-License-Identifier: GPL-3.0-or-later
"""Flaws of safety: what floats, and what is stressed more than it need be."""

from __future__ import annotations

from .flaw import Flaw

STABILITY: tuple[Flaw, ...] = (
    Flaw(
        "2-bt-2-multi_rooms/01-01",
        "floating_block",
        "A block in the air",
        "One block hangs in the air, two above the roof.",
        {"check": "physical_plausibility.is_ground_connected", "subject": "block (2, 6, 2)"},
        'place_block(2, 6, 2, "oak_planks")',
    ),
    Flaw(
        "1-se-3.2-roofs_cols-two_layer-stress/02-01",
        "biased_columns",
        "All columns on one side",
        "Three of the four columns stand nearer the first, so that the slab overhangs them by four "
        "blocks on two sides, for six times the stress; every rule is kept.",
        {"check": "structural_stability.stress_score", "score_below": 0.3},
        "for x, z in ((7, 1), (1, 7), (7, 7)):\n"
        "    for dx, y, dz in ((i, j, k) for i in (0, 1) for j in (0, 1) for k in (0, 1)):\n"
        "        remove_block(x + dx, y, z + dz)\n"
        "for x, z in ((4, 1), (1, 4), (4, 4)):\n"
        '    fill(x, 0, z, x + 1, 1, z + 1, "white_concrete")',
        verdict="passed",
    ),
    Flaw(
        "5-ce-2-arched_bridges-stress/01-01",
        "overhanging_deck",
        "A deck that overhangs",
        "The deck goes on level past one support and overhangs it by four blocks, for seven times "
        "the stress; every rule is kept.",
        {"check": "structural_stability.stress_score", "score_below": 0.3},
        "for x in range(6, 9):\n"
        '    fill(x, 9 - x, 0, x, 3, 1, "stone_bricks")\n'
        'fill(9, 2, 0, 12, 3, 1, "stone_bricks")',
        verdict="passed",
    ),
)
