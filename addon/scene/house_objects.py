# SPDX-License-Identifier: GPL-3.0-or-later
"""A generated house as Blender objects: named collections, shared meshes, what is known of each.

Every object has unit scale and stands at its member's centre. Members along the axes are not
turned, sloped ones have their length along their own x. So every reader sees them right: one that
multiplies scale into dimensions, and one that takes dimensions for world extents.
"""

from __future__ import annotations

from collections.abc import Iterator

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from ...checks.timber.structure import CORNER_SIGNS, TimberStructure
from ...tasks.houses.house import House
from .fitting import BOX_FACES, Floats
from .gather import NAME_PROPERTY, ROLE_PROPERTY
from .members import unit_scale

#: Custom properties of each member's object: nominal size of the section, phase of the work, and
#: the name of the member that it stands on (missing on the ground). The role is the property
#: :data:`.gather.ROLE_PROPERTY`, which the reader takes first.
SECTION_PROPERTY = "plumbline_section"
CATEGORY_PROPERTY = "plumbline_category"
PARENT_PROPERTY = "plumbline_parent"

#: Collection of each category, in the order of the work; ``None`` is what has no role.
COLLECTIONS: dict[str | None, str] = {
    "foundation": "Foundation",
    "floor": "Floor",
    "walls": "Walls",
    "roof": "Roof",
    "accessory": "Accessories",
    None: "Other",
}
#: A member lies along the axes if its own differ from them by no more (cosine).
_STRAIGHT = 1e-9


def write_house(
    house: House, scene: bpy.types.Scene | None = None, name: str | None = None
) -> bpy.types.Collection:
    """Write a house into ``scene`` (default: the open one); returns its collection.

    The collection is called ``name`` (default: the house's title) and holds one a category that
    there are members of: ``Foundation``, ``Floor``, ``Walls``, ``Roof``. Members of equal size
    share one mesh. Lengths are converted to the scene's unit. Where Blender has to number a name
    that is taken, the property ``plumbline_name`` keeps the member's own.
    """
    scene = scene or bpy.context.scene
    whole = bpy.data.collections.new(name or house.title)
    groups = {
        category: bpy.data.collections.new(label)
        for category, label in COLLECTIONS.items()
        if category in house.categories
    }
    for obj, category in zip(_objects(house, unit_scale(scene)), house.categories, strict=True):
        groups[category].objects.link(obj)
    for group in groups.values():
        whole.children.link(group)
    # Linked last: until then no view layer has to be kept up to date.
    scene.collection.children.link(whole)
    return whole


def _objects(house: House, unit: float) -> Iterator[bpy.types.Object]:
    """The object of each member, in order, linked nowhere."""
    structure = house.structure
    size, matrices = placed_boxes(structure)
    matrices[:, :3, 3] /= unit
    meshes, which = _shared_meshes(size / unit)
    parents = [structure.names[i] if i >= 0 else None for i in house.parents]
    rows = zip(
        structure.names,
        which.tolist(),
        matrices.tolist(),
        zip(house.roles.role, house.sections, house.categories, parents, strict=True),
        strict=True,
    )
    keys = (ROLE_PROPERTY, SECTION_PROPERTY, CATEGORY_PROPERTY, PARENT_PROPERTY)
    for name, mesh, matrix, known in rows:
        obj = bpy.data.objects.new(name, meshes[mesh])
        obj.matrix_world = Matrix(matrix)
        obj.scale = (1.0, 1.0, 1.0)  # taken out of a matrix it is off by the noise of float32
        for key, value in zip(keys, known, strict=True):
            if value is not None:
                obj[key] = value
        if obj.name != name:
            obj[NAME_PROPERTY] = name
        yield obj


def placed_boxes(structure: TimberStructure) -> tuple[Floats, Floats]:
    """Full sizes (n, 3), m, along each object's own axes, and its matrices (n, 4, 4).

    Members along the axes of the world are not turned. The others have their length along x and,
    of the two axes across it, the more level one as y.
    """
    axes, size = structure.axes.copy(), 2.0 * structure.half
    swap = np.abs(axes[:, 1, 2]) > np.abs(axes[:, 2, 2])  # the second axis is the steeper one
    axes[swap, 1], axes[swap, 2] = axes[swap, 2], -axes[swap, 1]
    size[swap] = size[swap][:, [0, 2, 1]]
    under = axes[:, 2, 2] < 0.0  # half a turn about the length: a box stays the same
    axes[under, 1:] *= -1.0
    world = np.abs(axes)
    straight = (world.max(axis=2) > 1.0 - _STRAIGHT).all(axis=1)
    size[straight] = np.einsum("nij,ni->nj", np.rint(world[straight]), size[straight])
    axes[straight] = np.eye(3)
    matrices = np.zeros((len(structure), 4, 4))
    matrices[:, :3, :3] = axes.transpose(0, 2, 1)
    matrices[:, :3, 3] = structure.center
    matrices[:, 3, 3] = 1.0
    return size, matrices


def _shared_meshes(size: Floats) -> tuple[list[bpy.types.Mesh], NDArray[np.intp]]:
    """A box mesh for each different size (n, 3), and which of them each member has, (n,)."""
    different, which = np.unique(np.round(size, 7), axis=0, return_inverse=True)
    meshes = []
    for box in different:
        mesh = bpy.data.meshes.new(" x ".join(f"{1000.0 * side:.0f}" for side in box))
        mesh.from_pydata((0.5 * box * CORNER_SIGNS).tolist(), [], BOX_FACES)
        mesh.update()
        meshes.append(mesh)
    return meshes, which.reshape(-1)
