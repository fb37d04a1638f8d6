# SPDX-License-Identifier: GPL-3.0-or-later
"""A copy is made to simulate every frame anew, whatever caches and settings came with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import bpy

from .copying import SceneCopy
from .steps import SimulationError

#: Modifiers with a point cache of their own.
_CACHED = frozenset({"CLOTH", "SOFT_BODY"})


def caches_of(
    scene: bpy.types.Scene, name: Callable[[bpy.types.Object], str] = lambda obj: obj.name
) -> Iterator[tuple[str, bpy.types.PointCache]]:
    """Every point cache of a scene, and what it is of; ``name`` says what objects are called."""
    world = scene.rigidbody_world
    if world is not None and world.point_cache is not None:
        yield "the rigid-body world", world.point_cache
    for obj in scene.objects:
        for modifier in obj.modifiers:
            if modifier.type in _CACHED:
                yield f"{modifier.name} of {name(obj)}", modifier.point_cache
        for system in obj.particle_systems:
            yield f"{system.name} of {name(obj)}", system.point_cache


def solver_starts(scene: bpy.types.Scene) -> list[int]:
    """The frames in which solvers start; one that starts later than all else waits till then."""
    return [int(cache.frame_start) for _, cache in caches_of(scene)]


def made_fresh(stage: SceneCopy, last: int) -> tuple[str, ...]:
    """Throw bakes away and let every solver run to ``last``; sentences on what is otherwise now.

    Raises :class:`.steps.SimulationError` where a copy would spoil the original's files.
    """
    scene, notes = stage.scene, []
    world = scene.rigidbody_world
    if world is not None and world.enabled and world.time_scale <= 0:
        raise SimulationError(
            "the rigid-body world runs at speed 0 and nothing in it moves: set its Speed above 0"
        )
    for label, cache in caches_of(scene, stage.name):
        if cache.is_baked:
            notes.append(f"the bake of {label} was not used: it was simulated anew")
        if cache.frame_end < last:
            notes.append(
                f"the cache of {label} ends at frame {cache.frame_end}: it was simulated on to "
                f"frame {last}"
            )
        _off_disk(label, cache)
        if cache.is_baked:
            with bpy.context.temp_override(scene=scene, point_cache=cache):
                bpy.ops.ptcache.free_bake()
        cache.frame_end = max(cache.frame_end, last)
    return (*notes, *_timing(scene))


def _off_disk(label: str, cache: bpy.types.PointCache) -> None:
    """The copy neither reads nor writes files; those of the original stay as they are.

    Files are called after the object, the copy has none under its own; but a cache with a name
    shares them, and whatever is set in the copy then moves or deletes them.
    """
    if cache.use_external:
        cache.use_external = False
    if cache.use_disk_cache:
        if cache.name:
            raise SimulationError(
                f"the cache {cache.name!r} of {label} lies on disk under a name that a copy would "
                f"share: take its name away, or switch its Disk Cache off"
            )
        cache.use_disk_cache = False


def _timing(scene: bpy.types.Scene) -> Iterator[str]:
    if scene.frame_step > 1:
        yield f"every frame was simulated and recorded, not every {scene.frame_step} of them"
    render = scene.render
    if render.frame_map_old != render.frame_map_new:
        yield "the scene's time remapping was left out: solvers stand still under it"
        render.frame_map_old = render.frame_map_new = 100
    world = scene.rigidbody_world
    if world is None:
        return
    if not world.enabled:
        yield "the rigid-body world is switched off"
    elif world.time_scale != 1:
        yield (
            f"the rigid-body world runs at {world.time_scale:.3g} times the scene's speed: times "
            f"are those of the solver"
        )
