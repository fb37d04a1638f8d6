# SPDX-License-Identifier: GPL-3.0-or-later
"""Blocks of the wrong material, and blocks too many."""

from __future__ import annotations

from ..drawing import Picture, Shown
from .parts import anchor, arguments, blocks_of, center, company, still, words
from .told import fault_cells


def material(shown: Shown) -> Picture | None:
    """The blocks, and at the first of them what it is and what it should be."""
    structure, wrong = blocks_of(shown), fault_cells(shown.finding)
    if structure is None or not len(wrong) or not still(shown):
        return None
    row = int(structure.rows_at(wrong[:1])[0])
    wanted = arguments(shown).get("expected_material")
    if row < 0 or not isinstance(wanted, str) or "cnt" in shown.finding.check:
        return None
    has = structure.materials[row] or "nameless"
    text = words(f"{has}, should be {wanted[:60]}", center(wrong[0] + [0, 0.8, 0]))
    return Picture(company(shown), words=text, anchor=anchor(shown))
