# SPDX-License-Identifier: GPL-3.0-or-later
"""Where ways of loads break: crosses, gaps with their figures, and what ought to be there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ....checks.timber.engineering.broken_links import ONE_SIDE, TIE, TOP
from ....checks.timber.engineering.outcome import in_line
from ....checks.timber.engineering.reactions import Break
from ..drawing import Floats, Lines, Shown, Words
from ..marks import STRONG, joined, polyline
from ..solids import cross
from .parts import ends, points, related_names, told, words
from .ways import Explained

Marks = tuple[tuple[Lines, ...], tuple[Words, ...]]

CROSS = 0.14  # m
_MOST_TIES = 40


def breaks_of(shown: Shown, explained: Explained, breaks: Sequence[Break]) -> Marks:
    """Every broken link with a cross; of those that lack the same thing, one with its figure."""
    if not breaks:
        return (), ()
    kind = breaks[0].lacks
    if kind == TIE:
        return _ties(shown, explained, breaks)
    lines = [Lines(joined(cross(b.spot, CROSS) for b in breaks), "fault", STRONG)]
    if kind == ONE_SIDE:
        ghosts = _ghosts(shown)
        return (*lines, *ghosts), words("no rafters on this side", breaks[0].spot)
    places = points(shown, "places", 2)
    if places is None and len(breaks) > 1:
        spots = np.array([b.spot for b in breaks])
        places = spots[in_line(spots, np.arange(len(spots)))]
    if places is not None:
        lines.append(Lines(polyline(places), "allowed", STRONG * 1.6, dashed=True))
    measured = ends(shown)
    if measured is not None:
        size = float(np.linalg.norm(measured[1] - measured[0]))
        lines.append(Lines(np.array(measured), "fault", STRONG * 1.6))
        return tuple(lines), words(f"{shown.length(size)} gap", 0.5 * (measured[0] + measured[1]))
    if kind == TOP:
        return tuple(lines), words("nothing holds the top", breaks[0].spot)
    more, texts = one_break(breaks[len(breaks) // 2], shown.length)
    return (*lines, *more), texts


def one_break(found: Break, length: Callable[[float], str]) -> Marks:
    """A cross at the end of the way, and how far it is to the next thing below."""
    lines = [Lines(cross(found.spot, CROSS), "fault", STRONG)]
    if found.below is None:
        return tuple(lines), words("held by nothing", found.spot)
    size = float(np.linalg.norm(found.spot - found.below))
    if size > 1e-3:
        lines.append(Lines(np.array([found.spot, found.below]), "fault", STRONG, dashed=True))
    text = f"nothing below for {length(size)}"
    if size <= 1e-3:
        text = "bare ground below" if found.ground else "not held here"
    return tuple(lines), words(text, 0.5 * (found.spot + found.below))


def _ghosts(shown: Shown) -> tuple[Lines, ...]:
    """Rafters that ought to be opposite, dashed."""
    detail = told(shown, "lines")
    if not isinstance(detail, (list, tuple)):
        return ()
    try:
        pairs = np.asarray(detail, float)
    except (TypeError, ValueError):
        return ()
    good = pairs.ndim == 3 and pairs.shape[1:] == (2, 3) and np.isfinite(pairs).all()
    return (Lines(pairs.reshape(-1, 3), "allowed", STRONG, dashed=True),) if good else ()


def _ties(shown: Shown, explained: Explained, breaks: Sequence[Break]) -> Marks:
    """From foot to foot of the couples that nothing ties."""
    reactions = explained.reactions
    couples, frame = reactions.path.couples, reactions.joints.frame
    wanted = {explained.index[name] for name in related_names(shown) if name in explained.index}
    wanted |= {b.member for b in breaks}
    spot = {b.member: b.spot for b in breaks}
    feet: list[Floats] = []
    for left, right in zip(couples.left.tolist(), couples.right.tolist(), strict=True):
        if left in wanted and right in wanted and len(feet) < _MOST_TIES:
            low = [
                spot.get(m, frame.end(np.array([m]), np.array([-1.0]))[0]) for m in (left, right)
            ]
            feet.append(np.array(low))
    marks = Lines(joined(cross(b.spot, CROSS) for b in breaks), "fault", STRONG)
    if not feet:
        return (marks,), words("no ties", breaks[0].spot)
    ties = Lines(joined(feet), "allowed", STRONG, dashed=True)
    return (marks, ties), words("no ties between the feet", feet[len(feet) // 2].mean(axis=0))
