# SPDX-License-Identifier: GPL-3.0-or-later
"""Civil engineering: bridges, arch bridges, domes and igloos. Sizes in blocks."""

from __future__ import annotations

from itertools import product

from . import calls as c
from .file import VERBS, Item, TaskFile
from .problem import Turn


def _bridge(river: int, boat: int) -> Turn:
    """Two supports with room for the river between them up to the boat's height."""
    return (
        c.CONNECTED,
        *(c.clusters(y, 2) for y in range(boat)),
        c.apart(0, river),
        c.high(boat + 1),
    )


_RIVERS = tuple(product((10, 13, 17, 20), (3, 4, 5)))
_CURVED = (c.curved("top"), c.curved("bottom"))

BRIDGES = TaskFile(
    "5-ce-1-basic_bridges",
    tuple(Item.of(*_bridge(river, boat), river=river, boat=boat) for river, boat in _RIVERS),
    {"verb": VERBS},
    (
        ("{Verb} a bridge over a river that is {river} blocks wide. Boats {boat} blocks high, "
         "measured from y = 0, pass beneath it. It has one support on either bank and none in the "
         "water.",),
        ("A river is {river} blocks wide and is used by boats of {boat} blocks in height, measured "
         "from y = 0. {Verb} a bridge over it that rests on a support at each bank only.",),
    ),
)  # fmt: skip

ARCH_STRESS = TaskFile(
    "5-ce-2-arched_bridges-stress",
    tuple(
        Item.of(
            c.CONNECTED,
            c.clusters(0, 2),
            *_CURVED,
            c.stress(reference),
            width=width,
            support=support,
            height=height,
            river=5,
        )
        for width, support, height, reference in (
            (2, "2 x 2", 3, 3887),
            (2, "2 x 3", 4, 4855),
            (3, "3 x 3", 4, 5877),
        )
    ),
    {"verb": VERBS},
    (
        ("{Verb} an arch bridge over a river of {river} blocks. It is {width} blocks wide, its top "
         "reaches y = {height}, each of its two supports stands on {support} blocks of ground "
         "(y = 0), and its upper and lower faces both rise towards the middle. The lower the peak "
         "stress, the better.",),
        ("{Verb} an arch, {width} blocks wide and up to y = {height}, that spans {river} blocks of "
         "water between two supports of {support} blocks on the ground (y = 0). It curves above "
         "and below; shape it so that its highest stress is small.",),
    ),
)  # fmt: skip

ARCHES = TaskFile(
    "5-ce-2-arched_bridges",
    tuple(
        Item.of(*_bridge(river, boat), *_CURVED, river=river, boat=boat) for river, boat in _RIVERS
    ),
    {"verb": VERBS},
    (
        ("{Verb} an arch bridge, curved above and below, over a river that is {river} blocks wide. "
         "Boats {boat} blocks high, measured from y = 0, pass beneath it. It has one support on "
         "either bank and none in the water.",),
        ("A river is {river} blocks wide and is used by boats of {boat} blocks in height, measured "
         "from y = 0. {Verb} an arch bridge over it whose upper and lower faces are both curved "
         "and that rests on a support at each bank only.",),
    ),
)  # fmt: skip


def _dome(diameter: int) -> Item:
    height = -(-diameter // 2)
    return Item.of(
        c.CONNECTED,
        c.clusters(0, 1),
        c.shape("cluster_at_y_has_min_radius", y=0, min_radius=diameter / 2),
        c.shape("cluster_at_y_has_min_diameter", y=0, min_diameter=diameter),
        c.curved("top"),
        c.high(height),
        diameter=diameter,
        height=height,
    )


_DOMES = tuple(_dome(diameter) for diameter in range(5, 11))

DOMES = TaskFile(
    "5-ce-3.1-dome",
    _DOMES,
    {"verb": VERBS},
    (
        ("{Verb} a dome. At the ground (y = 0) it is at least {diameter} blocks across, and it "
         "reaches y = {height} or more.",),
        ("{Verb} a round vault like a half ball, {diameter} blocks or more in diameter where it "
         "stands on the ground (y = 0), its crown at y = {height} or above.",),
    ),
)  # fmt: skip

IGLOOS = TaskFile(
    "5-ce-3.2-dome-igloo",
    _DOMES,
    {"verb": VERBS},
    (
        ("{Verb} an igloo out of snow blocks. At the ground (y = 0) it is at least {diameter} "
         "blocks across, and it reaches y = {height} or more.",),
        ("{Verb} an igloo, {diameter} blocks or more in diameter where it stands on the ground "
         "(y = 0), its crown at y = {height} or above. Use snow blocks.",),
    ),
)  # fmt: skip

CIVIL = (BRIDGES, ARCH_STRESS, ARCHES, DOMES, IGLOOS)
