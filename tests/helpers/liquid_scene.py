# SPDX-License-Identifier: GPL-3.0-or-later
"""A block of water over a bowl, in a fluid domain. To be evaluated only where liquids work."""

from __future__ import annotations

import bpy
import hollow_bodies
from falling_bodies import box

FRAMES = 8


def _added(name, body, at, kind):
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(body.vertices.tolist(), [], body.triangles.tolist())
    obj = bpy.data.objects.new(name, mesh)
    obj.location = at
    modifier = obj.modifiers.new("Fluid", "FLUID")
    modifier.fluid_type = kind
    return obj, modifier


def build(scene, resolution=16, collection=None):
    """Fill a scene; returns the domain. Water of 0.54 x 0.54 x 0.3 m."""
    objects = (collection or scene.collection).objects
    scene.frame_start, scene.frame_end = 1, FRAMES
    domain, modifier = _added("domain", box("d", (2, 2, 2)), (0, 0, 1), "DOMAIN")
    settings = modifier.domain_settings
    settings.domain_type, settings.resolution_max = "LIQUID", resolution
    bowl, modifier = _added("bowl", hollow_bodies.bowl(0.6, 0.12, 24), (0, 0, 0.8), "EFFECTOR")
    modifier.effector_settings.effector_type = "COLLISION"
    water, modifier = _added("water", box("w", (0.54, 0.54, 0.3)), (0, 0, 0.6), "FLOW")
    modifier.flow_settings.flow_type = "LIQUID"
    modifier.flow_settings.flow_behavior = "GEOMETRY"
    water.hide_render = True
    for obj in (domain, bowl, water):
        objects.link(obj)
    return domain
