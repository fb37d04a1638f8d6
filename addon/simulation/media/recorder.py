# SPDX-License-Identifier: GPL-3.0-or-later
"""Records what deforms while a copy of a scene is stepped: surfaces, particles, liquids.

Made before the first step, when nothing has moved yet: that is where rest lengths are from.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

import bpy
import numpy as np

from ....checks.reconstruction.bodies import Body, Floats
from ..copying import SceneCopy
from ..drivers_of import drivers_of
from ..steps import SimulationError
from . import cloth, soft
from .liquid import LiquidRecorder
from .particles import ParticleRecorder
from .surface import (
    is_closed,
    lengths_of,
    mesh_of,
    own_axes,
    placed,
    points_of,
    triangles_of,
)

# Numbers that recorded surfaces may have in all, 1.5 GB of them.
_MOST = 200_000_000
#: Drivers that move the points which a pin holds.
_CARRIERS = frozenset({"shape_keys", "modifier", "geometry_nodes"})


class MediaRecorder:
    """Surfaces of cloth, soft bodies and of ``meshes``, in every frame that is told.

    ``bodies`` are those of the trajectory, by the names of the person's scene; ``liquids`` was made
    before the first frame. Raises
    :class:`SimulationError` if what is recorded gets too large to keep.
    """

    def __init__(
        self,
        stage: SceneCopy,
        bodies: Sequence[Body],
        meshes: Collection[str] = (),
        liquids: LiquidRecorder | None = None,
    ) -> None:
        self._scale = float(stage.scene.unit_settings.scale_length)
        self._objects: dict[str, bpy.types.Object] = {}
        self._points: dict[str, dict[int, Floats]] = {}
        self._notes: list[str] = []
        self._numbers = 0
        graph = stage.scene.view_layers[0].depsgraph
        self._bodies = []
        for body in bodies:
            if body.medium in ("cloth", "soft") or body.name in meshes:
                self._objects[body.name] = stage.object(body.name)
                self._points[body.name] = {}
                body = self._known(body, self._objects[body.name], graph)
            self._bodies.append(self._thick(body, stage.object(body.name)))
        self._particles = ParticleRecorder(stage, self._scale)
        self._liquids = liquids

    def _known(self, body: Body, obj: bpy.types.Object, graph: Any) -> Body:
        """The body with the surface that is recorded: rest lengths, pins, closed or not."""
        evaluated = obj.evaluated_get(graph)
        mesh = mesh_of(evaluated)
        if mesh is None or not len(mesh.vertices):
            self._leave_out(body.name, "it has no surface")
            return body
        world = placed(points_of(mesh), evaluated.matrix_world, self._scale)
        if not np.isfinite(world).all():
            self._leave_out(body.name, "its vertices are no numbers before the first step")
            return body
        if body.medium not in ("cloth", "soft"):
            if len(world) != len(body.vertices):
                self._leave_out(body.name, "its surface has another number of vertices")
            return body
        triangles = triangles_of(mesh)
        kind = cloth if body.medium == "cloth" else soft
        held = kind.pinned(obj, mesh)
        movers = {d.kind for d in drivers_of(obj)} & _CARRIERS
        if movers and len(held):
            held = held[:0]
            self._notes.append(
                f"{body.name}: its pins follow {' and '.join(sorted(movers))}; "
                f"whether they hold was not judged"
            )
        return replace(
            body,
            vertices=own_axes(world, evaluated.matrix_world, self._scale),
            triangles=triangles,
            pieces=(),
            rounding=0.0,
            convex=False,
            closed=is_closed(triangles),
            pinned=held,
            rest_lengths=lengths_of(world, triangles, mesh),
            margin=kind.margin(obj) * self._scale,
        )

    def _thick(self, body: Body, obj: bpy.types.Object) -> Body:
        """The body with the distance at which it keeps cloth and soft bodies, if it does."""
        for modifier in obj.modifiers:
            settings = getattr(modifier, "settings", None)
            if modifier.type == "COLLISION" and settings is not None and settings.use:
                outer = float(settings.thickness_outer) * self._scale
                return replace(body, margin=max(body.margin, outer))
        return body

    def _leave_out(self, name: str, why: str) -> None:
        self._objects.pop(name, None)
        self._points.pop(name, None)
        self._notes.append(f"the surface of {name} was not recorded: {why}")

    def frame(self, depsgraph: bpy.types.Depsgraph, row: int) -> None:
        """Read the present frame, which is ``row`` of the trajectory."""
        for name, obj in list(self._objects.items()):
            evaluated = obj.evaluated_get(depsgraph)
            mesh = mesh_of(evaluated)
            points = points_of(mesh) if mesh is not None else np.zeros((0, 3))
            count = len(self._body(name).vertices)
            if len(points) != count:
                self._leave_out(
                    name, f"it has {count} vertices at first and {len(points)} in row {row}"
                )
                continue
            self._points[name][row] = placed(points, evaluated.matrix_world, self._scale)
            self._numbers += points.size
        if self._numbers > _MOST:
            raise SimulationError(
                "the recorded surfaces get larger than 1.5 GB: record fewer frames, or make the "
                f"surface of {', '.join(list(self._points)[:3])} coarser"
            )
        self._particles.frame(depsgraph, row)
        if self._liquids is not None:
            self._liquids.frame(depsgraph, row)

    def _body(self, name: str) -> Body:
        return next(body for body in self._bodies if body.name == name)

    def done(self) -> dict[str, Any]:
        """Values for a ``Trajectory``: ``bodies``, ``meshes``, ``liquids``, ``notes``, ``source``.

        ``bodies`` are those that were given, with what was found out on cloth and soft bodies.
        """
        meshes = {
            name: np.stack([rows[row] for row in sorted(rows)])
            for name, rows in self._points.items()
            if rows
        }
        particles = self._particles.done()
        liquids = self._liquids.done() if self._liquids is not None else ()
        names = {body.name for body in self._bodies}
        about = self._liquids.notes if self._liquids is not None else ()
        return {
            "bodies": tuple(self._bodies),
            "meshes": meshes,
            "liquids": tuple(one for one in liquids if one.body in names),
            "notes": (*self._notes, *self._particles.notes, *about),
            "source": {"particles": particles} if particles else {},
        }
