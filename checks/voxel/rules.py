# SPDX-License-Identifier: GPL-3.0-or-later
"""The two profiles of the voxel checks, one table of constants each.

``paper`` is the text of MineCEraft (arXiv 2608.28884, section 4 and appendix C); ``code`` is the
authors' public graders. They agree on all but what stands in :data:`PAPER` beside :data:`CODE`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

Bottom = Literal["belly", "soffit"]

BOTTOMS: tuple[Bottom, ...] = ("belly", "soffit")


@dataclass(frozen=True)
class Rules:
    """What the graders go by where a task gives no value of its own; heights in blocks.

    Attributes
    ----------
    name
        The profile.
    room_level
        Height at which rooms are looked for where the task names none.
    region_level
        Height at which corners and walls are looked at (public graders; the paper says "a height").
    region_share
        Share of a region that must be of the material (public graders; the paper says theta).
    lone_cluster_spans
        Whether fewer than two clusters satisfy a span.
    bottom
        ``"belly"``: the bottom surface bulges down, as the paper's "below" and the public graders
        say. ``"soffit"``: it bulges up over the cells between the supports, as that of an arch
        does. Neither is *the* official rule: an ordinary arch fails the belly, yet people were
        scored 99.2 % on shape with such tasks among them (table 2), so the rule that scored them
        can't have been the belly as published.
    every_door
        Whether the door at every height is looked at, or the first placed of each column alone.
    start
        Where the level way begins that the task gives no start: at the mean of the blocks, rounded
        (``"centroid"``, algorithm 7), or in the middle of the box round them (``"box"``). Exits,
        which the paper gives no algorithm for, begin there in both profiles.
    ground
        Blocks at this height and below stand on the ground (algorithm 11; y <= 0).
    outdoors
        A single level must not lie higher than this (algorithm 7; the flat world's surface).
    exit_box
        Width, depth and height of what must get out, in blocks (public graders).
    """

    name: str
    room_level: int
    region_level: int = 2
    region_share: float = 0.5
    lone_cluster_spans: bool = False
    bottom: Bottom = "soffit"
    every_door: bool = True
    start: Literal["centroid", "box"] = "centroid"
    ground: int = 0
    outdoors: int = -1
    exit_box: tuple[int, int, int] = (2, 1, 2)

    def with_bottom(self, bottom: Bottom | None) -> Rules:
        """The same rules with the bottom surface judged the other way, where a task asks."""
        return self if bottom is None else replace(self, bottom=bottom)


#: Algorithm 5: y = 1; algorithm 6: fewer than two clusters fail; algorithm 7: centroid.
PAPER = Rules("paper", room_level=1)

#: ``shape.py`` of the public graders: y = 2, one cluster passes, the box's middle, the first door.
CODE = Rules(
    "code",
    room_level=2,
    lone_cluster_spans=True,
    bottom="belly",
    every_door=False,
    start="box",
)

PROFILES: dict[str, Rules] = {rules.name: rules for rules in (PAPER, CODE)}
DEFAULT = "paper"
