# SPDX-License-Identifier: GPL-3.0-or-later
"""Particle systems: how many there are, where their middle is and how far they reach, by frame.

No probe judges single particles, so that only this is kept of a system, whatever its size.
"""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np

from ....checks.reconstruction.bodies import Floats
from ..copying import SceneCopy


class ParticleRecorder:
    """What the particle systems of a copy do; ``scale`` is m in a unit of the scene."""

    def __init__(self, stage: SceneCopy, scale: float) -> None:
        self._scale = scale
        self._rows: dict[str, list[dict[str, Any]]] = {}
        self._emitters = [
            (obj, stage.names.get(obj.name, obj.name))
            for obj in stage.scene.objects
            if any(m.type == "PARTICLE_SYSTEM" and m.show_viewport for m in obj.modifiers)
            and any(s.settings.type == "EMITTER" for s in obj.particle_systems)
        ]

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be said on the recording."""
        names = [name for _, name in self._emitters]
        if not names:
            return ()
        return (
            f"particles of {', '.join(names[:5])} are recorded as a whole; no probe judges them",
        )

    def frame(self, depsgraph: bpy.types.Depsgraph, row: int) -> None:
        """Read the present frame."""
        for obj, name in self._emitters:
            for system in obj.evaluated_get(depsgraph).particle_systems:
                if system.settings.type != "EMITTER":
                    continue
                alive = _alive(system.particles)
                told: dict[str, Any] = {"row": row, "alive": len(alive)}
                points = alive[np.isfinite(alive).all(1)] * self._scale
                if len(points):
                    told["centre"] = points.mean(0).tolist()
                    told["low"], told["high"] = points.min(0).tolist(), points.max(0).tolist()
                self._rows.setdefault(f"{name}: {system.name}", []).append(told)

    def done(self) -> dict[str, list[dict[str, Any]]]:
        """By system: row, number alive, centre and the box round them, m."""
        return self._rows


def _alive(particles: Any) -> Floats:
    """Where those are that live, (k, 3), in the units of the scene; at once, of however many."""
    states = np.empty(len(particles), np.int32)
    places = np.empty(3 * len(particles), np.float32)
    if len(particles):
        particles.foreach_get("alive_state", states)
        particles.foreach_get("location", places)
    kinds = bpy.types.Particle.bl_rna.properties["alive_state"].enum_items
    found: Floats = places.reshape(-1, 3)[states == kinds["ALIVE"].value].astype(np.float64)
    return found
