# SPDX-License-Identifier: GPL-3.0-or-later
"""The blocks of an open scene as panels and overlays see them: read once for each change.

Main thread only. Nothing here changes a scene but :func:`animate`, which is asked for by a button.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import Any

import bpy
import numpy as np
from bpy.app.handlers import persistent
from numpy.typing import NDArray

from ...checks.voxel.structure import VoxelError, VoxelStructure
from ..block_path import BlockPath, path_of
from ..scene.block_log import STANDS, Rows
from ..scene.block_nodes import show_actions, shown_actions, shown_path
from ..scene.blocks import blocks_object, rows_of

_serials = count(1)


@dataclass(frozen=True)
class BlocksNow:
    """What a scene's blocks are now. ``serial`` is another one whenever they are others."""

    serial: int
    rows: Rows

    @cached_property
    def structure(self) -> VoxelStructure:
        """The blocks that stand, with what stood after earlier turns."""
        return self.rows.structure()

    @cached_property
    def actions(self) -> int:
        """How many placements and removals there were."""
        gone = self.rows.until[self.rows.until < STANDS]
        last = max(self.rows.order.max(initial=-1), gone.max(initial=-1))
        return int(last) + 1

    @cached_property
    def materials(self) -> tuple[tuple[str, int], ...]:
        """Materials of the blocks that stand and how many, the most frequent first."""
        return tuple(Counter(self.structure.materials).most_common())

    @cached_property
    def path(self) -> BlockPath:
        """The way in placement order."""
        return path_of(self.structure)

    def standing(self, shown: int) -> int:
        """How many of the blocks that stand in the end were placed by the first actions."""
        return int(np.searchsorted(self._placed, shown))

    @cached_property
    def _placed(self) -> NDArray[np.int64]:
        """By which actions the blocks that stand were placed, ascending."""
        return np.sort(self.rows.order[self.rows.standing()])


_kept: dict[int, tuple[Any, int, BlocksNow]] = {}
_changes: Counter[int] = Counter()
_trouble: dict[int, str] = {}


def of(scene: bpy.types.Scene) -> BlocksNow | None:
    """The blocks of a scene; ``None`` without any, or where they can't be read."""
    obj = blocks_object(scene)
    if obj is None:
        return None
    uid = obj.session_uid
    changes = _changes[uid]
    kept = _kept.get(uid)
    if kept is not None and kept[1] == changes:
        return kept[2]
    mark = _fingerprint(obj)
    if kept is not None and kept[0] == mark and mark is not None:
        now = kept[2]
    else:
        try:
            now = BlocksNow(next(_serials), rows_of(obj, scene))
        except VoxelError as error:
            _trouble[uid] = str(error)
            return None
    _trouble.pop(uid, None)
    _kept[uid] = (mark, changes, now)
    return now


def trouble(scene: bpy.types.Scene) -> str:
    """Why the blocks of a scene can't be read; empty if they can."""
    obj = blocks_object(scene)
    return _trouble.get(obj.session_uid, "") if obj is not None else ""


def _fingerprint(obj: bpy.types.Object) -> Any:
    """The same for the same blocks, whatever Blender touched; ``None`` in Edit Mode."""
    mesh = obj.data
    if obj.mode == "EDIT":
        return None
    n = len(mesh.vertices)
    points = np.empty(3 * n, np.float32)
    mesh.vertices.foreach_get("co", points)
    parts: list[Any] = [hash(points.tobytes()), tuple(map(tuple, obj.matrix_world))]
    for attribute in mesh.attributes:
        if attribute.data_type == "INT" and len(attribute.data) == n:
            values = np.empty(n, np.int32)
            attribute.data.foreach_get("value", values)
            parts.append((attribute.name, hash(values.tobytes())))
    return (*parts, *(str(obj.get(key)) for key in sorted(obj.keys())))


def shown(scene: bpy.types.Scene) -> int:
    """How many actions the scene shows, at most as many as there were."""
    now, obj = of(scene), blocks_object(scene)
    if now is None or obj is None:
        return 0
    try:
        return min(shown_actions(obj), now.actions)
    except ValueError:
        return now.actions


def animate(scene: bpy.types.Scene, per_second: float) -> int:
    """Keyframe how many actions are shown, from the first frame on; the frame of the last one.

    That frame is shown then, and the scene's last frame goes up to it where it comes later. Earlier
    keys of this are replaced.
    Raises ``ValueError`` where there are no blocks, or they have lost what shows them.
    """
    now, obj = of(scene), blocks_object(scene)
    if now is None or obj is None:
        raise ValueError("There are no blocks in this scene")
    path = shown_path(obj)
    first = scene.frame_start
    fps = scene.render.fps / scene.render.fps_base
    last = first + max(1, round(now.actions / per_second * fps))
    curve = _curve(obj, path)
    if curve is not None:
        curve.keyframe_points.clear()
    for frame, value in ((first, 0), (last, now.actions)):
        show_actions(obj, value)
        obj.keyframe_insert(data_path=path, frame=frame)
    curve = _curve(obj, path)
    for point in curve.keyframe_points if curve is not None else ():
        point.interpolation = "LINEAR"
    scene.frame_end = max(scene.frame_end, last)
    scene.frame_set(last)
    return last


def _curve(obj: bpy.types.Object, path: str) -> Any:
    """The curve of a property's keys, ``None`` without; as Blender keeps it, now or formerly."""
    data = obj.animation_data
    if data is None or data.action is None:
        return None
    if hasattr(data.action, "fcurves"):  # up to 4.5
        return data.action.fcurves.find(path)
    from bpy_extras.anim_utils import action_get_channelbag_for_slot

    bag = action_get_channelbag_for_slot(data.action, data.action_slot)
    return bag.fcurves.find(path) if bag is not None else None


@persistent
def _updated(_scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    for update in depsgraph.updates:
        if isinstance(update.id, bpy.types.Object):
            uid = update.id.original.session_uid
            if uid in _kept:
                _changes[uid] += 1


@persistent
def _anything(*_: Any) -> None:
    """Undo, redo: whatever was read may be otherwise."""
    for uid in _kept:
        _changes[uid] += 1


@persistent
def _forget(*_: Any) -> None:
    _kept.clear()
    _changes.clear()
    _trouble.clear()


def _handlers() -> tuple[tuple[list[Any], Callable[..., None]], ...]:
    lists = bpy.app.handlers
    return (
        (lists.depsgraph_update_post, _updated),
        (lists.undo_post, _anything),
        (lists.redo_post, _anything),
        (lists.load_pre, _forget),
    )


CLASSES: tuple[type, ...] = ()


def attach() -> None:
    """Begin to notice changes."""
    for handlers, handler in _handlers():
        handlers.append(handler)


def detach() -> None:
    """Stop noticing, and forget what was read."""
    for handlers, handler in _handlers():
        if handler in handlers:
            handlers.remove(handler)
    _forget()
