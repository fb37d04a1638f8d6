# SPDX-License-Identifier: GPL-3.0-or-later
"""Houses from parameters and from seeds: :func:`sample`, :func:`build`, :func:`generate`."""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Any

from .foundation import foundation
from .frame import Frame
from .house import House
from .limits import check_parameters, check_seed
from .parameters import HouseParameters, ParameterError
from .platform import platform
from .roofs import ROOFS
from .sampling import draw, known_fields
from .sizing import choose
from .styles import Design, find_style
from .styles.style import Sized
from .text import constraints, describe, title
from .walls import walls

#: Draws until a house comes out that its wood can span; what is fixed may leave none.
ATTEMPTS = 40


def sample(style: str, seed: int, **fixed: Any) -> HouseParameters:
    """Parameters of a style: ``fixed`` ones as they are, the others chosen by the seed.

    Drawn again until they can be built. Raises :class:`ParameterError` if the style is unknown, if
    a name in ``fixed`` is no parameter, or if no draw goes with what is fixed.
    """
    ranges = find_style(style).ranges
    known_fields(fixed)
    check_seed(seed)
    random = Random(f"{style}/{seed}")
    for attempt in range(ATTEMPTS):
        parameters = draw(style, seed, ranges, random, fixed)
        try:
            plan(parameters)
        except ParameterError:
            if attempt == ATTEMPTS - 1:
                raise
            continue
        break
    return parameters


def build(parameters: HouseParameters) -> House:
    """The house of these parameters; the same ones give the same bytes.

    Raises :class:`ParameterError` with the constraint that they violate.
    """
    design, sized = plan(parameters)
    frame = Frame()
    for volume, lumber in sized:
        own = frame.placed(volume.prefix, volume.turn, volume.offset)
        foundation(own, volume, lumber)
        for storey in range(1, volume.storeys + 1):
            platform(own, volume, lumber, storey)
            walls(own, volume, lumber, storey)
        ROOFS[volume.roof](own, volume, lumber)
    for extra in design.extras:
        extra(frame, sized)
    structure = frame.structure()
    return House(
        parameters=parameters,
        structure=structure,
        title=title(parameters),
        description=describe(parameters, design, sized),
        constraints=constraints(parameters, design, structure),
    )


def generate(style: str, seed: int, **fixed: Any) -> House:
    """A house of a style by its seed: :func:`build` of what :func:`sample` chooses."""
    return build(sample(style, seed, **fixed))


def plan(parameters: HouseParameters) -> tuple[Design, tuple[Sized, ...]]:
    """The volumes of a house with their lumber, before anything is framed.

    Raises :class:`ParameterError` with the constraint that the parameters violate.
    """
    check_parameters(parameters, find_style(parameters.style))
    return _planned(parameters)


@lru_cache(maxsize=64)
def _planned(parameters: HouseParameters) -> tuple[Design, tuple[Sized, ...]]:
    """Kept, since a house is planned when it is sampled and again when it is built."""
    design = find_style(parameters.style).design(parameters)
    return design, tuple(choose(volume, parameters) for volume in design.volumes)
