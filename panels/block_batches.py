# SPDX-License-Identifier: GPL-3.0-or-later
"""Faces of blocks and the placement path on the graphics card, while a view is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader

from ..addon.block_path import BlockPath
from ..addon.block_surface import Surface, edges_of, hatching, surface_of
from ..addon.colouring import Entry, Legend, Ramp
from ..addon.painted import dashes, painted_faces
from ..addon.palette import RGB
from ..addon.session.blocks_now import BlocksNow
from ..addon.stress_scale import HATCH, STANDS, Span, colours_of
from ..checks.voxel.stress.score import Field
from ..checks.voxel.structure import VoxelStructure
from .overlay_batches import LINE_WIDTH, send

#: How far coloured faces are lifted off the blocks that they colour, m: the lines on them more.
_SKIN, _LINE_SKIN = 0.004, 0.01
# Edges of more blocks than this are a grey haze.
_EDGED = 4_000
_EDGE = (0.0, 0.0, 0.0, 0.35)
_DASH, _GAP = 0.35, 0.2  # m
_MOST_DASHED = 400  # jumps; more of them are drawn plain
_JUMP: RGB = (1.0, 0.35, 0.25)


@dataclass(frozen=True)
class SolidBatches:
    """Coloured faces, their edges and their hatching; the latter two may be ``None``."""

    faces: Any
    edges: Any
    hatch: Any


@dataclass(frozen=True)
class PathBatches:
    """Steps to a neighbour, in the colours of the way, and jumps."""

    steps: Any
    jumps: Any


def of_stress(
    structure: VoxelStructure, field: Field, span: Span | None, scale: float, unit: float
) -> SolidBatches:
    """Send the faces of blocks, coloured by their stress, to the graphics card.

    ``scale`` enlarges what they move by; ``unit``: metres in one unit of the scene.
    """
    rgb = colours_of(field.von_mises, span or Span(0.0, 1.0))
    skin = 0.0 if scale else _SKIN
    surface = surface_of(structure, field.corners, scale, skin)
    lifted = surface_of(structure, field.corners, scale, skin + _LINE_SKIN)
    made = _solid(surface, lifted, rgb[surface.rows], unit, len(structure))
    marked = field.artefact[lifted.rows]
    if not marked.any():
        return made
    return SolidBatches(made.faces, made.edges, _lines(hatching(lifted.quads[marked]), unit))


def of_hanging(structure: VoxelStructure, hanging: Any, fault: RGB, unit: float) -> SolidBatches:
    """Send the faces of blocks, those that hang in ``fault``, to the graphics card."""
    rgb = np.tile(np.asarray(STANDS, np.float64), (len(structure), 1))
    rgb[hanging] = fault
    surface = surface_of(structure, skin=_SKIN)
    lifted = surface_of(structure, skin=_SKIN + _LINE_SKIN)
    return _solid(surface, lifted, rgb[surface.rows], unit, len(structure))


def _solid(surface: Surface, lifted: Surface, rgb: Any, unit: float, count: int) -> SolidBatches:
    points, colours, triangles = painted_faces(surface.quads / unit, rgb)
    shader = gpu.shader.from_builtin("FLAT_COLOR")
    faces = batch_for_shader(shader, "TRIS", {"pos": points, "color": colours}, indices=triangles)
    edges = None
    if count <= _EDGED:
        flat = gpu.shader.from_builtin("UNIFORM_COLOR")
        ends = (edges_of(lifted.quads) / unit).astype(np.float32)
        edges = batch_for_shader(flat, "LINES", {"pos": ends})
    return SolidBatches(faces, edges, None)


def _lines(ends: Any, unit: float) -> Any:
    wide = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
    return batch_for_shader(wide, "LINES", {"pos": (ends / unit).astype(np.float32)})


def of_path(path: BlockPath, first: int, unit: float) -> PathBatches:
    """Send the way between the ``first`` blocks to the graphics card."""
    ends, colours, jumps = path.pairs(first)
    both = np.repeat(jumps, 2)
    steps = leaps = None
    if not jumps.all():
        smooth = gpu.shader.from_builtin("POLYLINE_SMOOTH_COLOR")
        content = {
            "pos": (ends[~both] / unit).astype(np.float32),
            "color": colours[~both].astype(np.float32),
        }
        steps = batch_for_shader(smooth, "LINES", content)
    if jumps.any():
        far = ends[both]
        leaps = _lines(dashes(far, _DASH, _GAP) if jumps.sum() <= _MOST_DASHED else far, unit)
    return PathBatches(steps, leaps)


def draw_solids(batches: SolidBatches, size: tuple[int, int], scale: float) -> None:
    """Draw coloured faces as solids in a view of ``size`` pixels."""
    shader = gpu.shader.from_builtin("FLAT_COLOR")
    gpu.state.blend_set("NONE")
    gpu.state.depth_test_set("LESS_EQUAL")
    gpu.state.depth_mask_set(True)
    gpu.state.face_culling_set("BACK")
    shader.bind()
    send(batches.faces, shader)
    gpu.state.face_culling_set("NONE")
    gpu.state.depth_mask_set(False)
    gpu.state.blend_set("ALPHA")
    if batches.edges is not None:
        flat = gpu.shader.from_builtin("UNIFORM_COLOR")
        flat.bind()
        flat.uniform_float("color", _EDGE)
        send(batches.edges, flat)
    if batches.hatch is not None:
        _draw_lines(batches.hatch, (*HATCH, 0.9), 0.7, size, scale)
    gpu.state.depth_test_set("NONE")
    gpu.state.depth_mask_set(True)
    gpu.state.blend_set("NONE")


def draw_path(batches: PathBatches, size: tuple[int, int], scale: float) -> None:
    """Draw the way through everything that stands before it."""
    gpu.state.blend_set("ALPHA")
    gpu.state.depth_test_set("NONE")
    if batches.jumps is not None:
        _draw_lines(batches.jumps, (*_JUMP, 1.0), 1.6, size, scale)
    if batches.steps is not None:
        smooth = gpu.shader.from_builtin("POLYLINE_SMOOTH_COLOR")
        smooth.bind()
        smooth.uniform_float("viewportSize", size)
        smooth.uniform_float("lineWidth", 1.3 * LINE_WIDTH * scale)
        send(batches.steps, smooth)
    gpu.state.blend_set("NONE")


def _draw_lines(
    batch: Any,
    colour: tuple[float, float, float, float],
    width: float,
    size: tuple[int, int],
    scale: float,
) -> None:
    wide = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
    wide.bind()
    wide.uniform_float("viewportSize", size)
    wide.uniform_float("lineWidth", width * LINE_WIDTH * scale)
    wide.uniform_float("color", colour)
    send(batch, wide)


def path_legend(now: BlocksNow) -> Legend:
    """What the colours of the path mean, and its figures."""
    way = now.path
    jumps = int((way.steps > 1).sum())
    return Legend(
        "Placement order",
        (Entry("jumps farther than a neighbour", _JUMP, jumps),) if jumps else (),
        Ramp(way.ramp(), ((0.0, "first"), (1.0, "last"))),
        f"L = {way.length:,}, n - 1 = {way.least:,}, efficiency {way.score:.3f}",
    )
