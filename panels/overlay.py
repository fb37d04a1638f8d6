# SPDX-License-Identifier: GPL-3.0-or-later
"""The checked structure in the 3D view: members in colours, the chosen finding's picture, words.

Draw handlers only: materials, meshes and selection stay as they are. What is drawn is worked out in
:mod:`.overlay_shown`, which keeps it; a redraw sends to the graphics card only what changed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import bpy

from ..addon.palette import RGB
from ..addon.pictures.drawing import Picture, Place
from ..addon.placing import Rect, projected
from ..addon.session import standing
from ..addon.words import check_title, comparison, subject
from . import overlay_batches, overlay_energy, overlay_flow, overlay_legend, overlay_shown
from .overlay_label import LABEL_SIZE, TEXT_SIZE, Board, draw_words
from .overlay_label import draw_label as draw_plate
from .overlay_shown import VEIL, Here, batches_of, here, picture_of
from .overlay_space import free_rect, ground_of, last_operator, taken

_handles: list[Any] = []


def attach() -> None:
    """Hang the overlay into every 3D view."""
    if not _handles:
        standing.attach()
        bpy.app.handlers.load_pre.append(overlay_shown.forget)
        add = bpy.types.SpaceView3D.draw_handler_add
        _handles.append(add(draw_solids, (), "WINDOW", "POST_VIEW"))
        _handles.append(add(draw_label, (), "WINDOW", "POST_PIXEL"))


def detach() -> None:
    """Take it out again, and let go of the timer and of what is on the graphics card."""
    while _handles:
        bpy.types.SpaceView3D.draw_handler_remove(_handles.pop(), "WINDOW")
    if overlay_shown.forget in bpy.app.handlers.load_pre:
        bpy.app.handlers.load_pre.remove(overlay_shown.forget)
    overlay_flow.stop()
    overlay_shown.forget()
    standing.detach()


def attached() -> int:
    """Number of draw handlers in place."""
    return len(_handles)


def draw_solids() -> None:
    """Draw colours and solids; Blender calls this at every redraw of a view."""
    context = bpy.context
    now = here(context)
    if now is None:
        return
    ground = ground_of(context)
    if now.veiled:
        overlay_batches.draw_veil(_square(), ground, VEIL)
    if now.colours is not None:
        pale, strong = overlay_shown.layers(now, ground)
        if now.veiled and now.state.xray:
            overlay_batches.forget_depth()
        overlay_batches.draw_boxes(pale)
        overlay_batches.draw_boxes(strong)
    size = (context.region.width, context.region.height)
    scale = context.preferences.system.ui_scale
    for made in _pictures(now, context):
        overlay_batches.draw_picture(
            batches_of(made, now.found.unit), now.look.palette, size, scale
        )


def _pictures(now: Here, context: bpy.types.Context) -> list[Picture]:
    """Ghosts of the target and the load path, if asked for, then the chosen finding's picture."""
    every = (
        overlay_shown.target(now, context),
        overlay_shown.path(now, context),
        overlay_shown.picture(now, context),
        overlay_shown.pointed(now, context),
    )
    return [made for made in every if made is not None]


def _places(now: Here) -> tuple[tuple[Place, RGB], ...]:
    """Where something is missing: everywhere, or only the chosen one."""
    if now.colours is not None:
        return now.colours.missing
    finding = now.found.chosen
    if finding is None or finding.subject_kind != "place" or finding.location is None:
        return ()
    return ((finding.location, now.look.palette.fault),)


def _square() -> Any:
    return overlay_shown.keep("square", overlay_batches.unit_square)


def draw_label() -> None:
    """Draw arrows and writing; Blender calls this at every redraw of a view."""
    context = bpy.context
    now = here(context)
    if now is None:
        return
    pictures = _pictures(now, context)
    for made in pictures:
        overlay_flow.draw(context, made.flows, now.look.palette, now.found.unit, now.look.animate)
    overlay_flow.draw_places(context, _places(now), now.found.unit)
    free = free_rect(context)
    size = TEXT_SIZE * context.preferences.system.ui_scale
    board = Board(context, free, _square(), size)
    covered = taken(context, free)
    legends = _draw_legends(board, now) if now.state.legend else []
    covered += legends
    covered += _draw_energy(board, now, legends)
    if now.look.label:
        for made in pictures:
            covered += draw_words(board, made.words, now.found.unit, now.look.palette, covered)
        chosen = overlay_shown.picture(now, context)
        if chosen is not None and chosen.anchor is not None:
            _draw_label(board, now, chosen, covered)


def _draw_legends(board: Board, now: Here) -> list[Rect]:
    """What the colours mean, and above it what the ghosts mean; returns what they cover."""
    hud = last_operator(board.context)
    gap = board.size * 0.6
    low = board.free.low if hud is None else max(board.free.low, hud.high + gap)
    covered: list[Rect] = []
    colours = now.colours.legend if now.colours is not None else None
    for legend in (colours, overlay_shown.target_legend(now, board.context)):
        place = overlay_legend.draw(board, legend, low) if legend is not None else None
        if place is not None:
            covered.append(place)
            low = place.high + gap
    return covered


def _draw_energy(board: Board, now: Here, legends: list[Rect]) -> list[Rect]:
    """The energy over all frames, above what the colours mean; returns what it covers."""
    strip = overlay_shown.strip_of(now)
    if strip is None or now.frame is None:
        return []
    hud = last_operator(board.context)
    below = [place.high for place in (*legends, *([hud] if hud is not None else []))]
    low = max([board.free.low, *(high + board.size * 0.6 for high in below)])
    place = overlay_energy.draw(board, strip, now.frame, low, now.look.palette)
    return [place] if place is not None else []


def _draw_label(board: Board, now: Here, chosen: Picture, covered: list[Rect]) -> None:
    region, view = board.context.region, board.context.region_data
    unit = now.found.unit

    def seen(points: Any) -> Any:
        return projected(points, view.perspective_matrix, region.width, region.height)

    x, y = seen([tuple(c / unit for c in chosen.anchor)])[0].tolist()
    if not (0 <= x <= region.width and 0 <= y <= region.height):  # also where it is behind the eye
        return
    finding = now.found.chosen
    words = [
        subject(finding),
        check_title(finding.check),
        comparison(finding, now.look.units),
        "before your edits" if now.found.stale else "",
    ]
    tone = "fault" if finding.is_root else "related"
    at_fault, beside = (
        seen(overlay_shown.outline_points(chosen, name) / unit) for name in ("fault", "related")
    )
    said = [word for word in words if word]
    large = replace(board, size=LABEL_SIZE * board.context.preferences.system.ui_scale)
    points = [*at_fault.tolist(), (x, y)]
    draw_plate(large, said, (x, y), points, covered, beside, now.look.palette.tone(tone))


__all__ = ["attach", "attached", "detach", "draw_label", "draw_solids", "picture_of"]
