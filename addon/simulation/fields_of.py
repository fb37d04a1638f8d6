# SPDX-License-Identifier: GPL-3.0-or-later
"""Force fields of a scene: kind, strength, whether they are seen, and which bodies feel them.

A field acts where its object is enabled in the viewport; hiding it with the eye leaves it at work.
Each solver weighs the kinds of fields for its bodies and may take those of one collection only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import bpy

from ...checks.reconstruction.surroundings import ForceField
from .animation_of import curves

#: The weight that belongs to each kind of field.
_WEIGHTS = {
    "FORCE": "force",
    "WIND": "wind",
    "VORTEX": "vortex",
    "MAGNET": "magnetic",
    "HARMONIC": "harmonic",
    "CHARGE": "charge",
    "LENNARDJ": "lennardjones",
    "TEXTURE": "texture",
    "GUIDE": "curve_guide",
    "BOID": "boid",
    "TURBULENCE": "turbulence",
    "DRAG": "drag",
    "FLUID_FLOW": "smokeflow",
}


def fields_of(
    scene: bpy.types.Scene, names: Mapping[str, str] | None = None
) -> tuple[ForceField, ...]:
    """Every force field that is at work in ``scene``, in Blender's own units of strength.

    ``names`` gives the names to tell by those in ``scene``, such as those of a copy. An animated
    strength is the greatest in the scene's frames. ``bodies`` is ``None`` where all feel a field.
    """
    names = names or {}
    layer = scene.view_layers[0]
    felt = list(_weights(scene))
    found = []
    for obj in scene.objects:
        field = obj.field
        if field is None or field.type == "NONE" or not _enabled(obj, layer):
            continue
        feels = [names.get(body.name, body.name) for body, w in felt if _felt(obj, w)]
        everyone = len(feels) == len(felt)
        found.append(
            ForceField(
                names.get(obj.name, obj.name),
                field.type,
                _strength(obj, scene),
                None if everyone else tuple(dict.fromkeys(feels)),
                obj.visible_get(view_layer=layer),
            )
        )
    return tuple(found)


def _enabled(obj: bpy.types.Object, layer: bpy.types.ViewLayer) -> bool:
    """Whether an object takes part: in the layer, and not disabled in the viewport."""
    return not obj.hide_viewport and obj.name in layer.objects and _collections_on(obj, layer)


def _collections_on(obj: bpy.types.Object, layer: bpy.types.ViewLayer) -> bool:
    """Whether any collection that holds the object is enabled with all those above it."""

    def holds(node: Any) -> bool:
        if node.exclude or node.collection.hide_viewport:
            return False
        return obj.name in node.collection.objects or any(holds(child) for child in node.children)

    return holds(layer.layer_collection)


def _strength(obj: bpy.types.Object, scene: bpy.types.Scene) -> float:
    """The field's strength; of a keyed one, that of the frame in which it is greatest."""
    strength = float(obj.field.strength)
    frames = range(scene.frame_start, scene.frame_end + 1)
    for curve in curves(obj):
        if curve.data_path == "field.strength":
            return float(
                max((curve.evaluate(frame) for frame in frames), key=abs, default=strength)
            )
    return strength


def _felt(obj: bpy.types.Object, weights: Any) -> bool:
    """Whether bodies of these weights feel the field of ``obj``."""
    if weights is None:
        return False
    chosen = weights.collection
    if chosen is not None and obj.name not in chosen.all_objects:
        return False
    return bool(weights.all * getattr(weights, _WEIGHTS.get(obj.field.type, "all"), 1.0))


def _weights(scene: bpy.types.Scene) -> Iterator[tuple[bpy.types.Object, Any]]:
    """Bodies that a solver moves, with the weights that it gives to fields."""
    world = scene.rigidbody_world
    for obj in scene.objects:
        body = obj.rigid_body
        if body is not None and world is not None and body.type == "ACTIVE":
            yield obj, world.effector_weights
        for modifier in obj.modifiers:
            if modifier.type in ("CLOTH", "SOFT_BODY") and modifier.show_viewport:
                yield obj, modifier.settings.effector_weights
            elif modifier.type == "PARTICLE_SYSTEM":
                yield obj, modifier.particle_system.settings.effector_weights
            elif modifier.type == "FLUID" and modifier.fluid_type == "DOMAIN":
                yield obj, modifier.domain_settings.effector_weights
