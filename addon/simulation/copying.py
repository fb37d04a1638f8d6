# SPDX-License-Identifier: GPL-3.0-or-later
"""Copies of a scene for trials: made whole, found again, and taken away without a trace.

Only Blender's own full copy is safe: every other way shares rigid bodies between copy and original
and spoils both. It renames objects and shows the copy; both is put right here. Main thread only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import contextmanager
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from .probes import StageGone

_SUFFIX = re.compile(r"\.\d{3,}$")
#: Marks a scene as a copy of ours; no person's scene has it.
COPY_KEY = "plumbline_copy"


class SceneCopy:
    """See :class:`.probes.Stage`."""

    def __init__(self, uid: int, names: Mapping[str, str], copies: Mapping[str, int]) -> None:
        self._uid = uid
        self._names = dict(names)
        self._copies = dict(copies)
        self.why_gone = "the copy of the scene is gone: it was undone or removed; run it again"

    @property
    def uid(self) -> int:
        """``session_uid`` of the scene."""
        return self._uid

    @property
    def there(self) -> bool:
        """Whether the copy is still in the file."""
        return any(scene.session_uid == self._uid for scene in bpy.data.scenes)

    @property
    def scene(self) -> bpy.types.Scene:
        """The copy. Raises ``StageGone``."""
        for scene in bpy.data.scenes:
            if scene.session_uid == self._uid:
                return scene
        raise StageGone(self.why_gone)

    @property
    def names(self) -> Mapping[str, str]:
        """Name in the person's scene by the name in the copy."""
        return self._names

    def object(self, name: str) -> bpy.types.Object:
        """The copy of the object that the person calls ``name``. Raises ``KeyError``."""
        uid = self._copies.get(name)
        for obj in self.scene.objects:
            if obj.session_uid == uid:
                return obj
        raise KeyError(f"the copy has no object {name!r}")

    def matrices(self, names: tuple[str, ...]) -> NDArray[np.float32]:
        """Where those objects are in the present frame, (k, 4, 4), simulation included."""
        graph = self.scene.view_layers[0].depsgraph
        places = {obj.session_uid: obj for obj in self.scene.objects}
        found = np.empty((len(names), 4, 4), np.float32)
        for i, name in enumerate(names):
            obj = places[self._copies[name]]
            found[i] = np.array(obj.evaluated_get(graph).matrix_world, np.float32)
        return found


def copy_of(scene: bpy.types.Scene, window: bpy.types.Window, title: str) -> SceneCopy:
    """A full copy of the scene that ``window`` shows; the window goes on showing the original.

    Raises ``ValueError`` if the copy's objects can't be told apart; nothing of it is left then.
    """
    before = {s.session_uid for s in bpy.data.scenes}
    with _unchanged(window):
        with bpy.context.temp_override(window=window):
            bpy.ops.scene.new(type="FULL_COPY")
        made = next(s for s in bpy.data.scenes if s.session_uid not in before)
    made.name = title
    made[COPY_KEY] = True
    originals, copies = list(scene.objects), list(made.objects)
    if [_plain(o.name) for o in originals] != [_plain(o.name) for o in copies]:
        remove(made)
        raise ValueError(f"{scene.name} can't be copied whole: its objects can't be told apart")
    pairs = list(zip(originals, copies, strict=True))
    made.view_layers[0].update()
    return SceneCopy(
        made.session_uid,
        {copy.name: original.name for original, copy in pairs},
        {original.name: copy.session_uid for original, copy in pairs},
    )


@contextmanager
def _unchanged(window: bpy.types.Window) -> Any:
    """The window shows afterwards what it showed before."""
    scene, layer = window.scene, window.view_layer
    try:
        yield
    finally:
        window.scene = scene
        window.view_layer = layer


def remove(scene: bpy.types.Scene) -> None:
    """Take a copy away with all that only it used, also what was added to it meanwhile."""
    objects = [obj for obj in scene.objects if all(s == scene for s in obj.users_scene)]
    data = {obj.data for obj in objects if obj.data is not None}
    collections = set(scene.collection.children_recursive)
    world = scene.rigidbody_world
    if world is not None:
        collections |= {c for c in (world.collection, world.constraints) if c is not None}
    surroundings = scene.world
    bpy.data.scenes.remove(scene)
    bpy.data.batch_remove(objects)
    left = [*data, *collections, *([surroundings] if surroundings is not None else [])]
    bpy.data.batch_remove([block for block in left if block.users == 0])


def remove_all() -> None:
    """Take every copy away."""
    for scene in [s for s in bpy.data.scenes if s.get(COPY_KEY)]:
        if len(bpy.data.scenes) > 1:
            remove(scene)


def _plain(name: str) -> str:
    return _SUFFIX.sub("", name)
