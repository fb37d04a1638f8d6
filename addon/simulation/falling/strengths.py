# SPDX-License-Identifier: GPL-3.0-or-later
"""What joints hold, from one table: nails as the code asks for, and what blocks are made of.

Sources, by letter in the table:

* I: IBC 2018 table 2304.10.1 (as IRC table R602.3(1)), nails of each joint, 16d common.
* N: NDS 2018, 12.2.3 withdrawal ``1380 G^2.5 D`` lb/in, table 12N lateral, 12.5.2 end grain,
  12.5.4 toe-nails; table N3 for what breaks them (3.32 times the design value).
* W: Wood Handbook (FPL-GTR-282), chapter 8: nails in end grain hold about half.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....checks.timber.brief import TimberBrief
from ....checks.timber.lumber import DIMENSION_LUMBER
from .model import Contacts, Floats, Held

POUND = 4.4482216152605  # N in one pound-force (NIST SP 811, appendix B.8)

#: Specific gravity and lateral design value of one 16d common nail (0.162 x 3 1/2 in) through
#: 1 1/2 in, lb, by species (N: tables 12.3.3A and 12N).
NAIL: dict[str, tuple[float, float]] = {
    "douglas-fir-larch": (0.50, 141.0),
    "hem-fir": (0.43, 122.0),
    "southern-pine": (0.55, 154.0),
    "spruce-pine-fir": (0.42, 120.0),
}
#: Diameter and length in the second member of that nail, in.
DIAMETER, PENETRATION = 0.162, 2.0
#: What breaks a joint over its design value, and a bearing over its (N: table N3).
BREAKS, CRUSHES = 3.32, 1.67
#: Moisture of the wood, per cent: what is dry stays below 19 (ours; NDS Supplement 3.1.3 for how
#: density follows).
MOISTURE = 15.0


@dataclass(frozen=True, slots=True)
class Nailing:
    """Nails of one kind of joint, and what is left of lateral strength and withdrawal."""

    nails: int
    lateral: float
    withdrawal: float
    every: float | None = None
    source: str = ""


#: How members that meet are nailed.
NAILINGS: dict[str, Nailing] = {
    "upright": Nailing(2, 0.67, 0.5, None, "I 16-17: stud to plate, 2-16d end nailed; N, W"),
    "stacked": Nailing(3, 0.83, 0.67, None, "I 2, 26: joist to plate or sill, 3 toe-nails; N"),
    "seat": Nailing(3, 0.83, 0.67, None, "I 6: rafter to plate, 3 toe-nails; N"),
    "end": Nailing(3, 0.67, 0.5, None, "I 7: rafter to ridge, 3-16d end nailed; N, W"),
    "beside": Nailing(2, 1.0, 1.0, 0.610, "I 8: face nailed, 2-16d every 24 in; N"),
    "edge": Nailing(1, 0.83, 0.67, None, "ours: an edge that touches takes one toe-nail; N"),
    "none": Nailing(0, 0.0, 0.0, None, "the lower of two plates under one seat: nailed once"),
}


def density(species: str) -> float:
    """Of dry wood, kg/m3: ``62.4 G / (1 + 0.009 G m) (1 + m / 100)`` lb/ft3 (NDS Supplement)."""
    gravity = NAIL[species][0]
    pounds = 62.4 * gravity / (1 + 0.009 * gravity * MOISTURE) * (1 + MOISTURE / 100)
    return float(pounds * 16.01846337)


class Nailed:
    """Nails as the building code asks for, in the wood of the brief."""

    def __init__(self, brief: TimberBrief | None = None) -> None:
        brief = brief or TimberBrief()
        species = brief.species if brief.species in NAIL else "spruce-pine-fir"
        gravity, lateral = NAIL[species]
        #: Of one nail, N.
        self.lateral = BREAKS * lateral * POUND
        self.withdrawal = BREAKS * 1380.0 * gravity**2.5 * DIAMETER * PENETRATION * POUND
        grades = DIMENSION_LUMBER[species]
        #: Across the grain, Pa.
        self.bearing = CRUSHES * grades.get(brief.grade, grades["2"]).bearing

    def __call__(self, contacts: Contacts) -> Held:
        """See :class:`.model.Strengths`. The lever of a moment is half the patch (ours)."""
        rows = [NAILINGS[kind] for kind in contacts.kind]
        nails: Floats = np.array([row.nails for row in rows], float)
        every: Floats = np.array([row.every or np.inf for row in rows])
        nails = nails * (1.0 + np.floor(contacts.extent / every))
        shear = nails * np.array([row.lateral for row in rows]) * self.lateral
        pull = nails * np.array([row.withdrawal for row in rows]) * self.withdrawal
        # Nails alone carry what sits or hangs; what stands bears on what is cut or packed.
        stands = np.array([kind in ("upright", "stacked") for kind in contacts.kind], bool)
        push = np.where(stands, self.bearing * contacts.area, 0.0)
        return Held(pull, shear, push, pull * contacts.extent / 2.0)


#: What pulls blocks apart by what they are made of, Pa: mean tensile strength. The weaker counts.
TENSILE: dict[str, tuple[float, str]] = {
    "stone": (7.0e6, "granite, 7 MPa: Goodman 1989, table 3.2"),
    "sandstone": (1.2e6, "Goodman 1989, table 3.2"),
    "concrete": (2.9e6, "fctm of C30/37: EN 1992-1-1 table 3.1"),
    "masonry": (0.1e6, "fxk1: EN 1996-1-1, 3.6.4"),
    "hardwood": (0.6e6, "ft,90 of D30: EN 338"),
    "softwood": (0.4e6, "ft,90 of C24: EN 338"),
    "steel": (360e6, "S235: EN 1993-1-1 table 3.1"),
    "copper": (200e6, "soft: CRC Handbook of Chemistry and Physics"),
    "gold": (120e6, "CRC Handbook of Chemistry and Physics"),
    "glass": (45e6, "fg,k: EN 572-1"),
    "ice": (1.0e6, "Petrenko and Whitworth 1999"),
    "soil": (0.02e6, "ours: as good as none"),
}


class Blocks:
    """Faces of blocks that are one with each other, as strong as the weaker material."""

    def __init__(self, tensile: Floats) -> None:
        """``tensile`` (n,): of each block, Pa."""
        self.tensile = tensile

    def __call__(self, contacts: Contacts) -> Held:
        """See :class:`.model.Strengths`. The moment is that of a square section, ``f b h2 / 6``."""
        weaker = np.minimum(self.tensile[contacts.first], self.tensile[contacts.second])
        force = weaker * contacts.area
        return Held(force, force, force, force * contacts.extent / 6.0)
