# SPDX-License-Identifier: GPL-3.0-or-later
"""A small real probe: every mesh of a scene falls as a rigid body onto the ground at z = 0."""

from __future__ import annotations

import numpy as np
from plumbline.addon.simulation import probes
from plumbline.addon.simulation.probes import FALL, Outcome, Parameter, Probe, Trajectory
from plumbline.checks.result import Finding

SECONDS = Parameter("seconds", "How long", "s", 1.0, 0.1, 4.0, "How long it may fall")


def drop(stage, values):
    """Steps Blender's own rigid bodies on the copy, a frame a step."""
    import bpy

    scene = stage.scene
    fps = scene.render.fps
    frames = max(2, round(values["seconds"] * fps))
    names = tuple(stage.names[o.name] for o in scene.objects if o.type == "MESH")
    window = bpy.context.window_manager.windows[0]
    shown = window.scene
    window.scene = scene
    bpy.ops.rigidbody.world_add()
    world = scene.rigidbody_world
    world.collection = bpy.data.collections.new("Bodies")
    world.point_cache.frame_end = frames
    for name in names:
        world.collection.objects.link(stage.object(name))
    window.scene = shown
    matrices = []
    for frame in range(1, frames + 1):
        scene.frame_set(frame)
        matrices.append(stage.matrices(names))
        yield frame, frames
    motion = Trajectory(names, np.array(matrices), fps)
    fallen = motion.matrices[0, :, 2, 3] - motion.matrices[-1, :, 2, 3]
    findings = tuple(
        Finding(FALL, name, f"{name} fell {height:.2f} m.", measured=float(height), unit="m",
                limit=0.01, margin=float(0.01 - height), frame=frames)
        for name, height in zip(names, fallen, strict=True)
        if height > 0.01
    )  # fmt: skip
    return Outcome(f"{len(findings)} of {len(names)} fell.", findings, motion)


def probe(run=drop, **more) -> Probe:
    """The probe *fall* of timber, as a later part of the extension would register it."""
    return Probe(
        FALL, "Let it fall", "Every member falls freely.", ("timber",), run, (SECONDS,), **more
    )


def offer(mine: Probe) -> None:
    """Offer it in place of the extension's own, with its own values."""
    import bpy

    probes.unregister(FALL)
    bpy.context.window_manager.plumbline_physics.values.clear()
    probes.register(mine)
