# SPDX-License-Identifier: GPL-3.0-or-later
"""Every constant of the ``paper`` and ``release`` profiles, with unit and source.

Sources: "T1" to "T10" are the tests of the paper's project page (section 1.2 of the timber
specification); "shared" is section 1.1; "release" section 1.3, from the released harness; "ours"
marks a choice that none of them makes, with the reason.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Any


def constant(value: Any, unit: str, source: str) -> Any:
    """A field of :class:`Constants` with its unit and source."""
    return field(default=value, metadata={"unit": unit, "source": source})


@dataclass(frozen=True)
class Constants:
    """The numbers of one published profile; the defaults are those of the paper."""

    # Shared notions
    reach: float = constant(0.05, "m", "shared: AABBs adjacent within eps on all three axes")
    ground: float = constant(0.1, "m", "shared, T1: grounded if the lowest point is lower")
    cell: float = constant(1.0, "m", "shared: cells of the footprint")

    # Rows of parallel members (T2, T3, release gap_detection)
    parallel: float = constant(0.03, "rad", "ours: angle between members of one row; 1.7 degrees")
    level: float = constant(0.1, "m", "ours: joists of different depth are flush at one face")
    ply: float = constant(0.06, "m", "ours: nearer members are plies, not neighbours")
    overlap: float = constant(0.5, "", "ours: neighbours run beside each other for half a length")
    row: int = constant(3, "members", "T3: smallest group of joists")

    # T2, T5
    span_tolerance: float = constant(0.03, "", "T2: tau")
    lone_spacing: float = constant(0.406, "m", "T2: spacing of a joist or rafter that is alone")
    crossing: float = constant(0.5, "", "ours: a purlin crosses at more than 30 degrees (sine)")
    deflection_ratio: float = constant(360.0, "", "T5: L/360")
    deflection_tolerance: float = constant(0.08, "", "T5: 1.08 L/360")
    line_load: float = constant(1900.0, "N/m", "T5: w")
    modulus: float = constant(12e9, "Pa", "T5: E")
    deflect_rafters: bool = constant(False, "", "T5: the page doesn't name the roles; switch")

    # T3
    spacings: tuple[float, ...] = constant((0.406, 0.610), "m", "T3: 16 and 24 in")
    spacing_tolerance: float = constant(0.05, "m", "T3")

    # T4
    widths: tuple[float, ...] = constant((0.038, 0.089, 0.140), "m", "T4: 2x, 4x, 6x")
    width_tolerance: float = constant(0.010, "m", "T4")
    depths: tuple[float, ...] = constant((0.089, 0.140, 0.184, 0.235, 0.286), "m", "T4: 4 to 12 in")
    depth_tolerance: float = constant(0.020, "m", "T4")

    # T6, T7
    rafter_reach: float = constant(0.3, "m", "T6: widening of a rafter's plan projection")
    coverage: float = constant(0.70, "", "T6: least share of cells met by a rafter")
    gap: float = constant(0.20, "", "T7: largest share of cells that none meets")
    most_cells: int = constant(1_000_000, "cells", "ours: one square kilometre, beyond is a slip")

    # T8
    elevated: float = constant(1.0, "m", "T8: sills higher than this are judged")
    support_reach: float = constant(1.5, "m", "T8: lateral reach of a support")
    support_gap: float = constant(3.0, "m", "T8: largest gap between neighbouring supports")
    supports: int = constant(2, "supports", "T8")

    # T9, T10
    stability: float = constant(1.0, "", "T9: least share of grounded members")
    end_zone: float = constant(0.2, "", "T10: lowest and highest 20 % of the AABB")

    # Release only
    bay: float = constant(0.615, "m", "release: largest spacing of studs, joists, rafters")
    in_line: float = constant(0.15, "m", "release point_load: lateral offset; ours")
    overhang: float = constant(0.6096, "m", "release cantilever: 24 in")
    backspan_share: float = constant(0.25, "", "release cantilever: backspan / 4")

    # Slack of float32 input, added to limits on geometry
    slack: float = constant(1e-5, "m", "ours: corners come in float32, 8 um at 100 m")

    def rows(self) -> list[tuple[str, Any, str, str]]:
        """(name, value, unit, source) of every constant, for the documentation."""
        return [
            (f.name, getattr(self, f.name), f.metadata["unit"], f.metadata["source"])
            for f in fields(self)
        ]


PAPER = Constants()
RELEASE = replace(PAPER, stability=0.80)

#: Roles that the paper calls joists.
JOISTS = ("Joist",)
#: Roles that the paper calls rafters; hips and valleys cover and connect as rafters do, but no
#: span table knows them.
RAFTERS = ("Rafter", "JackRafter")
ROOF_LINES = (*RAFTERS, "HipRafter", "ValleyRafter")
#: Roles that the paper calls studs.
STUDS = ("Stud", "KingStud", "TrimmerStud", "Cripple")
#: Foundation roles that are concrete or masonry, so no lumber.
NOT_LUMBER = ("Foundation", "Footing", "Pier")
