# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the members of a checked scene stand now, and which of them a view shows.

A redraw must not ask thousands of objects. Handlers only count that something was edited; the next
redraw then reads all poses and visible objects in a few calls, and the ones after it nothing.
Objects are known by their ``session_uid``, which outlives undo and renaming. Main thread only.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import bpy
import numpy as np
from bpy.app.handlers import persistent
from numpy.typing import NDArray

from ..pictures.reconstruction.placed import Placed
from ..review import Review

Mask = NDArray[np.bool_]

# A pose counts as moved beyond this, in units of the scene; float32 noise stays below it.
_MOVED = 1e-5
# What makes one view show other objects than the next one.
_SETTINGS = bpy.types.SpaceView3D.bl_rna.properties.keys()
_SWITCHES = tuple(
    name
    for name in _SETTINGS
    if name.startswith("show_object_viewport_") or name == "use_local_collections"
)

# How often something was edited at all, and so that other objects may be seen.
_edits: dict[str, int] = {"count": 0, "shown": 0}
_standings: dict[int, Standing] = {}


@persistent
def _note_edit(_scene: Any = None, depsgraph: Any = None) -> None:
    """Something moved, came, went, was hidden or shown; also by undo and by another frame."""
    _edits["count"] += 1
    # Whatever hides or shows an object changes the scene too; merely moving one does not.
    if depsgraph is None or depsgraph.id_type_updated("SCENE"):
        _edits["shown"] += 1


def _handler_lists() -> tuple[list[Any], ...]:
    lists = bpy.app.handlers
    return (
        lists.depsgraph_update_post,
        lists.undo_post,
        lists.redo_post,
        lists.frame_change_post,
    )


def attach() -> None:
    """Begin to count edits."""
    for each in _handler_lists():
        if _note_edit not in each:
            each.append(_note_edit)


def detach() -> None:
    """Stop counting, and forget everything."""
    for each in _handler_lists():
        if _note_edit in each:
            each.remove(_note_edit)
    _standings.clear()


def edits() -> int:
    """How often something was edited since Blender runs."""
    return _edits["count"]


def shown_edits() -> int:
    """How often objects came, went, were hidden or shown since Blender runs."""
    return _edits["shown"]


def of(found: Review, scene: bpy.types.Scene) -> Standing:
    """Where the members of a review's scene stand, brought up to date if something was edited."""
    uid = scene.session_uid
    kept = _standings.get(uid)
    if kept is None or kept.serial != found.serial:
        living = {s.session_uid for s in bpy.data.scenes}
        for gone in [key for key in _standings if key not in living]:
            del _standings[gone]
        kept = _standings[uid] = Standing(found, scene)
    kept.refresh(scene)
    return kept


