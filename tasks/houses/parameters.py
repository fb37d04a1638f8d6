# SPDX-License-Identifier: GPL-3.0-or-later
"""What a house is made from: a style, sizes, loads and a seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from ...checks.timber.brief import PSF, TimberBrief

#: Style -> prefix of task ids (specification, section 3).
STYLES: dict[str, str] = {
    "A-Frame": "AF",
    "Barn": "BN",
    "Carriage": "CH",
    "Colonial": "COL",
    "Courtyard": "CY",
    "Cruciform": "CR",
    "Farmhouse": "FH",
    "Ranch": "RN",
    "Saltbox": "SB",
    "Shotgun": "SH",
    "Split-Level": "SL",
    "Townhouse": "TH",
    "Z-Plan": "ZP",
}

#: Values that are written in messages are cut after so many characters.
_LONGEST = 60


class ParameterError(ValueError):
    """Parameters that no house can be made from; the message names the constraint."""


def shown(value: Any) -> str:
    """A value as messages show it: as Python writes it, cut where it would fill the screen."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a whole number of more than 4,300 digits, say
        text = "a value that is too long to write"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


@dataclass(frozen=True)
class HouseParameters:
    """Parameters of one house; lengths in m, the pitch in degrees, loads in Pa.

    ``footprint_x`` runs along the main ridge, ``footprint_y`` across it; both are those of the main
    volume over the outer faces of its framing and are rounded to the stud grid. ``wing_length`` is
    how far each wing stands out. ``openings`` is the share of the possible openings that is there,
    0 to 1. ``spacing`` on centre, 0.406 or 0.610.
    """

    style: str
    seed: int
    footprint_x: float
    footprint_y: float
    stories: int
    pitch: float
    overhang: float
    wings: int = 0
    wing_length: float = 0.0
    openings: float = 0.7
    spacing: float = 0.406
    species: str = "spruce-pine-fir"
    grade: str = "2"
    floor_live: float = 40 * PSF
    roof_live: float = 20 * PSF
    ground_snow: float = 0.0

    @classmethod
    def from_mapping(cls, data: Mapping[str, Any]) -> HouseParameters:
        """From JSON. Raises :class:`ParameterError` for unknown or missing fields."""
        known = {f.name for f in fields(cls)}
        if not isinstance(data, Mapping):
            raise ParameterError(f"parameters are {shown(data)}, which is no object")
        for name in data:
            if name not in known:
                raise ParameterError(
                    f"unknown parameter {shown(name)}; known: {', '.join(sorted(known))}"
                )
        try:
            return cls(**data)
        except TypeError as error:
            raise ParameterError(str(error).partition(") ")[2] or str(error)) from None

    def to_mapping(self) -> dict[str, Any]:
        """Plain values, as :meth:`from_mapping` takes them."""
        return asdict(self)

    def brief(self) -> TimberBrief:
        """What a structure with these parameters is judged with."""
        return TimberBrief(
            species=self.species,
            grade=self.grade,
            floor_live=self.floor_live,
            roof_live=self.roof_live,
            ground_snow=self.ground_snow,
            spacing=self.spacing,
        )
