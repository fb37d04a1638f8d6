# SPDX-License-Identifier: GPL-3.0-or-later
"""Flaws of shape: surfaces, rooms, clusters, ways in and out, symmetry and stairs."""

from __future__ import annotations

from ....checks.voxel.structure import Action
from .flaw import Flaw, Turns

_ACCESS = "3-ae-5.1-accessibility_house"
_DOME = "5-ce-3.1-dome"
_REVISION = "4-cm-9-multi(2)-turn-revision"
_RADIUS = "shape.cluster_at_y_has_min_radius"
_DIAMETER = "shape.cluster_at_y_has_min_diameter"
_HOLE = ((0, 1, 2), (0, 2, 2))  # in the end wall of a house of rooms


def _hole_at_first(turns: Turns) -> Turns:
    """A hole in the end wall that the second turn closes."""
    first, second = turns
    kept = tuple(action for action in first if action[1:4] not in _HOLE)
    closed = tuple(Action("place", *cell, "oak_planks") for cell in _HOLE)
    return kept, (*second, *closed)


def _nothing_later(turns: Turns) -> Turns:
    return turns[0], *((),) * (len(turns) - 1)


_SURFACES = (
    Flaw(
        "5-ce-2-arched_bridges/02-01",
        "parapet",
        "A wall at one end of the deck",
        "A wall three blocks high stands on one end of the arch, so that its top dips behind it.",
        {"check": "shape.is_top_surface_concave", "subject": "block (1, 5, 0)"},
        'fill(0, 5, 0, 0, 7, 1, "stone_bricks")',
    ),
    Flaw(
        "5-ce-2-arched_bridges/05-01",
        "hanging_row",
        "A row below the crown",
        "A row of blocks hangs below the middle of the arch, so that its soffit dips there.",
        {"check": "shape.is_bottom_surface_concave", "subject": "block (7, 4, 0)"},
        'line(7, 4, 0, 7, 4, 1, "stone_bricks")',
    ),
)
_ROOMS = (
    Flaw(
        "2-bt-2-multi_rooms/02-01",
        "hole_in_wall",
        "A hole in the outer wall",
        "Two blocks of the outer wall of one room are missing, so that it isn't closed.",
        {"check": "shape.has_rooms", "named": "rooms at y = 1"},
        "for y in (1, 2):\n    remove_block(0, y, 2)",
    ),
    Flaw(
        f"{_REVISION}/01-01",
        "not_revised",
        "The second turn does nothing",
        "A second room is asked for in the second turn, and nothing is built.",
        {"check": "turn2.shape.has_rooms", "named": "rooms at y = 1"},
        edit=_nothing_later,
    ),
    Flaw(
        f"{_REVISION}/01-01",
        "late_wall",
        "A hole that is closed too late",
        "The first house has a hole in its wall, which the second turn closes.",
        {"check": "turn1.shape.has_rooms", "named": "rooms at y = 1"},
        edit=_hole_at_first,
    ),
)
_CLUSTERS = (
    Flaw(
        "2-bt-4-multi-story/01-01",
        "fifth_post",
        "A fifth post",
        "A fifth post stands in the middle, where four are asked for.",
        {"check": "shape.cluster_count_at_y_is", "named": "level y = 2"},
        'line(2, 0, 2, 2, 3, 2, "stone")',
    ),
    Flaw(
        "5-ce-1-basic_bridges/01-01",
        "pier_in_water",
        "A support that stands in the water",
        "One support reaches two blocks into the river at y = 0, so that less than its width is "
        "left.",
        {"check": "shape.clusters_at_y_have_min_span", "subject": "block (11, 0, 0)"},
        'fill(1, 0, 0, 2, 0, 1, "stone_bricks")',
    ),
    Flaw(
        f"{_DOME}/02-01",
        "small_ring",
        "A ring that is too small",
        "The four outermost blocks at the ground are missing, so that the radius is too small, and "
        "with it the diameter.",
        {"check": _RADIUS, "named": "level y = 0"},
        "for x, z in ((3, 0), (-3, 0), (0, 3), (0, -3)):\n    remove_block(x, 0, z)",
        also=({"check": _DIAMETER, "named": "level y = 0"},),
    ),
    Flaw(
        f"{_DOME}/02-02",
        "cut_ring",
        "A ring that is cut off on two sides",
        "Two of the outermost blocks at the ground are missing, so that no two are the diameter "
        "apart; the radius falls short by a hair.",
        {"check": _DIAMETER, "named": "level y = 0"},
        "for x, z in ((3, 0), (0, 3)):\n    remove_block(x, 0, z)",
        also=({"check": _RADIUS, "named": "level y = 0"},),
    ),
)
_WAYS = (
    Flaw(
        f"{_ACCESS}/02-01",
        "bed_on_step",
        "A bed on a step",
        "The bed stands on a block of its own, one above the floor.",
        {"check": "shape.is_single_level", "subject": "block (1, 1, 4)"},
        'place_block(1, 0, 4, "oak_planks")\nplace_block(1, 1, 4, "red_bed")',
    ),
    Flaw(
        f"{_ACCESS}/04-02",
        "low_lintel",
        "A lintel that is too low",
        "The lintel lies right above the door, so that nobody gets out upright, neither through "
        "the door nor with room beside them.",
        {"check": "shape.has_exit", "named": "start at (2, 1, 2)"},
        'line(2, 1, 0, 3, 1, 0, "oak_planks")',
        also=({"check": "shape.has_wide_exit", "named": "start at (2, 1, 2)"},),
    ),
    Flaw(
        f"{_ACCESS}/04-01",
        "narrow_door",
        "A door that is too narrow",
        "One half of the double door is walled up.",
        {"check": "shape.has_wide_exit", "named": "start at (2, 1, 2)"},
        'line(3, 0, 0, 3, 1, 0, "oak_planks")',
    ),
    Flaw(
        "2-bt-2-multi_rooms/03-01",
        "blocked_door",
        "A door that is blocked",
        "A block stands before the door and one behind it.",
        {"check": "shape.are_doors_passable", "subject": "block (2, 0, 0)"},
        'place_block(2, 0, 1, "oak_planks")\nplace_block(2, 0, -1, "oak_planks")',
    ),
    Flaw(
        "3-ae-5.2-accessibility_theater/01-01",
        "lamp_elsewhere",
        "An exit light far from the doors",
        "The sea lantern is in the middle of the wall, not beside a door.",
        {"check": "shape.are_adjacent", "subject": "block (16, 0, 0)"},
        'place_block(1, 0, 0, "oak_planks")\nplace_block(10, 2, 0, "sea_lantern")',
    ),
)
_FORM = (
    Flaw(
        "3-ae-6.1-creative_sym/01-01",
        "no_chimney",
        "Without its chimney",
        "The chimney is missing, so that the house mirrors itself.",
        {"check": "shape.has_no_axis_symmetry", "named": "plane x = 2.5"},
        "remove_block(0, 5, 0)",
    ),
    Flaw(
        "1-se-4-frames/01-01",
        "missing_step",
        "A missing step",
        "One step of the stairs is missing, and the next is two blocks higher.",
        {"check": "shape.is_reachable_by_stairs", "subject": "block (3, 2, 0)"},
        "remove_block(4, 3, 0)",
    ),
)

SHAPES: tuple[Flaw, ...] = (*_SURFACES, *_ROOMS, *_CLUSTERS, *_WAYS, *_FORM)
