# SPDX-License-Identifier: GPL-3.0-or-later
"""The chosen finding in the 3D view: red what is at fault, amber what takes part, and its figure.

Geometry goes to the graphics card once a finding is chosen (or one of its members moved) and is
kept; a redraw only sends it again. Hidden parts shine through weakly, so that a member inside a
wall is seen from any side.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import blf
import bpy
import gpu
import numpy as np
from bpy_extras.view3d_utils import location_3d_to_region_2d
from gpu_extras.batch import batch_for_shader

from ..addon import review as reviews
from ..addon.pictures.drawing import Picture, Shown, Tone
from ..addon.pictures.kind import pictures_of
from ..addon.preferences import Look, look
from ..addon.scene.members import object_of_member
from ..addon.words import check_title, comparison, subject

_LINE_WIDTH = 2.0  # pixels, before the interface scale
_TEXT_SIZE = 13.0  # points, before the interface scale
_LIFT = 3.0  # of the label above its place, in text sizes: it must not hide the fault
_PLATE = (0.08, 0.08, 0.09, 0.86)  # ground of the label, sRGB

_handles: list[Any] = []
_kept: dict[str, Any] = {}


@dataclass(frozen=True)
class _Batches:
    faces: list[tuple[Any, str, tuple[float, float]]]  # batch, tone, opacity behind, in front
    lines: list[tuple[Any, str]]  # batch, tone


def attach() -> None:
    """Hang the overlay into every 3D view."""
    if not _handles:
        add = bpy.types.SpaceView3D.draw_handler_add
        _handles.append(add(draw_solids, (), "WINDOW", "POST_VIEW"))
        _handles.append(add(draw_label, (), "WINDOW", "POST_PIXEL"))


def detach() -> None:
    """Take it out again and let go of what is on the graphics card."""
    while _handles:
        bpy.types.SpaceView3D.draw_handler_remove(_handles.pop(), "WINDOW")
    _kept.clear()


def attached() -> int:
    """Number of draw handlers in place."""
    return len(_handles)


def _shown(context: bpy.types.Context) -> reviews.Review | None:
    """The review whose chosen finding is to be drawn here, if any."""
    if not context.window_manager.plumbline.show_highlight:
        return None
    if not context.space_data.overlay.show_overlays:
        return None
    found = reviews.of(context.scene)
    return found if found is not None and found.chosen is not None else None


def _picture(found: reviews.Review, scene: bpy.types.Scene) -> Picture | None:
    """The picture of the chosen finding, rebuilt only when another is chosen or something moved."""
    key = (found.serial, found.active, found.moves)
    if _kept.get("key") != key:
        _kept.clear()
        _kept["picture"] = picture_of(found, moved_since(found, scene))
        _kept["key"] = key
    return _kept["picture"]


def picture_of(found: reviews.Review, moves: dict[str, np.ndarray]) -> Picture | None:
    """The picture of the chosen finding; ``None`` if none is chosen or its kind has no pictures."""
    pictures = pictures_of(found.kind)
    if found.chosen is None or pictures is None:
        return None
    return pictures.picture(
        Shown(
            found.structure,
            found.judgement,
            found.brief,
            found.explained,
            found.chosen,
            found.subjects,
            moves,
        )
    )


def moved_since(found: reviews.Review, scene: bpy.types.Scene) -> dict[str, np.ndarray]:
    """Motion, a 4 x 4 matrix in m, of each member of the chosen finding moved since the check."""
    moves = {}
    finding = found.chosen
    for name in (finding.subject, *finding.related):
        obj = object_of_member(name, found.structure, scene)
        pose = found.poses.get(obj.name) if obj is not None else None
        if pose is not None and obj.matrix_world != pose.matrix:
            motion = np.array(obj.matrix_world @ pose.matrix.inverted_safe())
            motion[:3, 3] *= found.unit
            moves[name] = motion
    return moves


def draw_solids() -> None:
    """Draw the members of the chosen finding; Blender calls this at every redraw of a view."""
    context = bpy.context
    found = _shown(context)
    picture = _picture(found, context.scene) if found else None
    if picture is None:
        return
    if "batches" not in _kept:
        _kept["batches"] = _make_batches(picture, found.unit)
    colours = look(context)
    scale = context.preferences.system.ui_scale
    gpu.state.blend_set("ALPHA")
    gpu.state.depth_mask_set(False)
    for layer, test in enumerate(("NONE", "LESS_EQUAL")):
        gpu.state.depth_test_set(test)
        _draw_faces(_kept["batches"], colours, layer)
    gpu.state.depth_test_set("NONE")
    _draw_lines(_kept["batches"], colours, context.region, _LINE_WIDTH * scale)
    gpu.state.depth_mask_set(True)
    gpu.state.blend_set("NONE")


def _make_batches(picture: Picture, unit: float) -> _Batches:
    faces, lines = [], []
    flat = gpu.shader.from_builtin("UNIFORM_COLOR")
    wide = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
    for part in picture.faces:
        solid = part.solid
        points = (solid.points / unit).astype(np.float32)
        surface = batch_for_shader(flat, "TRIS", {"pos": points}, indices=solid.triangles)
        faces.append((surface, part.tone, (part.behind, part.front)))
        if part.outline is not None:
            ends = {"pos": points[solid.edges.reshape(-1)]}
            lines.append((batch_for_shader(wide, "LINES", ends), part.outline))
    for line in picture.lines:
        ends = {"pos": (line.points / unit).astype(np.float32)}
        lines.append((batch_for_shader(wide, "LINES", ends), line.tone))
    return _Batches(faces, lines)


def _rgb(colours: Look, name: Tone) -> tuple[float, float, float]:
    return colours.palette.tone(name)


def _draw_faces(batches: _Batches, colours: Look, layer: int) -> None:
    shader = gpu.shader.from_builtin("UNIFORM_COLOR")
    shader.bind()
    for batch, colour, opacity in batches.faces:
        if opacity[layer]:
            shader.uniform_float("color", (*_rgb(colours, colour), opacity[layer]))
            batch.draw(shader)


def _draw_lines(batches: _Batches, colours: Look, region: bpy.types.Region, width: float) -> None:
    shader = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
    shader.bind()
    shader.uniform_float("viewportSize", (region.width, region.height))
    shader.uniform_float("lineWidth", width)
    for batch, colour in batches.lines:
        shader.uniform_float("color", (*_rgb(colours, colour), 1.0))
        batch.draw(shader)


def draw_label() -> None:
    """Write the chosen finding's figure beside it; Blender calls this at every redraw of a view."""
    context = bpy.context
    found = _shown(context)
    picture = _picture(found, context.scene) if found else None
    if picture is None or picture.anchor is None or not look(context).label:
        return
    place = [c / found.unit for c in picture.anchor]
    at = location_3d_to_region_2d(context.region, context.region_data, place)
    if at is None:
        return
    finding = found.chosen
    words = [subject(finding), check_title(finding.check), comparison(finding)]
    if found.stale:
        words.append("before your edits")
    text = "   ".join(word for word in words if word)
    _draw_plate(text, (at[0], at[1]), context)


