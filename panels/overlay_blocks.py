# SPDX-License-Identifier: GPL-3.0-or-later
"""Blocks in the 3D view: their stress as a heat map, deformed or not, and the placement path.

Draw handlers only: the scene stays as it is. What is drawn is worked out when something changed and
kept by :mod:`.overlay_shown` for the redraws after.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from ..addon import review
from ..addon.block_surface import fitting_scale
from ..addon.colouring import Legend
from ..addon.pictures.drawing import Words
from ..addon.placing import Rect, projected
from ..addon.preferences import Look, look
from ..addon.scene.members import unit_scale
from ..addon.session import blind, block_choices, blocks_now, lesson_scene, stress
from ..addon.session.block_choices import PlumblineStress
from ..addon.session.blocks_now import BlocksNow
from ..addon.session.stress import Stress
from ..addon.stress_scale import Span, fitting_span, legend_of, legend_of_hanging
from ..checks.voxel.cells import block_name, to_blender
from ..checks.voxel.stress.score import told
from . import block_batches, overlay_batches, overlay_legend
from .overlay_label import TEXT_SIZE, Board, draw_label, draw_words
from .overlay_shown import VEIL, keep
from .overlay_space import free_rect, ground_of, last_operator, taken

_handles: list[Any] = []


def attach() -> None:
    """Hang it into every 3D view."""
    if not _handles:
        add = bpy.types.SpaceView3D.draw_handler_add
        _handles.append(add(draw_solids, (), "WINDOW", "POST_VIEW"))
        _handles.append(add(draw_writing, (), "WINDOW", "POST_PIXEL"))


def detach() -> None:
    """Take it out again."""
    while _handles:
        bpy.types.SpaceView3D.draw_handler_remove(_handles.pop(), "WINDOW")


def attached() -> int:
    """Number of draw handlers in place."""
    return len(_handles)


@dataclass(frozen=True)
class _Heat:
    """The stress as a view shows it: ``scale`` times deformed, coloured over ``span``."""

    found: Stress
    state: PlumblineStress
    look: Look
    scale: float
    span: Span | None
    unit: float
    stale: bool

    @property
    def key(self) -> tuple[Any, ...]:
        return (self.found.serial, self.scale, self.span, self.unit, self.look.palette)


def _heat(context: bpy.types.Context) -> _Heat | None:
    """What of the stress is to be drawn in a view, ``None`` for nothing."""
    scene, state = context.scene, block_choices.stress_of(context)
    found = stress.of(scene)
    if found is None or not state.show or not _wanted(context):
        return None
    scale, span = 0.0, None
    if found.field is not None:
        span = fitting_span(found.field)
        if not state.auto_range:
            span = Span(1e3 * state.low, 1e3 * max(state.high, state.low))
        if state.deform:
            fitting = fitting_scale(found.structure, found.field.moved)
            scale = fitting if state.auto_scale else state.scale
    elif not len(found.hanging):
        return None
    return _Heat(found, state, look(context), scale, span, unit_scale(scene), stress.stale(scene))


def _wanted(context: bpy.types.Context) -> bool:
    return bool(context.space_data.overlay.show_overlays) and not blind.hidden(context)


def _path(context: bpy.types.Context) -> BlocksNow | None:
    """The blocks whose path is to be drawn in a view, ``None`` for none."""
    if not block_choices.blocks_of(context).path or not context.space_data.overlay.show_overlays:
        return None
    now = blocks_now.of(context.scene)
    return now if now is not None and now.structure.ordered else None


def draw_solids() -> None:
    """Draw the heat map and the path; Blender calls this at every redraw of a view."""
    context = bpy.context
    size = (context.region.width, context.region.height)
    width = context.preferences.system.ui_scale
    heat = _heat(context)
    if heat is not None:
        batches = keep(("stress", *heat.key), lambda: _solids(heat))
        if heat.scale:
            square = keep("square", overlay_batches.unit_square)
            overlay_batches.draw_veil(square, ground_of(context), VEIL)
            overlay_batches.forget_depth()
        block_batches.draw_solids(batches, size, width)
    now = _path(context)
    if now is not None:
        first = now.standing(blocks_now.shown(context.scene))
        unit = unit_scale(context.scene)
        key = ("block path", now.serial, first, unit, look(context).palette)
        batches = keep(key, lambda: block_batches.of_path(now.path, first, unit))
        block_batches.draw_path(batches, size, width)


def _solids(heat: _Heat) -> block_batches.SolidBatches:
    found = heat.found
    if found.field is None:
        return block_batches.of_hanging(
            found.structure, found.hanging, heat.look.palette.fault, heat.unit
        )
    return block_batches.of_stress(found.structure, found.field, heat.span, heat.scale, heat.unit)


def draw_writing() -> None:
    """Draw legends, the worst block's label and the ends of the path."""
    context = bpy.context
    heat, now = _heat(context), _path(context)
    if heat is None and now is None:
        return
    free = free_rect(context)
    size = TEXT_SIZE * context.preferences.system.ui_scale
    board = Board(context, free, keep("square", overlay_batches.unit_square), size)
    legends = []
    if heat is not None:
        legends.append(keep(("stress legend", *heat.key), lambda: _legend(heat)))
    if now is not None:
        legends.append(keep(("path legend", now.serial), lambda: block_batches.path_legend(now)))
    covered = taken(context, free) + _draw_legends(board, legends)
    if now is not None:
        first = now.standing(blocks_now.shown(context.scene))
        unit = unit_scale(context.scene)
        draw_words(board, _ends(now, first), unit, look(context).palette, covered)
    if heat is not None and heat.state.label and not _has_caption(context):
        _draw_worst(board, heat, covered)


