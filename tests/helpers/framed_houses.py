# SPDX-License-Identifier: GPL-3.0-or-later
"""Houses round structures of any kind, for tests of what is made of a house."""

from __future__ import annotations

from plumbline.checks.timber.structure import TimberStructure
from plumbline.tasks.houses.house import House
from plumbline.tasks.houses.parameters import HouseParameters
from timber_samples import gable_house


def framed(structure: TimberStructure, title: str = "A house") -> House:
    """A house of these members; its parameters are nominal and say only what it is judged with."""
    parameters = HouseParameters("Farmhouse", 7, 8.0, 7.2, 1, 26.6, 0.4)
    return House(parameters, structure, title, "Framed for a test.", {})


def gable(members: int = 160, stories: int | None = None) -> House:
    """The gable house of :func:`timber_samples.gable_house`."""
    return framed(gable_house(members, stories), "Gable house")
