# SPDX-License-Identifier: GPL-3.0-or-later
"""The probes *Let it fall* and *What if* of structures that stand still, offered while we are on.

They read the person's scene and let a model of it fall elsewhere; neither the scene nor the copy
that a probe gets is touched. Main thread only.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import bpy

from ... import review
from ...scene.blocks import structure_of_scene
from .. import probes
from ..probes import Outcome, Parameter, Probe, Stage
from ..steps import SimulationError
from .answers import Fallen, let_it_fall, trajectory, what_if
from .asked import WhatIf

#: Steps in which a frame is worked, so that the window stays free.
PIECES = 5
SECONDS = Parameter(
    "seconds",
    "How long",
    "s",
    3.0,
    0.1,
    20.0,
    "How long it is watched; it ends when all lies still",
)
CLASSES = ()


def _fall(stage: Stage, values: Mapping[str, float]) -> probes.Steps:
    scene = _scene_of(stage)
    structure, brief = _read(scene)
    fallen = yield from let_it_fall(structure, brief, seconds=values["seconds"], pieces=PIECES)
    return _outcome(fallen, scene, fallen.damage.says)


def _without_selected(stage: Stage, values: Mapping[str, float]) -> probes.Steps:
    scene = _scene_of(stage)
    structure, brief = _read(scene)
    chosen = {obj.name for obj in scene.objects if obj.select_get(view_layer=scene.view_layers[0])}
    members = tuple(name for name in structure.names if name in chosen)
    if not members:
        raise SimulationError("select the members that shouldn't be there")
    found = yield from what_if(
        structure, [WhatIf("remove", members)], brief, seconds=values["seconds"], pieces=PIECES
    )
    return _outcome(found.altered, scene, found.says)


def _outcome(fallen: Fallen, scene: bpy.types.Scene, says: str) -> Outcome:
    told = " ".join((says, *(f"{note.rstrip('.')}." for note in fallen.notes)))
    return Outcome(told, fallen.damage.findings, trajectory(fallen, scene))


def _scene_of(stage: Any) -> bpy.types.Scene:
    """The person's scene, which is only read; the copy where that is gone."""
    uid = getattr(stage, "original_uid", None)
    return next((s for s in bpy.data.scenes if s.session_uid == uid), stage.scene)


def _read(scene: bpy.types.Scene) -> tuple[Any, Any]:
    """The structure of a scene and the brief that it was judged by."""
    found = review.of(scene)
    structure = structure_of_scene(scene, found.kind if found is not None else None)
    return structure, found.brief if found is not None else None


PROBES = (
    Probe(
        probes.FALL,
        "Let it fall",
        "What comes down under its own weight: members and blocks become solid bodies, joined "
        "where they meet, and joints that are too weak break.",
        ("timber", "voxel"),
        _fall,
        (SECONDS,),
    ),
    Probe(
        "what_if",
        "What if they weren't there",
        "The structure falls as it is, and without the members that are selected.",
        ("timber",),
        _without_selected,
        (SECONDS,),
        "counterfactual",
    ),
)


def attach() -> None:
    """Offer the probes."""
    for probe in PROBES:
        probes.register(probe)


def detach() -> None:
    """Take them back."""
    for probe in PROBES:
        probes.unregister(probe.id)
