# SPDX-License-Identifier: GPL-3.0-or-later
"""Building types and architectural elements: rooms, beds, storeys, access, and free form."""

from __future__ import annotations

from ...checks.voxel.brief import CheckCall
from . import calls as c
from .file import TERMS, VERBS, Item, TaskFile

#: What the same house may be called: eleven wordings of rooms and beds.
BUILDINGS = (
    *("house", "home", "cottage", "cabin", "bungalow", "villa", "lodge", "farmhouse"),
    *("guest house", "dwelling", "residence"),
)
_COUNTED = ("", "one", "two", "three", "four", "five")


def rooms_in_words(number: int) -> str:
    """``"a single room"``, ``"three separate rooms"``."""
    return "a single room" if number == 1 else f"{_COUNTED[number]} separate rooms"


def _beds(number: int) -> str:
    return f"{_COUNTED[number]} bed{'s' if number > 1 else ''}"


_WALL_SIDES = ("min_x", "max_x", "min_z", "max_z")

BASIC = TaskFile(
    "2-bt-1-basic-fine_grained",
    tuple(
        Item.of(
            c.CONNECTED,
            c.material("is_corner_material_equal_to", expected_material="stone"),
            *(
                c.material(f"is_{side}_material_equal_to", expected_material="dirt")
                for side in _WALL_SIDES
            ),
            c.material(
                "is_highest_block_material_equal_to",
                expected_material=colour,
                use_substring_match=True,
            ),
            c.containing("is_block_cnt_larger_than", "door", cnt=0),
            colour=colour,
        )
        for colour in ("red", "green", "yellow", "orange", "purple", "black", "white")
    ),
    {"verb": VERBS},
    (
        ("{Verb} a plain house: posts of stone at its corners, walls of dirt, a {colour} roof on "
         "top and at least one door.",),
        ("{Verb} a small house whose corner posts are stone, whose walls are dirt and whose roof "
         "is {colour}. One must be able to enter by a door.",),
    ),
)  # fmt: skip

ROOMS = TaskFile(
    "2-bt-2-multi_rooms",
    tuple(Item.of(c.CONNECTED, *c.rooms(n), rooms=n, has=rooms_in_words(n)) for n in range(1, 6)),
    {"building": BUILDINGS},
    (
        ("{Verb} a {building} that has {has}. One can walk through every door.",),
        ("{Verb} a {building} with {has}, closed in by walls, and doors that nothing blocks.",),
    ),
    more={0: ({"building": "studio"},)},
)

BEDS = TaskFile(
    "2-bt-3-multi_beds",
    tuple(
        Item.of(
            c.CONNECTED,
            *c.rooms(n),
            c.beds(n),
            rooms=n,
            beds=n,
            has=f"{rooms_in_words(n)} and {_beds(n)}",
        )
        for n in range(1, 6)
    ),
    {"building": BUILDINGS},
    (
        ("{Verb} a {building} that has {has}, a bed to a room. One can walk through every door.",),
        ("{Verb} a {building} with {has}, so that there is one bed in each room, and doors that "
         "nothing blocks.",),
    ),
)  # fmt: skip

STOREYS = TaskFile(
    "2-bt-4-multi-story",
    (Item.of(c.CONNECTED, c.high(4), c.clusters(2, 4), columns=4),),
    {"term": TERMS, "verb": (*VERBS, "erect")},
    (
        ("{Verb} an {upper} on four {columns} that stand apart from each other. The {columns} are "
         "4 blocks high.",),
        ("On four separate {columns} of 4 blocks, {verb} an {upper}.",),
    ),
    terms={
        "plain": {"upper": "upper floor", "columns": "posts"},
        "trade": {"upper": "elevated slab", "columns": "columns"},
    },
)  # fmt: skip

