# SPDX-License-Identifier: GPL-3.0-or-later
"""Flaws of planning: detours, and what is built before what it rests on."""

from __future__ import annotations

from .flaw import Flaw, Turns


def _every_other_first(turns: Turns) -> Turns:
    """Every other block on the way out, the rest on a second way."""
    (actions,) = turns
    return ((*actions[::2], *actions[1::2]),)


def _roof_first(turns: Turns) -> Turns:
    """The roof before the columns that carry it."""
    (actions,) = turns
    roof = tuple(action for action in actions if action.material == "oak_planks")
    rest = tuple(action for action in actions if action.material != "oak_planks")
    return ((*roof, *rest),)


PLANNING: tuple[Flaw, ...] = (
    Flaw(
        "1-se-2-walls/02-01",
        "twice_over",
        "Every way walked twice",
        "Every other block is left out and placed on a second round: the wall is right, the way to "
        "it more than twice as long.",
        {"check": "efficiency.l1_dist", "score_below": 0.6},
        edit=_every_other_first,
        verdict="passed",
    ),
    Flaw(
        "1-se-3.1-roofs_cols/02-01",
        "roof_first",
        "The roof before the columns",
        "The roof is placed before the columns that carry it.",
        {"check": "dependency.material_sequence_order", "subject": "block (0, 3, 0)"},
        edit=_roof_first,
    ),
)
