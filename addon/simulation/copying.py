# SPDX-License-Identifier: GPL-3.0-or-later
"""Copies of a scene for trials: made whole, found again, and taken away without a trace.

Only Blender's own full copy is safe: every other way shares rigid bodies between copy and original
and spoils both. It renames objects and shows the copy; both is put right here. Main thread only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager

import bpy
import numpy as np
from numpy.typing import NDArray

from .handlers import held_back
from .media.liquid_solver import refuse_liquids
from .probes import StageGone
from .refusals import numberless, refuse_shared
from .steps import SimulationError

_SUFFIX = re.compile(r"\.\d{3,}$")
#: Marks a scene as a copy of ours; no person's scene has it.
COPY_KEY = "plumbline_copy"
#: By a copy's ``session_uid``: the newest one before it, and all that came with it, by kind.
_made: dict[int, tuple[int, dict[str, set[int]]]] = {}


class SceneCopy:
    """See :class:`.probes.Stage`."""

    def __init__(
        self,
        uid: int,
        names: Mapping[str, str],
        copies: Mapping[str, int],
        layer: str | None = None,
        original: int | None = None,
    ) -> None:
        self._uid = uid
        self._names = dict(names)
        self._copies = dict(copies)
        self._layer = layer
        self._original = original
        self.why_gone = "the copy of the scene is gone: it was undone or removed; run it again"
        #: What is done to the copy once a frame was recorded, by frame: changes in midst of a run.
        self.after: dict[int, list[Callable[[], None]]] = {}

    @property
    def uid(self) -> int:
        """``session_uid`` of the scene."""
        return self._uid

    @property
    def original_uid(self) -> int | None:
        """``session_uid`` of the person's scene."""
        return self._original

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

    @property
    def layer(self) -> bpy.types.ViewLayer:
        """The copy of the view layer that the person saw. Raises ``StageGone``."""
        layers = self.scene.view_layers
        return layers.get(self._layer or "") or layers[0]

    @property
    def graph(self) -> bpy.types.Depsgraph:
        """The copy as it is evaluated in the present frame. Raises ``StageGone``."""
        return self.layer.depsgraph

    def object(self, name: str) -> bpy.types.Object:
        """The copy of the object that the person calls ``name``. Raises ``KeyError``."""
        uid = self._copies.get(name)
        for obj in members(self.scene):
            if obj.session_uid == uid:
                return obj
        raise KeyError(f"the copy has no object {name!r}")

    def name(self, obj: bpy.types.Object) -> str:
        """What the person calls an object of the copy; its own name if it was added since."""
        return self._names.get(obj.name, obj.name)

    def adopt(self, obj: bpy.types.Object) -> None:
        """Take in an object that was added to the copy, under its own name."""
        self._names[obj.name] = obj.name
        self._copies[obj.name] = obj.session_uid

    def matrices(self, names: tuple[str, ...]) -> NDArray[np.float32]:
        """Where those objects are in the present frame, (k, 4, 4), simulation included."""
        graph = self.graph
        places = {obj.session_uid: obj for obj in members(self.scene)}
        found = np.empty((len(names), 4, 4), np.float32)
        for i, name in enumerate(names):
            obj = places[self._copies[name]]
            found[i] = np.array(obj.evaluated_get(graph).matrix_world, np.float32)
        return found


