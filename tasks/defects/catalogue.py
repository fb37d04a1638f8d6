# SPDX-License-Identifier: GPL-3.0-or-later
"""All kinds of defects, by id."""

from __future__ import annotations

from . import cuts, gaps, placement, sizes, supports
from .defect import Defect

#: In the order of the families: what is missing, what is out of place, wrong sizes, wrong cuts.
DEFECTS: dict[str, Defect] = {
    defect.id: defect
    for family in (supports, gaps, placement, sizes, cuts)
    for defect in family.DEFECTS
}