class Standing:
    """Members of one review, ``n``: their objects, motions since the check, and who is there.

    ``here`` (n,) tells whose object is still in the scene, ``moved`` (n,) whose pose is another
    than at the time of the check, ``motion`` (n, 4, 4) how it got there, in m. ``changes`` counts
    how often any of them changed. What moves by itself is held against where the check had it in
    the frame that is shown.
    """

    def __init__(self, found: Review, scene: bpy.types.Scene) -> None:
        self.serial = found.serial
        self.unit = found.unit
        names = found.subjects.names
        source = found.structure.source
        instancers, shows_all = source.get("instancers", {}), source.get("object")
        self.index = found.member_index
        n = len(names)
        self.uids = np.zeros(n, np.int64)
        before = np.tile(np.eye(4), (n, 1, 1))
        for row, name in enumerate(names):
            of_object = shows_all or instancers.get(name, name)
            pose = found.poses.get(of_object)
            if pose is not None:
                self.uids[row] = pose.uid
                before[row] = pose.matrix
            if not self.uids[row]:
                obj = scene.objects.get(of_object)
                self.uids[row] = obj.session_uid if obj is not None else -1
        self._placed = None
        if found.in_motion:
            self._placed = Placed(found.structure.trajectory, found.poses, self.unit)
        self._slack = _MOVED if self._placed is None else self._placed.slack[:, None]
        self._back = _inverted(before)
        self._before = before
        self.here: Mask = np.zeros(n, bool)
        self.moved: Mask = np.zeros(n, bool)
        self._still = np.tile(np.eye(4), (n, 1, 1))
        self.motion = self._still
        self._known = np.zeros(0, np.int64)
        self._rows = np.zeros(n, np.intp)
        self._there: Mask = self.here
        self._at = np.zeros((0, 4, 4))
        self.changes = 0
        self._seen_edits = -1
        self._visible: dict[int, tuple[Any, Mask]] = {}

    def refresh(self, scene: bpy.types.Scene) -> None:
        """Read poses again if anything was edited since the last time."""
        if self._seen_edits == edits():
            return
        self._seen_edits = edits()
        if self._placed is not None:
            self._before = self._placed.matrices(scene.frame_current)
            self._back = _inverted(self._before)
        uids, matrices = _poses(scene)
        if not np.array_equal(uids, self._known):
            self._known = uids
            self._rows, self._there = _rows_of(self.uids, uids)
        now, here = matrices[self._rows], self._there
        off = np.abs(now - self._before).reshape(-1, 16)
        moved = here & (off > self._slack).any(axis=1)
        at = now[moved]
        if np.array_equal(moved, self.moved) and np.array_equal(at, self._at):
            if here is not self.here:
                self.here = here
                self.changes += 1
            return
        motion = at @ self._back[moved]
        motion[:, :3, 3] *= self.unit
        self.motion = self._still.copy()
        self.motion[moved] = motion
        self.here, self.moved, self._at = here, moved, at
        self.changes += 1

    def visible(self, context: bpy.types.Context) -> Mask:
        """Which members this view shows, (n,): not hidden, and in its local view if it has one."""
        space = context.space_data
        local = space.local_view
        key = (
            _edits["shown"],
            len(self._known),
            context.view_layer.name,
            local.as_pointer() if local is not None else 0,
            tuple(getattr(space, name) for name in _SWITCHES),
        )
        place = space.as_pointer()
        kept = self._visible.get(place)
        if kept is None or kept[0] != key:
            shown = [obj.session_uid for obj in context.visible_objects]
            mask = self.here & np.isin(self.uids, np.array(shown, np.int64))
            if kept is not None and np.array_equal(kept[1], mask):
                mask = kept[1]
            if len(self._visible) > 16:  # views that were closed
                self._visible.clear()
            kept = self._visible[place] = (key, mask)
        return kept[1]

    def moves_of(self, names: Iterable[str]) -> dict[str, NDArray[np.float64]]:
        """The motion, a 4 x 4 matrix in m, of each of these members that was moved."""
        rows = {name: self.index[name] for name in names if name in self.index}
        return {name: self.motion[row] for name, row in rows.items() if self.moved[row]}

    def member_of(self, uid: int) -> str | None:
        """The member that the object of this ``session_uid`` shows, the first of several."""
        rows = np.flatnonzero(self.uids == uid)
        names = list(self.index)
        return names[int(rows[0])] if len(rows) else None


def _poses(scene: bpy.types.Scene) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """``session_uid`` (m,) and world matrix (m, 4, 4) of every object of a scene."""
    objects = scene.objects
    m = len(objects)
    if not m:  # one that nobody is, so that rows have something to point at
        return np.full(1, -2), np.eye(4)[None]
    uids = np.empty(m, np.int32)
    matrices = np.empty(m * 16, np.float32)
    objects.foreach_get("session_uid", uids)
    objects.foreach_get("matrix_world", matrices)
    # Blender's arrays go column by column.
    return uids.astype(np.int64), matrices.reshape(m, 4, 4).transpose(0, 2, 1).astype(np.float64)


def _rows_of(wanted: NDArray[np.int64], among: NDArray[np.int64]) -> tuple[NDArray[np.intp], Mask]:
    """Where each wanted number stands among others (0 where it doesn't), and whether it does."""
    order = np.argsort(among, kind="stable")
    at = np.searchsorted(among[order], wanted).clip(0, len(among) - 1)
    rows = order[at]
    return rows, among[rows] == wanted


def _inverted(matrices: NDArray[np.float64]) -> NDArray[np.float64]:
    """Inverses (n, 4, 4); the identity of one that has none (a scale of zero)."""
    usable = np.abs(np.linalg.det(matrices)) > 1e-12
    safe = np.where(usable[:, None, None], matrices, np.eye(4))
    inverse: NDArray[np.float64] = np.linalg.inv(safe)
    return inverse