def members(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """The objects of a scene, and those that only its rigid-body world holds: they collide too."""
    found = list(scene.objects)
    world = scene.rigidbody_world
    if world is not None:
        there = set(found)
        for part in (world.collection, world.constraints):
            rest = [obj for obj in part.all_objects if obj not in there] if part else []
            found += rest
            there |= set(rest)
    return found


@contextmanager
def copied(scene: bpy.types.Scene, title: str) -> Iterator[SceneCopy]:
    """A full copy of any scene of the file, taken away at the end however that comes.

    Works in a window, in ``blender -b`` and in the bpy module. Raises
    :class:`.steps.SimulationError` if the scene can't be copied.
    """
    windows = bpy.context.window_manager.windows
    window = bpy.context.window or (windows[0] if len(windows) else None)
    if window is None:
        raise SimulationError(f"{scene.name} can't be copied: this Blender has no window at all")
    stage = copy_of(scene, window, title)
    try:
        yield stage
    finally:
        if stage.there:
            remove(stage.scene)


def copy_of(scene: bpy.types.Scene, window: bpy.types.Window, title: str) -> SceneCopy:
    """A full copy of a scene; the window goes on showing what it shows.

    Raises :class:`.steps.SimulationError` (a ``ValueError``) if a linked object would be shared
    with the copy, its objects can't be told apart, or it has a fluid domain or vertices that would
    end this process; nothing of it is left then.
    """
    refuse_shared(scene, members(scene))
    refuse_liquids(scene)
    layer = window.view_layer.name if window.scene == scene else scene.view_layers[0].name
    before = _everything()
    with _unchanged(window):
        window.scene = scene
        with bpy.context.temp_override(window=window):
            bpy.ops.scene.new(type="FULL_COPY")
        made = next(s for s in bpy.data.scenes if s.session_uid not in before["scenes"])
    made.name = title
    made[COPY_KEY] = True
    after = _everything()
    newest = max(max(uids, default=0) for uids in before.values())
    _made[made.session_uid] = newest, {kind: after[kind] - before[kind] for kind in after}
    originals, copies = members(scene), members(made)
    shared = set(originals) & set(copies)  # linked objects, which come first in a copy
    mine = [o for o in originals if o not in shared]
    theirs = [o for o in copies if o not in shared]
    if [_plain(o.name) for o in mine] != [_plain(o.name) for o in theirs]:
        remove(made)
        raise SimulationError(
            f"{scene.name} can't be copied whole: its objects can't be told apart"
        )
    pairs = [*zip(mine, theirs, strict=True), *((o, o) for o in originals if o in shared)]
    stage = SceneCopy(
        made.session_uid,
        {copy.name: original.name for original, copy in pairs},
        {original.name: copy.session_uid for original, copy in pairs},
        layer,
        scene.session_uid,
    )
    stage.layer.update()
    bad = numberless(copies, stage.graph)
    if bad is not None:
        name = stage.name(bad)
        remove(made)
        raise SimulationError(
            f"{name} has vertices that are no numbers, which Blender's solver doesn't outlive: "
            f"delete them"
        )
    return stage


@contextmanager
def _unchanged(window: bpy.types.Window) -> Iterator[None]:
    """The window shows afterwards what it showed before; no script hears of what is between."""
    scene, layer = window.scene, window.view_layer
    with held_back():
        try:
            yield
        finally:
            window.scene = scene
            window.view_layer = layer


def remove(scene: bpy.types.Scene) -> None:
    """Take a copy away with all that only it used, also what was added to it meanwhile."""
    newest, made = _made.pop(scene.session_uid, (0, {}))
    objects = [obj for obj in members(scene) if all(s == scene for s in obj.users_scene)]
    _add(made, objects)
    for obj in objects:
        _add(made, _used_by(obj))
    _add(made, scene.collection.children_recursive)
    _remove_joints(scene)
    held = _end_world(scene, newest)
    _add(made, [block for block in (scene.world,) if block is not None])
    made.pop("scenes", None)
    made.pop("shape_keys", None)  # they go with what they are the keys of
    gone = {obj.session_uid for obj in objects}
    bpy.data.scenes.remove(scene)
    bpy.data.batch_remove([o for o in bpy.data.objects if o.session_uid in gone])
    bpy.data.batch_remove([c for c in bpy.data.collections if c.session_uid in held])
    count = -1
    while (left := _unused(made, newest)) and len(left) != count:
        count = len(left)
        bpy.data.batch_remove(left)


def _remove_joints(scene: bpy.types.Scene) -> None:
    """Joints one by one: a world that is removed with joints in it ends Blender, seen in 5.0.

    Those out of sight, in an excluded collection or in none, are simulated as well, but an operator
    reaches none of them there.
    """
    layer = scene.view_layers[0]
    for obj in [obj for obj in members(scene) if obj.rigid_body_constraint is not None]:
        if obj.name not in layer.objects:
            scene.collection.objects.link(obj)
            layer.update()
        layer.objects.active = obj
        with bpy.context.temp_override(
            scene=scene, view_layer=layer, object=obj, active_object=obj
        ):
            bpy.ops.rigidbody.constraint_remove()


def _end_world(scene: bpy.types.Scene, newest: int) -> set[int]:
    """Free a copy's rigid-body world; the uids of its collections, which stay as if in use.

    Without this, objects that go after their scene take bodies of another scene's simulation with
    them, and those that go before it end Blender: seen in 4.2, 5.0 and 5.2.
    """
    world = scene.rigidbody_world
    if world is None:
        return set()
    both = [c for c in (world.collection, world.constraints) if c is not None]
    held = {c.session_uid for c in both if c.session_uid > newest}
    with bpy.context.temp_override(scene=scene):
        bpy.ops.rigidbody.world_remove()
    return held


def _used_by(obj: bpy.types.Object) -> Iterator[bpy.types.ID]:
    """What an object leads to that a probe may have added with it."""
    data = obj.data
    if data is not None:
        yield data
        keys = getattr(data, "shape_keys", None)
        if keys is not None and keys.animation_data and keys.animation_data.action:
            yield keys.animation_data.action
    for block in (obj, data):
        animation = getattr(block, "animation_data", None)
        if animation is not None and animation.action is not None:
            yield animation.action
    yield from (slot.material for slot in obj.material_slots if slot.material is not None)
    yield from (system.settings for system in obj.particle_systems)
    yield from (m.node_group for m in obj.modifiers if getattr(m, "node_group", None))
    for modifier in obj.modifiers:  # what a pair that doesn't touch was limited to
        for name, limit in (
            ("collision_settings", "collection"),
            ("settings", "collision_collection"),
        ):
            found = getattr(getattr(modifier, name, None), limit, None)
            if found is not None:
                yield found


def _add(made: dict[str, set[int]], blocks: Iterable[bpy.types.ID]) -> None:
    for block in blocks:
        if block.library is None:
            made.setdefault("", set()).add(block.session_uid)


def _unused(made: Mapping[str, set[int]], newest: int) -> list[bpy.types.ID]:
    """What of a copy is still there and used by nothing; never what is older than the copy."""
    uids = set().union(*made.values())
    kinds = _KINDS if "" in made else [kind for kind, some in made.items() if some]
    return [
        block
        for kind in kinds
        for block in getattr(bpy.data, kind)
        if block.session_uid > newest
        and block.session_uid in uids
        and block.users - block.use_fake_user <= 0
    ]


def _everything() -> dict[str, set[int]]:
    """``session_uid`` of all data in the file, by kind."""
    found = {}
    for kind in _KINDS:
        blocks = getattr(bpy.data, kind)
        uids = np.empty(len(blocks), np.int32)
        blocks.foreach_get("session_uid", uids)
        found[kind] = set(uids.tolist())
    return found


def _kinds() -> list[str]:
    """Names of the lists of data-blocks of a file, but for those that belong to the session."""
    rest = {"all_ids", "window_managers", "screens", "workspaces", "libraries"}
    return [
        prop.identifier
        for prop in bpy.types.BlendData.bl_rna.properties
        if prop.type == "COLLECTION" and prop.identifier not in rest
    ]


_KINDS = _kinds()


def remove_all() -> None:
    """Take every copy away."""
    for scene in [s for s in bpy.data.scenes if s.get(COPY_KEY)]:
        if len(bpy.data.scenes) > 1:
            remove(scene)


def _plain(name: str) -> str:
    return _SUFFIX.sub("", name)