def _has_caption(context: bpy.types.Context) -> bool:
    """Whether a lesson writes large across the view, with the figure of the worst block."""
    captioned = context.window_manager.plumbline_learn.caption
    return bool(captioned and context.scene.get(lesson_scene.LESSON_KEY) is not None)


def _legend(heat: _Heat) -> Legend:
    found = heat.found
    if found.field is None or heat.span is None:
        return legend_of_hanging(len(found.hanging), len(found.structure), heat.look.palette)
    return legend_of(found.field, heat.span, heat.scale)


def _draw_legends(board: Board, legends: list[Legend]) -> list[Rect]:
    """One above the other in the lower right; what they cover."""
    covered: list[Rect] = []
    low = board.free.low
    hud = last_operator(board.context)
    for legend in legends:
        wide, _ = overlay_legend.extent(legend, board.size)
        left = max(board.free.right - wide, board.free.left)
        if hud is not None and left < hud.right:
            low = max(low, hud.high + 0.6 * board.size)
        here = Rect(left, low, board.free.right, board.free.high)
        place = overlay_legend.draw(
            Board(board.context, here, board.square, board.size), legend, low
        )
        if place is not None:
            covered.append(place)
            low = place.high + 0.6 * board.size
    return covered


def _ends(now: BlocksNow, first: int) -> list[Words]:
    """The numbers of the first and the last block that are shown beside them."""
    points = now.path.points[:first]
    if not len(points):
        return []
    words = [Words("1", tuple(points[0].tolist()))]
    if len(points) > 1:
        words.append(Words(f"{len(points):,}", tuple(points[-1].tolist())))
    return words


def _draw_worst(board: Board, heat: _Heat, covered: list[Rect]) -> None:
    """What the worst block has, or that parts hang, beside that block."""
    found = heat.found
    words, at = _worst(heat)
    if at is None or _told_already(board.context, words[0]):
        return
    region, view = board.context.region, board.context.region_data
    place = (at / heat.unit).reshape(1, 3)
    x, y = projected(place, view.perspective_matrix, region.width, region.height)[0].tolist()
    if not (0 <= x <= region.width and 0 <= y <= region.height):  # also where it is behind the eye
        return
    if heat.stale:
        words.append("before your edits")
    tone = "fault" if found.field is None or found.result.status == "failed" else "plain"
    stripe = heat.look.palette.tone(tone)
    draw_label(board, words, (x, y), [(x, y)], covered, np.zeros((0, 2)), stripe)


def _told_already(context: bpy.types.Context, name: str) -> bool:
    """Whether the chosen finding is of that block, and has its label there."""
    chosen = review.of(context.scene)
    finding = chosen.chosen if chosen is not None else None
    shown = context.window_manager.plumbline.show_highlight and look(context).label
    return bool(shown and finding is not None and finding.subject == name)


def _worst(heat: _Heat) -> tuple[list[str], Any]:
    """Words and the place, m, of the worst block; no place where there is none."""
    found = heat.found
    if found.field is None:
        row = int(found.hanging[0])
        cell = found.structure.positions[row]
        more = f" and {len(found.hanging) - 1} more" if len(found.hanging) > 1 else ""
        return [f"{block_name(cell)}{more}", "hangs on nothing: no stress"], to_blender(cell)[0]
    greatest = found.result.figures.get("greatest")
    if greatest is None:
        return [], None
    row = int(found.field.von_mises.argmax())
    cell = found.structure.positions[row]
    words = [block_name(cell), told(greatest)]
    reference = found.result.figures.get("reference")
    if reference is not None:
        words.append(f"reference {told(reference)}")
    if found.field.artefact[row]:
        words.append("means nothing here: one block thick")
    moved = heat.scale * found.field.corners[row].mean(axis=0)
    return words, to_blender(cell + moved)[0]
