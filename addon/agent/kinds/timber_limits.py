# SPDX-License-Identifier: GPL-3.0-or-later
"""The checks of each timber profile in a line each, with the figures of its own table."""

from __future__ import annotations

from ....checks.timber.brief import TimberBrief
from ....checks.timber.engineering import table as own
from ....checks.timber.published.table import PAPER, RELEASE, Constants


def limits(profile: str, brief: TimberBrief) -> str:
    """What the checks of a profile ask for, for the model. Raises ``KeyError`` if unknown."""
    lines = {"engineering": _engineering, "paper": _paper, "release": _release}[profile](brief)
    return "\n".join(f"- {line}" for line in lines if not _excluded(line, brief))


def _excluded(line: str, brief: TimberBrief) -> bool:
    return line.split(":")[0] in brief.not_applicable


def _mm(length: float) -> str:
    return f"{1000 * length:.0f} mm"


def _engineering(brief: TimberBrief) -> list[str]:
    bay = (brief.spacing or own.SPACING) + own.SPACING_TOLERANCE
    return [
        "completeness: there are "
        + ", ".join(brief.required_categories)
        + " members, and every member is named by a known role",
        "load_path: every member is held from below, member by member, down to foundation members "
        f"whose lowest face is on the ground (z within {_mm(own.GROUND)} of {brief.ground:g}). "
        "What touches only sideways holds nothing up. Plates, rims and sills need support every "
        f"{_mm(own.PASS_ALONG)}. A ridge is held by posts, or by opposing rafters that meet it "
        f"within {_mm(own.COUPLE_OFFSET)} of each other, at a pitch of 3 in 12 or steeper, with "
        "ceiling joists or rafter ties at their feet",
        f"bearing: joists, headers, beams and rafter seats rest on {_mm(own.BEARING)} or more",
        "clear_span: joists, rafters, beams and headers keep within the span tables",
        f"spacing: no bay of joists, rafters or studs is wider than {_mm(bay)} on centre",
        "section: both cross dimensions are those of a lumber size within "
        f"{_mm(own.SECTION_TOLERANCE)}; plies are whole members side by side",
        "orientation: joists, rafters, headers and beams stand on edge",
        f"clash: members touch (within {_mm(own.CONTACT)}) but do not overlap by more than "
        f"{_mm(own.CLASH_DEPTH)}. Sloped members may be drawn through what they are cut against, "
        "no further than their own end cut",
        "notching: a rafter sinks into the plate at its seat by at most a quarter of its depth",
        "dual_end_connection: both ends of each stud and rafter meet something "
        f"(within {_mm(own.FASTENED)})",
        f"roof_coverage: rafters at most {_mm(own.COVER_SPACING)} apart cover "
        f"{100 * own.COVER_SHARE:.0f} % of each roof plane",
        f"opening_header: a stud bay of more than {_mm(own.OPENING)} clear has a header on edge "
        f"that bears {_mm(own.BEARING)} on a trimmer at each end, with a king stud beside it",
        f"point_load: posts stand over posts, within {_mm(own.POINT_LOAD_OFFSET)}, down to the "
        "foundation",
        f"cantilever: nothing sticks out more than {_mm(own.OVERHANG)} beyond its last support, "
        f"joists no more than 1/{own.BACKSPAN:g} of the span behind it",
    ]


def _shared(table: Constants) -> dict[str, str]:
    """Lines that both published profiles have, by check."""
    ends = f"touches another in its lowest and in its highest {100 * table.end_zone:.0f} %"
    return {
        "load_path": f"every member is joined (boxes within {_mm(table.reach)}), member by member, "
        f"to one whose lowest point is below {table.ground:g} m",
        "span_limits": "joists and rafters keep within the span tables "
        f"(+{100 * table.span_tolerance:.0f} %)",
        "deflection": f"joists bend by at most their length / {table.deflection_ratio:g} under "
        f"{table.line_load:g} N/m",
        "roof_coverage": f"rafters meet {100 * table.coverage:.0f} % of the footprint's cells",
        "ends": f"every rafter and stud {ends} of its height",
    }


def _paper(_: TimberBrief) -> list[str]:
    both = _shared(PAPER)
    widths = ", ".join(f"{1000 * w:.0f}" for w in PAPER.widths)
    depths = ", ".join(f"{1000 * d:.0f}" for d in PAPER.depths)
    centres = " or ".join(_mm(s) for s in PAPER.spacings)
    return [
        f"load_path: {both['load_path']}",
        f"span_limits: {both['span_limits']}",
        f"oc_spacing: joists stand at {centres} on centre (within {_mm(PAPER.spacing_tolerance)})",
        f"lumber_dimensions: members are {widths} mm wide and {depths} mm deep",
        f"deflection: {both['deflection']}",
        f"roof_coverage: {both['roof_coverage']}",
        f"gap_detection: at most {100 * PAPER.gap:.0f} % of those cells are met by no rafter",
        f"cantilever: a sill above {PAPER.elevated:g} m has {PAPER.supports} supports and no gap "
        f"between them beyond {PAPER.support_gap:g} m",
        "stability_index: every member is joined to the ground",
        f"dual_end: {both['ends']}",
    ]


def _release(brief: TimberBrief) -> list[str]:
    both = _shared(RELEASE)
    return [
        f"completeness: there are {', '.join(brief.required_categories)} members",
        f"load_path: {both['load_path']}; walls and roof among them",
        f"span_limits: {both['span_limits']}",
        f"deflection: {both['deflection']}",
        f"roof_coverage: {both['roof_coverage']}",
        f"gap_detection: studs, joists and rafters stand at most {_mm(RELEASE.bay)} apart",
        f"point_load: posts and beams line up within {_mm(RELEASE.in_line)} with what is below",
        "cantilever: overhangs are at most a quarter of the span behind and "
        f"{_mm(RELEASE.overhang)}",
        f"stability_score: {100 * RELEASE.stability:.0f} % of the members are joined to the ground",
        f"dual_end_connection: {both['ends']}",
    ]
