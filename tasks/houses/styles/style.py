# SPDX-License-Identifier: GPL-3.0-or-later
"""What a style is, and what it makes of parameters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..frame import Frame
from ..parameters import HouseParameters
from ..volume import Lumber, Volume

#: A volume with the lumber that was chosen for it.
Sized = tuple[Volume, Lumber]
#: Frames what belongs to no volume alone (valleys, posts where ridges meet), in the house's own
#: coordinates, after all volumes.
Extra = Callable[[Frame, Sequence[Sized]], None]


@dataclass(frozen=True)
class Ranges:
    """What parameters are drawn from: (least, most) in m and degrees, or the choices there are.

    A choice that stands twice is drawn twice as often.
    """

    footprint_x: tuple[float, float]
    footprint_y: tuple[float, float]
    stories: tuple[int, ...]
    pitch: tuple[float, float]
    overhang: tuple[float, float] = (0.3, 0.55)
    wings: tuple[int, ...] = (0,)
    wing_length: tuple[float, float] = (0.0, 0.0)
    openings: tuple[float, float] = (0.5, 1.0)
    spacing: tuple[float, ...] = (0.406, 0.406, 0.406, 0.610)


@dataclass(frozen=True)
class Design:
    """A house before its lumber is chosen.

    ``volumes`` stand in the house by their own ``turn`` and ``offset``; ``roof_type`` is the word
    of the task format (``gable``, ``hip``, ...); ``words`` are sentences of the description that
    only this style knows; ``told`` are volumes for the description alone, of a house that extras
    frame.
    """

    volumes: tuple[Volume, ...]
    roof_type: str
    words: tuple[str, ...] = ()
    extras: tuple[Extra, ...] = ()
    told: tuple[Volume, ...] = ()


@dataclass(frozen=True)
class Style:
    """One style of house.

    ``design`` raises :class:`..parameters.ParameterError` where the style can't be built with the
    parameters; those that no house can be built with were refused before. ``stories`` lists the
    numbers of storeys that it may have, ``wings`` the numbers of wings.
    """

    name: str
    ranges: Ranges
    design: Callable[[HouseParameters], Design]
    stories: tuple[int, ...] = (1, 2, 3)
    wings: tuple[int, ...] = (0,)
