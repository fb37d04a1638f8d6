# SPDX-License-Identifier: GPL-3.0-or-later
"""The picture of a finding of which no more is known: who, with whom, where, and how it went on."""

from __future__ import annotations

from ..drawing import Picture, Shown
from ..timber.parts import anchor as box_anchor
from ..timber.parts import company as box_company
from ..timber.parts import mark as plain_mark
from .parts import about, anchor, at_hand, away, company, mark, own_row, track, trajectory_of


def plain(shown: Shown) -> Picture:
    """Bodies in the frame shown, a cross at the place, the way of the body at fault."""
    run = trajectory_of(shown)
    if run is None:
        return Picture(box_company(shown), plain_mark(shown), anchor=box_anchor(shown))
    fault, _ = about(shown, run)
    lines = list(mark(shown, run)) if at_hand(shown, run) or not fault else []
    for body in fault:
        lines += track(run, body, own_row(shown, run))
    return Picture(
        company(shown, run), tuple(lines), words=away(shown, run), anchor=anchor(shown, run)
    )
