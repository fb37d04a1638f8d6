# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures and coloured members on the graphics card. Main thread, while a view is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader
from mathutils import Matrix

from ..addon.painted import Painted, dashes, painted, painted_surfaces
from ..addon.palette import RGB, Palette
from ..addon.pictures.drawing import Picture, Solid

LINE_WIDTH = 2.0  # pixels, before the interface scale
_DASH, _GAP = 0.06, 0.04  # m
THROUGH = 0.6  # opacity of a box where something hides it
# Edges of more boxes than this are a grey haze, and cost as much as the boxes.
_EDGED = 2_000
_EDGE_SKIN = 0.0015  # m, so that edges win against the faces that they belong to


@dataclass(frozen=True)
class PictureBatches:
    """Faces as (batch, tone, opacities behind and in front), lines as (batch, tone, width)."""

    faces: list[tuple[Any, str, tuple[float, float]]]
    lines: list[tuple[Any, str, float]]


@dataclass(frozen=True)
class BoxBatches:
    """Coloured boxes: their faces, their edges, and faces that only shine through.

    The latter two are ``None`` where they are not wanted.
    """

    faces: Any
    edges: Any
    through: Any


def of_picture(picture: Picture, unit: float) -> PictureBatches:
    """Send a picture to the graphics card. ``unit``: metres in one unit of the scene."""
    faces, lines = [], []
    flat = gpu.shader.from_builtin("UNIFORM_COLOR")
    wide = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
    for part in picture.faces:
        solid = part.solid
        points = (solid.points / unit).astype(np.float32)
        if len(solid.triangles):
            surface = batch_for_shader(flat, "TRIS", {"pos": points}, indices=solid.triangles)
            faces.append((surface, part.tone, (part.behind, part.front)))
        if part.outline is not None and len(solid.edges):
            ends = {"pos": points[solid.edges.reshape(-1)]}
            lines.append((batch_for_shader(wide, "LINES", ends), part.outline, 1.0))
    for line in picture.lines:
        ends = dashes(line.points, _DASH, _GAP) if line.dashed else line.points
        if len(ends):
            where = {"pos": (ends / unit).astype(np.float32)}
            lines.append((batch_for_shader(wide, "LINES", where), line.tone, line.width))
    return PictureBatches(faces, lines)


def of_boxes(corners: Any, rgb: Any, unit: float, through: bool) -> BoxBatches:
    """Send boxes (k, 8, 3) m in colours (k, 3), sRGB, to the graphics card.

    ``through`` also makes what is seen of them through whatever hides them.
    """
    mesh = painted(
        np.asarray(corners / unit, np.float32), np.asarray(rgb, np.float32), _EDGE_SKIN / unit
    )
    return _of_painted(mesh, len(corners) <= _EDGED, through)


def of_surfaces(solids: list[Solid], rgb: Any, unit: float, through: bool) -> BoxBatches:
    """As :func:`of_boxes`, of surfaces of any shape, m."""
    scaled = [Solid(s.points / unit, s.triangles, s.edges) for s in solids]
    mesh = painted_surfaces(scaled, np.asarray(rgb, np.float32))
    return _of_painted(mesh, len(solids) <= _EDGED, through)


def _of_painted(mesh: Painted, edged: bool, through: bool) -> BoxBatches:
    shader = gpu.shader.from_builtin("FLAT_COLOR")
    faces = batch_for_shader(
        shader, "TRIS", {"pos": mesh.points, "color": mesh.colours}, indices=mesh.triangles
    )
    edges = None
    if edged and len(mesh.edges):
        ends = {"pos": mesh.edge_points, "color": mesh.edge_colours}
        edges = batch_for_shader(shader, "LINES", ends, indices=mesh.edges)
    shine = None
    if through:
        mesh.colours[:, 3] = THROUGH
        shine = batch_for_shader(
            shader, "TRIS", {"pos": mesh.points, "color": mesh.colours}, indices=mesh.triangles
        )
    return BoxBatches(faces, edges, shine)


def send(batch: Any, shader: Any) -> None:
    """Have the graphics card draw what it was given; tests time this apart from our own work."""
    batch.draw(shader)


def draw_boxes(layers: list[BoxBatches]) -> None:
    """Draw coloured boxes as solids that hide one another and what lies deeper.

    Those that are to shine through are seen, weaker, where something hides them.
    """
    shader = gpu.shader.from_builtin("FLAT_COLOR")
    shader.bind()
    gpu.state.depth_mask_set(False)
    gpu.state.blend_set("ALPHA")
    gpu.state.depth_test_set("GREATER")
    gpu.state.face_culling_set("BACK")
    for each in layers:
        if each.through is not None:
            send(each.through, shader)
    gpu.state.blend_set("NONE")
    gpu.state.depth_test_set("LESS_EQUAL")
    gpu.state.depth_mask_set(True)
    for each in layers:
        send(each.faces, shader)
    gpu.state.face_culling_set("NONE")
    for each in layers:
        if each.edges is not None:
            send(each.edges, shader)
    gpu.state.depth_mask_set(False)
    gpu.state.depth_test_set("NONE")


def draw_picture(
    batches: PictureBatches, palette: Palette, size: tuple[int, int], scale: float
) -> None:
    """Draw a picture in a view of ``size`` pixels; faces shine weakly through what hides them."""
    gpu.state.blend_set("ALPHA")
    gpu.state.depth_mask_set(False)
    flat = gpu.shader.from_builtin("UNIFORM_COLOR")
    flat.bind()
    for layer, test in enumerate(("NONE", "LESS_EQUAL")):
        gpu.state.depth_test_set(test)
        for batch, tone, opacity in batches.faces:
            if opacity[layer]:
                flat.uniform_float("color", (*palette.tone(tone), opacity[layer]))
                send(batch, flat)
    gpu.state.depth_test_set("NONE")
    wide = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
    wide.bind()
    wide.uniform_float("viewportSize", size)
    for batch, tone, width in batches.lines:
        wide.uniform_float("lineWidth", LINE_WIDTH * width * scale)
        wide.uniform_float("color", (*palette.tone(tone), 1.0))
        send(batch, wide)
    gpu.state.depth_mask_set(True)
    gpu.state.blend_set("NONE")


def draw_veil(sheet: Any, ground: RGB, opacity: float) -> None:
    """Lay the ground of the view over all that was drawn in it so far. ``sheet``: a unit square."""
    shader = gpu.shader.from_builtin("UNIFORM_COLOR")
    gpu.state.blend_set("ALPHA")
    gpu.state.depth_test_set("NONE")
    gpu.state.depth_mask_set(False)
    with gpu.matrix.push_pop(), gpu.matrix.push_pop_projection():
        gpu.matrix.load_matrix(Matrix(((2, 0, 0, -1), (0, 2, 0, -1), (0, 0, 1, 0), (0, 0, 0, 1))))
        gpu.matrix.load_projection_matrix(Matrix.Identity(4))
        shader.bind()
        shader.uniform_float("color", (*ground, opacity))
        send(sheet, shader)
    gpu.state.blend_set("NONE")


def unit_square() -> Any:
    """A square from (0, 0) to (1, 1): plates, swatches, the veil."""
    return batch_for_shader(
        gpu.shader.from_builtin("UNIFORM_COLOR"),
        "TRIS",
        {"pos": [(0, 0), (1, 0), (1, 1), (0, 1)]},
        indices=[(0, 1, 2), (0, 2, 3)],
    )


def forget_depth() -> None:
    """What is drawn from now on stands before everything that was drawn so far."""
    gpu.state.active_framebuffer_get().clear(depth=1.0)