def _draw_plate(text: str, at: tuple[float, float], context: bpy.types.Context) -> None:
    scale = context.preferences.system.ui_scale
    size = _TEXT_SIZE * scale
    blf.size(0, size)
    width, _ = blf.dimensions(0, text)
    pad = size * 0.6
    # Up and to the right of the place, but always inside the view.
    left = max(min(at[0] + 2 * pad, _free_width(context) - width - 3 * pad), 2 * pad)
    low = max(min(at[1] + _LIFT * size, context.region.height - 3 * size), 2 * pad)
    if "plate" not in _kept:
        corners = [(0, 0), (1, 0), (1, 1), (0, 1)]
        shader = gpu.shader.from_builtin("UNIFORM_COLOR")
        _kept["plate"] = batch_for_shader(
            shader, "TRIS", {"pos": corners}, indices=[(0, 1, 2), (0, 2, 3)]
        )
    gpu.state.blend_set("ALPHA")
    with gpu.matrix.push_pop():
        gpu.matrix.translate((left - pad, low - pad * 0.7))
        gpu.matrix.scale((width + 2 * pad, size + pad))
        shader = gpu.shader.from_builtin("UNIFORM_COLOR")
        shader.bind()
        shader.uniform_float("color", _PLATE)
        _kept["plate"].draw(shader)
    gpu.state.blend_set("NONE")
    blf.position(0, left, low, 0)
    blf.color(0, 1.0, 1.0, 1.0, 1.0)
    blf.draw(0, text)


def _free_width(context: bpy.types.Context) -> int:
    """Width of the view that the sidebar leaves free, pixels."""
    view = context.region
    edges = [
        region.x - view.x
        for region in context.area.regions
        if region.type == "UI" and region.width > 1 and region.x > view.x
    ]
    return min([view.width, *edges])
