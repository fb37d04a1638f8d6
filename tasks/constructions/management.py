# SPDX-License-Identifier: GPL-3.0-or-later
"""Construction management: few blocks, the order of works, and changes after the fact."""

from __future__ import annotations

from itertools import permutations

from . import calls as c
from .buildings import rooms_in_words
from .file import VERBS, Item, TaskFile

_ORDERS = tuple("".join(order) for order in permutations("1234"))


def _shell(side: int) -> int:
    """Blocks of a hollow cube whose faces are one block thick."""
    return side**3 - (side - 2) ** 3


RESOURCES = TaskFile(
    "4-cm-7-resource-optimization",
    tuple(
        Item.of(
            c.CONNECTED,
            c.shape("has_rooms", room_cnt=1),
            c.containing("is_block_cnt_leq", "oak", max_count=_shell(side)),
            c.size("all_dimensions_geq", min_size=side),
            planks=_shell(side),
            side=side,
        )
        for side in (4, 5, 6, 7)
    ),
    {"verb": VERBS},
    (
        ("You have {planks} oak planks. {Verb} the largest closed cubic room that they suffice "
         "for, floor and ceiling included.",),
        ("{Verb} a closed room in the form of a cube, with walls, floor and ceiling, as large as "
         "{planks} oak planks allow and out of nothing else.",),
    ),
)  # fmt: skip

_TURNS = (
    ("{Verb} a house. What it is made of, in no order of works:\n{lines}\n"
     "Find out what has to come first.",),
    ("{Verb} a house that keeps to these points, whose order says nothing about the order of "
     "works:\n{lines}",),
)  # fmt: skip

ONE_STOREY = TaskFile(
    "4-cm-8.1-single_turn-planning-single_story",
    (Item.of(c.CONNECTED, c.order("concrete", "stone", "dirt", "oak_planks")),),
    {"order": _ORDERS},
    _TURNS,
    lines=(
        "- Foundation: concrete",
        "- Posts at the corners: stone",
        "- Walls between the posts: dirt",
        "- Roof: oak planks",
    ),
)

TWO_STOREYS = TaskFile(
    "4-cm-8.2-single_turn-planning-two_story",
    (
        Item.of(
            c.CONNECTED, c.order("stone", "white_concrete", "oak_planks", "red"), c.stairs(3)
        ),
    ),
    {"order": _ORDERS},
    _TURNS,
    lines=(
        "- Foundation and lower storey: stone",
        "- Stairs, and the upper floor at y = 3 or above: white concrete",
        "- Walls of the upper storey: oak planks",
        "- Roof: any block that is red",
    ),
)  # fmt: skip


def _revised(*numbers: int) -> Item:
    """A house whose number of rooms changes from turn to turn."""
    return Item(
        {"rooms": list(numbers), "has": [rooms_in_words(n) for n in numbers]},
        tuple((c.CONNECTED, *c.rooms(n)) for n in numbers),
    )


_REVISIONS = (
    ("{Verb} a house that has {has}. One can walk through every door.",
     "Now change the house that stands there: it shall have {has}."),
    ("{Verb} a house with {has} and doors that nothing blocks.",
     "The owner has changed their mind. Alter the same house so that it has {has}."),
)  # fmt: skip

TWO_TURNS = TaskFile(
    "4-cm-9-multi(2)-turn-revision",
    tuple(_revised(first, then) for first, then in permutations((1, 2, 3, 4), 2)),
    {"verb": ("build",)},
    _REVISIONS,
)

FIVE_TURNS = TaskFile(
    "4-cm-9-multi(5)-turn-revision",
    (_revised(1, 2, 3, 4, 5),),
    {"verb": VERBS},
    _REVISIONS,
)

MANAGEMENT = (RESOURCES, ONE_STOREY, TWO_STOREYS, TWO_TURNS, FIVE_TURNS)
