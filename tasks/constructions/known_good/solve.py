# SPDX-License-Identifier: GPL-3.0-or-later
"""The actions that solve a problem, by its file and its place in the grid."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

from ....checks.voxel.structure import Action
from ..problem import Problem
from . import civil, houses, structural
from .solids import Blocks, changed, placed

Builder = Callable[[Mapping[str, Any]], Blocks]

_BUILDERS: dict[str, Builder] = {
    "1-se-1.1-foundations": structural.foundation,
    "1-se-1.2-foundations_deep": structural.deep_foundation,
    "1-se-2-walls": structural.wall,
    "1-se-3.1-roofs_cols": structural.roof,
    "1-se-3.2-roofs_cols-one_layer-stress": structural.stressed_roof,
    "1-se-3.2-roofs_cols-two_layer-stress": structural.stressed_roof,
    "1-se-4-frames": structural.concrete_frame,
    "2-bt-1-basic-fine_grained": houses.basic,
    "2-bt-2-multi_rooms": lambda p: houses.house(p["rooms"]),
    "2-bt-3-multi_beds": lambda p: houses.house(p["rooms"], p["beds"]),
    "2-bt-4-multi-story": houses.floor_on_posts,
    "3-ae-5.1-accessibility_house": lambda p: houses.house(p["rooms"], p["beds"]),
    "3-ae-5.2-accessibility_theater": houses.theatre,
    "4-cm-7-resource-optimization": houses.cube,
    "4-cm-8.1-single_turn-planning-single_story": houses.one_storey,
    "4-cm-8.2-single_turn-planning-two_story": lambda p: structural.frame(
        2, ("stone", "white_concrete", "oak_planks", "red_concrete")
    ),
    "5-ce-1-basic_bridges": civil.bridge,
    "5-ce-2-arched_bridges": civil.arch_bridge,
    "5-ce-2-arched_bridges-stress": civil.stressed_arch,
    "5-ce-3.1-dome": lambda p: civil.dome(p, "stone_bricks"),
    "5-ce-3.2-dome-igloo": lambda p: civil.dome(p, "snow_block"),
}
_FREE_FORM: dict[str, Callable[[Mapping[str, Any], int, int], Blocks]] = {
    "3-ae-6.1-creative_sym": houses.asymmetric,
    "3-ae-6.2-creative_3ceiling": houses.high_rooms,
}
# Rooms and beds of the six houses of free form; the last is a frame of two storeys.
_ROOMS_AND_BEDS = ((1, 0), (2, 0), (3, 0), (2, 2), (3, 3))


def solve(problem: Problem) -> tuple[tuple[Action, ...], ...]:
    """The actions of every turn. Raises ``KeyError`` for problems that weren't generated here."""
    rooms = problem.parameters.get("rooms")
    if isinstance(rooms, list):
        stands = [houses.house(number) for number in rooms]
        later = pairwise(stands)
        return (placed(stands[0]), *(changed(before, after) for before, after in later))
    return (placed(_blocks(problem)),)


def _blocks(problem: Problem) -> Blocks:
    free = _FREE_FORM.get(problem.file)
    if free is None:
        return _BUILDERS[problem.file](problem.parameters)
    if problem.item < len(_ROOMS_AND_BEDS):
        return free(problem.parameters, *_ROOMS_AND_BEDS[problem.item])
    return structural.frame(2, ("oak_log", "oak_planks", "oak_log", "spruce_planks"))
