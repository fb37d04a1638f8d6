# SPDX-License-Identifier: GPL-3.0-or-later
"""What a timber task sets: loads, species, spacing, required parts. Plain values, SI units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

PSF = 47.88025898  # Pa in one pound-force a square foot (NIST SP 811, appendix B.8)
PSI = 6894.757293  # Pa in one pound-force a square inch (NIST SP 811, appendix B.8)
INCH = 0.0254  # m, exact

CATEGORIES: tuple[str, ...] = ("foundation", "floor", "walls", "roof")


class BriefError(ValueError):
    """A brief with an unknown field or an impossible value; the message names the field."""


@dataclass(frozen=True)
class TimberBrief:
    """Values that a task sets; the defaults are those of the specification.

    ``species``/``grade``: keys of the design value table (:mod:`.lumber`).
    Loads in Pa: floor live 40 psf, floor dead 10 psf, roof live 20 psf, roof dead 10 psf,
    ``ground_snow`` 0 (none). ``ceiling_on_rafters`` tightens rafters from L/180 to L/240.
    ``spacing`` in m is the on-centre spacing that the task asks for (``None``: 610 mm at most).
    ``required_categories`` is what ``completeness`` asks for. ``ground`` is the height of the
    ground, m. ``required`` and ``optional`` name checks whose default the task overrides;
    ``not_applicable`` maps check ids to the reason why the task excludes them.
    """

    species: str = "spruce-pine-fir"
    grade: str = "2"
    floor_live: float = 40 * PSF
    floor_dead: float = 10 * PSF
    roof_live: float = 20 * PSF
    roof_dead: float = 10 * PSF
    ground_snow: float = 0.0
    ceiling_on_rafters: bool = False
    spacing: float | None = None
    required_categories: tuple[str, ...] = CATEGORIES
    ground: float = 0.0
    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    not_applicable: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def from_mapping(cls, data: Mapping[str, Any]) -> TimberBrief:
        """A brief from task JSON. Raises :class:`BriefError` naming the first bad field."""
        known = {f.name for f in fields(cls)}
        values: dict[str, Any] = {}
        for key, value in data.items():
            if key not in known:
                raise BriefError(f"brief: unknown field {key!r}; known: {', '.join(sorted(known))}")
            if key in ("required_categories", "required", "optional"):
                if not isinstance(value, (list, tuple)) or not all(
                    isinstance(v, str) for v in value
                ):
                    raise BriefError(f"brief: {key} must be a list of names")
                value = tuple(value)
            elif key in ("species", "grade"):
                if not isinstance(value, str):
                    raise BriefError(f"brief: {key} must be a text")
            elif key == "ceiling_on_rafters":
                if not isinstance(value, bool):
                    raise BriefError(f"brief: {key} must be true or false")
            elif key == "not_applicable":
                if not isinstance(value, Mapping):
                    raise BriefError(f"brief: {key} must map check ids to reasons")
                value = dict(value)
            elif not (key == "spacing" and value is None):
                number = isinstance(value, (int, float)) and not isinstance(value, bool)
                if not number or not abs(value) < 1e9 or (key != "ground" and value < 0):
                    raise BriefError(f"brief: {key} must be a number that is not negative")
                value = float(value)
            values[key] = value
        unknown = set(values.get("required_categories", ())) - set(CATEGORIES)
        if unknown:
            raise BriefError(
                f"brief: unknown category {sorted(unknown)[0]!r}; known: {', '.join(CATEGORIES)}"
            )
        return cls(**values)