ACCESS = TaskFile(
    "3-ae-5.1-accessibility_house",
    tuple(
        Item.of(
            c.CONNECTED,
            *c.rooms(rooms),
            c.beds(beds),
            c.shape("is_single_level", start_material="bed"),
            c.shape("has_exit"),
            c.shape("has_wide_exit"),
            rooms=rooms,
            beds=beds,
            has=f"{rooms_in_words(rooms)} and {_beds(beds)}",
        )
        for rooms, beds in ((3, 2), (2, 1), (2, 2), (1, 1))
    ),
    {"term": TERMS, "verb": VERBS},
    (
        ("{Verb} {house} with {has}. {Access}: no step anywhere from the bedside to the outside, "
         "and a way out that is two blocks wide.",),
        ("{Verb} {house} that has {has} on a single level. {Access}; the way from inside to "
         "outside is at least two blocks wide.",),
    ),
    terms={
        "plain": {"house": "a house", "Access": "Somebody in a wheelchair will live there"},
        "trade": {"house": "a barrier-free house", "Access": "It must meet ADA requirements"},
    },
)  # fmt: skip

THEATRE = TaskFile(
    "3-ae-5.2-accessibility_theater",
    tuple(
        Item.of(
            c.CONNECTED,
            c.containing("is_block_cnt_equal_to", "oak_stairs", expected_count=seats),
            c.size("is_leq", xz=[side, side]),
            c.containing("is_block_cnt_geq", "door", min_count=4),
            c.DOORS,
            c.shape("is_single_level", start_material="oak_stairs"),
            c.shape("are_adjacent", materials=["door", "sea_lantern"], substring_match=True),
            seats=seats,
            side=side,
        )
        for seats, side in ((30, 20), (25, 15), (35, 25))
    ),
    {"verb": VERBS},
    (
        ("{Verb} a theatre on one level, no more than {side} by {side} blocks. It has {seats} "
         "seats, each an oak stairs block that a wheelchair can reach, at least four doors, and a "
         "sea lantern right beside a door as an exit light.",),
        ("{Verb} a theatre of at most {side} x {side} blocks without any step, with {seats} oak "
         "stairs blocks for seats, four doors or more that are kept clear, and an exit light (a "
         "sea lantern) next to a door.",),
    ),
)  # fmt: skip


def _free_form(call: CheckCall, doors: bool) -> tuple[Item, ...]:
    """The six houses of free form, with the check that tells of it; ``doors`` for the first."""

    def item(has: str, *before: CheckCall) -> Item:
        return Item.of(c.CONNECTED, *before, call, has=has)

    counted = (
        *(item(f" with {rooms_in_words(n)}", *c.rooms(n)) for n in (2, 3)),
        *(
            item(f" with {rooms_in_words(n)} and {_beds(n)}", *c.rooms(n), c.beds(n))
            for n in (2, 3)
        ),
    )  # fmt: skip
    plain = item("", *((c.DOORS,) if doors else ()))
    storeys = Item.of(
        c.CONNECTED, call, c.stairs(4), has=" of two storeys with stairs, the upper floor at y = 4"
    )
    return (plain, *counted, storeys)


ASYMMETRY = TaskFile(
    "3-ae-6.1-creative_sym",
    _free_form(c.shape("has_no_axis_symmetry"), doors=True),
    {"verb": VERBS},
    (
        ("{Verb} a house{has}. No half of it may mirror another, however one looks at it. Doors "
         "are kept clear.",),
        ("{Verb} an asymmetric house{has}: whichever way it is mirrored, it doesn't match itself. "
         "Doors are kept clear.",),
    ),
)  # fmt: skip

CEILINGS = TaskFile(
    "3-ae-6.2-creative_3ceiling",
    _free_form(c.high(5), doors=False),
    {"verb": VERBS},
    (
        ("{Verb} a house{has} whose ceilings have three different heights, the highest block at "
         "y = 5 or above. Doors are kept clear.",),
        ("{Verb} a house{has}. Give it ceilings at three heights; it reaches y = 5 or more. Doors "
         "are kept clear.",),
    ),
)  # fmt: skip

BUILDING_TYPES = (BASIC, ROOMS, BEDS, STOREYS, ACCESS, THEATRE, ASYMMETRY, CEILINGS)
