# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights of a part of a house: where sills, floors and plates lie above the ground."""

from __future__ import annotations

from dataclasses import dataclass

#: Thickness of one 2x, m (PS 20, 1 1/2 in).
T = 0.038
#: Height of a strip footing, m (IRC R403.1.1: at least 6 in).
FOOTING = 0.150
#: Length of studs, m (precut studs of 92 5/8 in for rooms of 8 ft).
STUD_LENGTH = 2.350


@dataclass(frozen=True)
class Levels:
    """Heights of one volume, m above the ground.

    ``sill_top`` is the top of the sills, ``joists`` the depth of each floor's joists, lowest floor
    first; ``studs`` is the length of the studs of each storey.
    """

    sill_top: float
    joists: tuple[float, ...]
    studs: tuple[float, ...]

    @property
    def storeys(self) -> int:
        return len(self.studs)

    def floor_bottom(self, storey: int) -> float:
        """Underside of the joists of a storey (1 is the lowest): sills or plates lie there."""
        return self.sill_top if storey == 1 else self.plate_top(storey - 1)

    def floor_top(self, storey: int) -> float:
        """Top of the joists of a storey; its bottom plates lie on it."""
        return self.floor_bottom(storey) + self.joists[storey - 1]

    def stud_bottom(self, storey: int) -> float:
        """Lower end of the studs of a storey."""
        return self.floor_top(storey) + T

    def stud_top(self, storey: int) -> float:
        """Upper end of the studs of a storey; the lower top plate lies on it."""
        return self.stud_bottom(storey) + self.studs[storey - 1]

    def plate_top(self, storey: int) -> float:
        """Top of the double top plate of a storey."""
        return self.stud_top(storey) + 2 * T

    @property
    def eaves(self) -> float:
        """Top of the uppermost plates: the rafters sit there."""
        return self.plate_top(self.storeys)
