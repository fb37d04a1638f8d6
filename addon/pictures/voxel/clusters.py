# SPDX-License-Identifier: GPL-3.0-or-later
"""Clusters of blocks at one height: how many, how far apart, how wide."""

from __future__ import annotations

import numpy as np

from ..drawing import Faces, Picture, Shown, Tone, Words
from ..marks import dimension
from .parts import RELATED, anchor, center, company, figures, filled, still, versus, words
from .told import cells, fault_cells, groups

#: What clusters that are told apart look like, one after the other.
_TONES: tuple[Tone, ...] = ("flow", "related", "sound", "allowed", "plain")
_UP = (0.0, 0.0, 1.0)


def count(shown: Shown) -> Picture | None:
    """Every cluster in a colour of its own, numbered; those too many are at fault."""
    found = groups(shown.finding, "clusters")
    if not found or not still(shown):
        return None
    bad = set(map(tuple, fault_cells(shown.finding).tolist()))
    known = figures(shown)
    few = known is not None and known[0] < known[1]
    faces: list[Faces] = []
    texts: list[Words] = []
    for number, cluster in enumerate(found):
        extra = not few and tuple(cluster[0].tolist()) in bad
        tone: Tone = "fault" if extra else _TONES[number % len(_TONES)]
        faces += filled(cluster, tone, RELATED)
        at = center(cluster.mean(axis=0) + [0, 0.8, 0])
        texts += words(f"{number + 1}", at, "fault" if extra else "plain")
    return Picture(tuple(faces), words=tuple(texts), anchor=anchor(shown))


def width(shown: Shown) -> Picture | None:
    """The radius or diameter that was measured, as a dimension line."""
    ends, cluster = cells(shown.finding, "farthest"), fault_cells(shown.finding)
    if not len(ends) or not len(cluster) or not still(shown):
        return count(shown)
    start = center(ends[0]) if len(ends) > 1 else center(cluster.mean(axis=0))
    end = center(ends[-1])
    if np.linalg.norm(end - start) < 1e-6:
        return None
    line = dimension(start, end, _UP, offset=0.9)  # red blocks lie under it: white is seen
    text = words(versus(shown), line.middle)
    return Picture(company(shown), line.lines, words=text, anchor=anchor(shown))
