# SPDX-License-Identifier: GPL-3.0-or-later
"""Each evaluated mesh of a scene once: its vertices read, a box fitted in its own coordinates."""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from .fitting import Floats, fit_corners
from .reading import role_in_name
from .solids import Solid, survey

#: Vertices and corners of faces that one survey holds at most, about 100 bytes each.
SURVEYED_AT_ONCE = 2_000_000

_EMPTY, _NO_FACES, _NOT_FINITE, _SOLID = range(4)
PROBLEM_KINDS = {_EMPTY: "empty mesh", _NO_FACES: "no faces", _NOT_FINITE: "not finite"}


def read_solid(mesh: bpy.types.Mesh) -> Solid:
    """Vertices and faces of a mesh that has both."""
    vertices = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.attributes["position"].data.foreach_get("vector", vertices)
    corners = np.empty(len(mesh.loops), np.int32)
    mesh.attributes[".corner_vert"].data.foreach_get("value", corners)
    starts = np.empty(len(mesh.polygons), np.int32)
    mesh.polygons.foreach_get("loop_start", starts)
    return Solid(vertices.reshape(-1, 3).astype(np.float64), corners, starts)


@dataclass(frozen=True)
class LocalBoxes:
    """Boxes of ``u`` meshes in mesh coordinates; ``state`` (u,) one of the codes above."""

    state: NDArray[np.int8]
    center: Floats
    axes: Floats
    size: Floats
    fill: Floats


class MeshTable:
    """Meshes by address, read when first met, so that shared ones are read and fitted once.

    Valid while the depsgraph that owns the evaluated meshes isn't evaluated again.
    """

    def __init__(self) -> None:
        self._index: dict[int, int] = {}
        self._meshes: list[bpy.types.Mesh | Solid] = []
        self._eights: list[int] = []
        self._positions = np.empty((256, 24), np.float32)  # of meshes of eight vertices; grows
        self._others: dict[int, tuple[int, tuple | None]] = {}
        self._odd: set[int] = set()  # neither empty nor of eight vertices
        self._claimed: set[int] = set()  # odd meshes of an object with a role in its name
        self._pending: dict[int, Solid] = {}
        self._pending_size = 0
        self.in_edit_mode: set[int] = set()
        #: Meshes without a sawn shape whose users claim no role: trees. Their box is level.
        self.organic: set[int] = set()

    def __len__(self) -> int:
        return len(self._meshes)

    def add(self, obj: bpy.types.Object, name: str, role: object) -> int:
        """Index of the mesh of an evaluated object, which is called ``name`` and says ``role``."""
        mesh = obj.data
        key = mesh.as_pointer()
        index = self._index.get(key)
        if index is None:
            index = self._index[key] = len(self._meshes)
            self._meshes.append(mesh)
            self._read(obj, mesh, index)
        if index in self._odd and role_in_name(name, role if isinstance(role, str) else None):
            self._claimed.add(index)
        return index

    def _read(self, obj: bpy.types.Object, mesh: bpy.types.Mesh, index: int) -> None:
        count = len(mesh.vertices)
        if not count:
            self._read_edited(obj, index)
        elif not len(mesh.polygons):
            self._others[index] = (_NO_FACES, None)
        elif count == 8:
            row = len(self._eights)
            if row == len(self._positions):
                self._positions = np.concatenate([self._positions, np.empty_like(self._positions)])
            mesh.attributes["position"].data.foreach_get("vector", self._positions[row])
            self._eights.append(index)
        else:
            self._take(read_solid(mesh), index)

    def _read_edited(self, obj: bpy.types.Object, index: int) -> None:
        """An empty mesh, or one in Edit Mode: then the evaluated mesh is a shell without arrays."""
        try:
            mesh = obj.to_mesh()
            if not len(mesh.vertices):
                self._others[index] = (_EMPTY, None)
                return
            self.in_edit_mode.add(index)
            if not len(mesh.polygons):
                self._others[index] = (_NO_FACES, None)
                return
            solid = self._meshes[index] = read_solid(mesh)
        finally:
            obj.to_mesh_clear()
        self._take(solid, index)

    def _take(self, solid: Solid, index: int) -> None:
        """Keep an odd mesh for the next survey, so that forests are looked at by the thousand."""
        self._odd.add(index)
        self._pending[index] = solid
        self._pending_size += len(solid.vertices) + len(solid.corners)
        if self._pending_size > SURVEYED_AT_ONCE:
            self._survey()

    def _survey(self) -> None:
        """Sort what is pending: not finite, organic (level box for now), or to be fitted."""
        seen = survey(list(self._pending.values()))
        for i, (index, solid) in enumerate(self._pending.items()):
            if not seen.finite[i]:
                self._others[index] = (_NOT_FINITE, None)
            elif seen.organic[i] and index not in self._claimed:
                self.organic.add(index)
                box = (seen.center[i], np.eye(3), seen.size[i], float(seen.fill[i]))
                self._others[index] = (_SOLID, box)
            else:
                self._others[index] = (_SOLID, solid.box())
        self._pending.clear()
        self._pending_size = 0

    def solid(self, index: int) -> Solid:
        """The vertices and faces of mesh ``index`` again."""
        mesh = self._meshes[index]
        return mesh if isinstance(mesh, Solid) else read_solid(mesh)

    def local_boxes(self) -> LocalBoxes:
        """Boxes of all meshes in mesh coordinates: eight corners in a batch, others singly."""
        u = len(self)
        state = np.full(u, _SOLID, np.int8)
        center, axes = np.zeros((u, 3)), np.tile(np.eye(3), (u, 1, 1))
        size, fill = np.zeros((u, 3)), np.ones(u)
        if self._eights:
            where = np.array(self._eights)
            points = self._positions[: len(where)].astype(np.float64).reshape(-1, 8, 3)
            fit = fit_corners(points)
            center[where], axes[where], size[where] = fit.center, fit.axes, fit.size
            for index in map(int, where[~fit.exact]):  # eight vertices, but no box
                self._claimed.add(index)  # cheap enough to be searched in any case
                self._take(self.solid(index), index)
        self._survey()
        for index in self.organic & self._claimed:
            # A member after all, if a log: worth the search for its smallest box.
            self.organic.discard(index)
            self._others[index] = (_SOLID, self.solid(index).box())
        for index, (code, box) in self._others.items():
            state[index] = code
            if box is not None:
                center[index], axes[index], size[index], fill[index] = box
        return LocalBoxes(state, center, axes, size, fill)
