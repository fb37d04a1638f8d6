# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts that a picture is made of. Lengths and places in metres, colours by what they mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ...checks.result import Finding, Judgement

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

Place = tuple[float, float, float]

#: What a colour stands for; the palette of the preferences says which colour that is. ``fault`` is
#: at fault, ``related`` takes part, ``sound`` is as it should be, ``flow`` is a load on its way,
#: ``allowed`` is what the rule allows or asks for, ``plain`` is writing and outlines.
Tone = Literal["fault", "related", "sound", "flow", "allowed", "plain"]


@dataclass(frozen=True)
class Solid:
    """Points (n, 3) in m, triangles (t, 3) and edges (e, 2) as indices into them."""

    points: Floats = field(default_factory=lambda: np.zeros((0, 3)))
    triangles: Ints = field(default_factory=lambda: np.zeros((0, 3), np.int32))
    edges: Ints = field(default_factory=lambda: np.zeros((0, 2), np.int32))


@dataclass(frozen=True)
class Faces:
    """A solid in one colour: its opacity where something stands before it, and where nothing does.

    ``outline`` is the tone of its edges, ``None`` for none.
    """

    solid: Solid
    tone: Tone
    behind: float
    front: float
    outline: Tone | None = None


@dataclass(frozen=True)
class Lines:
    """Pairs of points, (2 k, 3), seen through everything. ``width`` in line widths."""

    points: Floats
    tone: Tone
    width: float = 1.0
    dashed: bool = False


@dataclass(frozen=True)
class Flow:
    """Arrows (k, 2, 3) from ``[:, 0]`` to ``[:, 1]``, seen through everything, that move."""

    arrows: Floats
    tone: Tone = "flow"


@dataclass(frozen=True)
class Words:
    """A short text beside a place: what was measured there."""

    text: str
    at: Place
    tone: Tone = "plain"


@dataclass(frozen=True)
class Picture:
    """What is drawn for one finding. ``anchor`` is where its label stands, ``None`` for nowhere."""

    faces: tuple[Faces, ...] = ()
    lines: tuple[Lines, ...] = ()
    flows: tuple[Flow, ...] = ()
    words: tuple[Words, ...] = ()
    anchor: Place | None = None


@dataclass(frozen=True)
class Subjects:
    """Everything of a structure that can be coloured: names, boxes (n, 8, 3) in m, and roles.

    A role is ``""`` where the name says none.
    """

    names: tuple[str, ...]
    corners: Floats
    roles: tuple[str, ...]

    @cached_property
    def index(self) -> Mapping[str, int]:
        """The row of each name."""
        return {name: row for row, name in enumerate(self.names)}


def metres(value: float) -> str:
    """A length in m for people: ``3.92 m``, ``38 mm``."""
    return f"{value * 1000:.0f} mm" if abs(value) < 0.9995 else f"{value:.2f} m"


@dataclass(frozen=True)
class Shown:
    """One finding among all that a picture of it may need.

    ``explained`` is what :meth:`.kind.KindPictures.explain` made. ``moves`` holds the motion since
    the check, a 4 x 4 matrix in m, of each member that was moved: what was measured is then a
    picture of the past and is left out, and the members are shown where they are now.
    ``length`` writes a length in m for people, in their ``units`` (``metric`` or ``imperial``).
    ``frame`` is the one that the view shows, ``None`` for the finding's own; it matters to what
    moves.
    """

    structure: Any
    judgement: Judgement
    brief: Any
    explained: Any
    finding: Finding
    subjects: Subjects
    moves: Mapping[str, Floats] = field(default_factory=dict)
    length: Callable[[float], str] = metres
    units: str = "metric"
    frame: int | None = None
