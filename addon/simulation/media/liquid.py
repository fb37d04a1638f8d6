# SPDX-License-Identifier: GPL-3.0-or-later
"""Liquids: how much there is, what leaks, what gets into walls, and how high it stands.

Read from the solver's own particles, so many of which make a full cell. The surface that is seen
is drawn round them and takes up more room: in a splash it may be twice as much. The copy simulates
into a folder of its own; caches of the person's scene are neither read nor written.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from typing import Any

import bpy
import numpy as np

from ....checks.reconstruction.bodies import Floats
from ....checks.reconstruction.hulls import all_round
from ....checks.reconstruction.surroundings import Liquid
from ..copying import SceneCopy
from ..solids import Solid
from .liquid_solver import domain_modifier, domains_of
from .surface import is_closed, mesh_of, own_axes, placed, points_of, triangles_of

# Particles that are looked up in a container's walls in a frame; of more, every so many.
_LOOKED_UP = 4000
# Share of the particles in the container below which the surface may be at any height.
_HIGHEST = 0.98
# Directions in which a container's hull is looked at, which is what it can hold.
_WAYS = np.concatenate((all_round(200), np.eye(3), -np.eye(3)))


class LiquidRecorder:
    """The liquids of a copy, to be made before its first frame is evaluated."""

    def __init__(self, stage: SceneCopy, last: int) -> None:
        self._scale = float(stage.scene.unit_settings.scale_length)
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._runs: list[_Run] = []
        self.notes: tuple[str, ...] = ()
        for obj in domains_of(stage.scene):
            settings = _settings(obj)
            if self._folder is None:
                self._folder = tempfile.TemporaryDirectory(prefix="plumbline-liquid-")
            settings.cache_type = "REPLAY"
            settings.cache_directory = f"{self._folder.name}/{len(self._runs)}"
            settings.cache_frame_end = max(settings.cache_frame_end, last)
            if settings.domain_type == "LIQUID":
                self._runs.append(_Run(stage, obj, self._scale))

    def frame(self, depsgraph: bpy.types.Depsgraph, row: int) -> None:
        """Read the present frame."""
        for run in self._runs:
            run.frame(depsgraph)

    def done(self) -> tuple[Liquid, ...]:
        """What was measured; the folder goes."""
        found = tuple(run.done() for run in self._runs)
        self.notes = tuple(note for run in self._runs for note in run.notes)
        if self._folder is not None:
            self._folder.cleanup()
        return found


def _settings(obj: bpy.types.Object) -> Any:
    modifier = domain_modifier(obj)
    assert modifier is not None
    return modifier.domain_settings


@dataclass
class _Container:
    """A solid that keeps the liquid out of itself, and what was measured at it, by frame."""

    obj: bpy.types.Object
    name: str
    solid: Solid | None = None
    reach: Floats = field(default_factory=lambda: np.zeros(len(_WAYS)))
    held: list[int] = field(default_factory=list)
    inside: list[float] = field(default_factory=list)
    level: list[float] = field(default_factory=list)
    rim: float = 0.0


class _Run:
    """One liquid: its particles in every frame."""

    def __init__(self, stage: SceneCopy, obj: bpy.types.Object, scale: float) -> None:
        self._obj, self._scale = obj, scale
        self._name = stage.name(obj)
        settings = _settings(obj)
        # An object's dimensions are those of the liquid; the domain is the mesh that it is made of.
        extent = np.ptp(points_of(obj.data), axis=0) * np.array(obj.matrix_world.to_scale())
        self._cell = float(np.abs(extent).max()) * scale / max(int(settings.resolution_max), 1)
        self._full = int(settings.particle_number) ** 3
        self._volume: list[float] = []
        self._leaked: list[float] = []
        self._containers = []
        self._flows = False
        for one in stage.scene.objects:
            for modifier in one.modifiers:
                if modifier.type != "FLUID":
                    continue
                if modifier.fluid_type == "EFFECTOR":
                    self._containers.append(_Container(one, stage.name(one)))
                elif modifier.fluid_type == "FLOW":
                    self._flows |= modifier.flow_settings.flow_behavior != "GEOMETRY"
        self.notes: list[str] = []

    def frame(self, depsgraph: bpy.types.Depsgraph) -> None:
        points = self._particles(depsgraph)
        self._volume.append(self._volume_of(points))
        caught = np.zeros(len(points), bool)
        below = np.zeros(len(points), bool)
        for one in self._containers:
            within = self._at(one, depsgraph, points)
            caught |= within
            below |= points[:, 2] < one.rim
        leaked = below & ~caught
        self._leaked.append(float(leaked.mean()) if len(points) else 0.0)

    def _particles(self, depsgraph: bpy.types.Depsgraph) -> Floats:
        """Where the liquid's particles are, (k, 3) m."""
        for system in self._obj.evaluated_get(depsgraph).particle_systems:
            if system.settings.type == "FLIP":
                flat = np.empty(3 * len(system.particles), np.float32)
                system.particles.foreach_get("location", flat)
                points = flat.reshape(-1, 3).astype(np.float64) * self._scale
                return points[np.isfinite(points).all(1)]
        return np.zeros((0, 3))

    def _volume_of(self, points: Floats) -> float:
        """m3: each cell is as full as it has particles, and no fuller than full."""
        if not len(points):
            return 0.0
        cells = np.floor(points / self._cell).astype(np.int64)
        _, count = np.unique(cells, axis=0, return_counts=True)
        return float(np.minimum(count / self._full, 1).sum() * self._cell**3)

    def _at(self, one: _Container, depsgraph: bpy.types.Depsgraph, points: Floats) -> Any:
        """Which particles are within the hull of a container; what is in its walls is kept."""
        evaluated = one.obj.evaluated_get(depsgraph)
        matrix, mesh = evaluated.matrix_world, mesh_of(evaluated)
        if mesh is None or not len(mesh.vertices):
            one.held.append(0)
            one.inside.append(0.0)
            one.level.append(np.nan)
            return np.zeros(len(points), bool)
        world = placed(points_of(mesh), matrix, self._scale)
        if one.solid is None:
            local, triangles = own_axes(world, matrix, self._scale), triangles_of(mesh)
            one.reach = (local @ _WAYS.T).max(0)
            one.solid = Solid(local, triangles, is_closed(triangles))
        one.rim = float(world[:, 2].max())
        at = own_axes(points, matrix, self._scale)
        within = (at @ _WAYS.T <= one.reach + self._cell).all(1)
        one.held.append(int(within.sum()))
        some = at[within][:: 1 + int(within.sum()) // _LOOKED_UP]
        deep = one.solid.signed(some, 0.0)[0] < -self._cell
        one.inside.append(float(deep.mean() * within.mean()) if len(some) else 0.0)
        heights = points[within, 2]
        top = np.quantile(heights, _HIGHEST) + self._cell / 2 if len(heights) else np.nan
        one.level.append(float(top))
        return within

    def done(self) -> Liquid:
        """What was measured, with the container that holds most of it in the last frame."""
        volume = np.array(self._volume)
        added = np.full(len(volume), np.nan)
        wet = np.flatnonzero(volume > 0)
        if self._flows:
            self.notes.append(
                f"how much flows into {self._name} isn't known: whether its volume is kept was "
                f"not judged"
            )
        elif len(wet):
            added = np.where(np.arange(len(volume)) >= wet[0], volume[wet[0]], 0.0)
        holder = max(self._containers, key=lambda one: one.held[-1:], default=None)
        if holder is None or not any(holder.held):
            return Liquid(self._name, volume, added)
        return Liquid(
            *(self._name, volume, added, holder.name),
            leaked=np.array(self._leaked),
            inside=np.array(holder.inside),
            level=np.array(holder.level),
        )
