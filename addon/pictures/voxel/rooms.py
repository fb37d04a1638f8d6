# SPDX-License-Identifier: GPL-3.0-or-later
"""Rooms, and where they leak; ways that lead nowhere."""

from __future__ import annotations

import numpy as np

from ..drawing import Lines, Picture, Shown, Words
from ..marks import STRONG, arrow, ball, dimension
from ..solids import cross
from .gaps import Gap, gaps_at
from .parts import (
    AIR,
    anchor,
    blocks_of,
    center,
    company,
    cube,
    figures,
    filled,
    location,
    still,
    words,
)
from .told import cells, groups

#: A cell that should be filled stands out more than one that is merely empty.
_WANTED = (0.25, 0.50)


def rooms(shown: Shown) -> Picture | None:
    """The rooms that there are; or the room that leaks, the two walls and the cell to fill."""
    if not still(shown):
        return None
    inside = cells(shown.finding, "air")
    if len(inside):
        return _leak(shown)
    found = groups(shown.finding, "rooms")
    faces = [*company(shown)]
    texts: list[Words] = []
    for number, room in enumerate(found, start=1):
        faces += filled(room, "sound", AIR)
        texts += words(f"room {number}", center(room.mean(axis=0)))
    at = location(shown)
    if at is not None and not found:
        texts += words("no closed room", at)
    lines: list[Lines] = []
    for gap in _gaps(shown):
        faces += filled(gap.room, "flow", AIR)
        faces += filled(gap.fill, "allowed", _WANTED)
        middle = center(gap.fill.mean(axis=0))
        lines.append(Lines(arrow(center(gap.room.mean(axis=0)), middle, head=0.5), "fault", STRONG))
        texts += words("open here", middle, "allowed")
    return Picture(tuple(faces), tuple(lines), words=tuple(texts), anchor=anchor(shown))


def _gaps(shown: Shown) -> list[Gap]:
    """What keeps the level from having as many rooms as are asked for."""
    structure, known, at = blocks_of(shown), figures(shown), location(shown)
    if structure is None or known is None or at is None or not 0 < known[1] < 1000:
        return []
    return gaps_at(structure, round(at[2]), int(known[1]))


def _leak(shown: Shown) -> Picture | None:
    inside, at = cells(shown.finding, "air"), location(shown)
    if at is None:
        return None
    fill = np.array(at)
    middles = np.array([center(cell) for cell in inside])
    start = middles[np.linalg.norm(middles - fill, axis=1).argmin()]
    way = start + 1.6 * (fill - start)
    hole = cube(fill, "allowed", _WANTED)
    return Picture(
        (*filled(inside, "flow", AIR), *company(shown), hole),
        (Lines(arrow(start, way, head=0.4), "fault", STRONG),),
        words=words("fill this", fill, "allowed"),
        anchor=anchor(shown),
    )


def way_out(shown: Shown) -> Picture | None:
    """All that can be reached from the start, and the start itself."""
    reached, at = cells(shown.finding, "air"), location(shown)
    if not still(shown) or at is None:
        return None
    if not len(reached):
        return _off_level(shown)
    lines = (Lines(ball(at, 0.4), "flow", STRONG),)
    texts = (*words("start", at), *words("reached, all inside", center(reached.mean(axis=0))))
    faces = (*filled(reached, "flow", AIR), *company(shown))
    return Picture(faces, lines, words=texts, anchor=anchor(shown))


def _off_level(shown: Shown) -> Picture | None:
    """A start or a floor that lies at another height than it should."""
    known, at = figures(shown), location(shown)
    if at is None:
        return None
    if known is None:
        return Picture(company(shown), (Lines(cross(at, 0.7), "fault", STRONG),), anchor=at)
    measured, limit = known
    should = (at[0], at[1], at[2] + limit - measured)
    line = dimension(at, should, (1.0, 0.0, 0.0), offset=0.8, tone="fault")
    ghost = cube(np.array(should), "allowed", _WANTED)
    text = words(f"y = {measured:g}, should be y = {limit:g}", line.middle)
    return Picture((*company(shown), ghost), line.lines, words=text, anchor=anchor(shown))
