# SPDX-License-Identifier: GPL-3.0-or-later
"""What moves a body, written at it, with the way that it is made to go."""

from __future__ import annotations

from ..drawing import Picture, Shown
from ..marks import place
from .parts import (
    about,
    anchor,
    company,
    own_row,
    row_of,
    told,
    track,
    trajectory_of,
    words,
)
from .places import corners_of

#: What moves a body, as it is written in the view.
DRIVER_WORDS = {
    "solver": "solver",
    "keyframes": "keyframes",
    "nla": "NLA strips",
    "driver": "drivers",
    "shape_keys": "shape keys",
    "parent": "its parent",
    "constraint": "a constraint",
    "handler": "a frame handler",
    "force_field": "an unseen force field",
    "geometry_nodes": "geometry nodes",
    "script": "a script",
}


def prescribed_motion(shown: Shown) -> Picture | None:
    """The body, its way with a tick at every frame, and the name of what moves it above it."""
    run = trajectory_of(shown)
    if run is None:
        return None
    fault, _ = about(shown, run)
    kinds = told(shown, "drivers")
    if not fault or not isinstance(kinds, (list, tuple)):
        return None
    row = row_of(shown, run)
    names = [DRIVER_WORDS[k] for k in dict.fromkeys(map(str, kinds)) if k in DRIVER_WORDS]
    said = f"moved by {' and '.join(names)}" if names else "nothing is found that moves it"
    box = corners_of(run, row)[fault[0]]
    top = place([*box[:, :2].mean(0), box[:, 2].max()])
    lines = track(run, fault[0], max(row, own_row(shown, run)), "fault")
    return Picture(
        company(shown, run), lines, words=words(said, top, "fault"), anchor=anchor(shown, run)
    )
