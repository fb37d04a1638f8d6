# SPDX-License-Identifier: GPL-3.0-or-later
"""A hash over all that a person can have made in a scene, to prove that looking changes nothing.

Everything that the scene leads to is walked by Blender's own description of its data (RNA): the
scene with its render settings, view layers with selection and visibility, collections, objects with
modifiers and constraints, meshes, materials and their nodes, worlds, actions, custom properties.
Left out is what Blender derives by itself (world matrices, bounds, caches) and our own panel's
state.
"""

from __future__ import annotations

import hashlib
import warnings
from typing import Any

import bmesh
import bpy
import numpy as np
from mathutils import Matrix

#: Scalars that Blender computes from others, or that say nothing about the content.
_DERIVED = frozenset(
    {
        "bl_idname",
        "dimensions",
        "matrix_local",
        "matrix_world",
        "session_uid",
        "tag",
        "wireframe_color_type",  # of a scene's own shading: Blender warns when it is read
        "texspace_location",
        "texspace_size",
    }
)
#: Pointers and lists that lead out of the scene or double what is walked elsewhere.
_NOT_FOLLOWED = frozenset(
    {
        "all_objects",
        "asset_data",
        "bl_rna",
        "colorspace_settings",  # Blender warns when one without a colour space is read
        "linear_colorspace_settings",
        "sequencer_colorspace_settings",
        "children_recursive",
        "depsgraph",
        "id_data",
        "objects",  # of scenes and view layers: the collections hold them
        "override_library",
        "original",
        "preview",
        "rna_type",
        "uv_layer_clone",  # mesh data is read in bulk; Blender 4.2 moves it when these are followed
        "uv_layer_stencil",
        "users_collection",
        "users_scene",
        "uv_sculpt",  # a wild pointer leads out of it in Blender 4.2: reading its brush crashes
    }
)
#: Kinds of data-blocks that belong to the session, not to the scene.
_OF_THE_SESSION = frozenset({"WindowManager", "Screen", "WorkSpace", "Brush", "Library"})
#: Registered properties of this extension: what it remembers about its own panel.
_OWN_PREFIX = "plumbline"
#: Types of attributes: the property that holds a value, values an element, NumPy's type.
_ATTRIBUTES = {
    "FLOAT": ("value", 1, np.float32),
    "INT": ("value", 1, np.int32),
    "BOOLEAN": ("value", 1, np.bool_),
    "INT8": ("value", 1, np.int32),
    "FLOAT2": ("vector", 2, np.float32),
    "FLOAT_VECTOR": ("vector", 3, np.float32),
    "FLOAT_COLOR": ("color", 4, np.float32),
    "BYTE_COLOR": ("color", 4, np.float32),
    "QUATERNION": ("value", 4, np.float32),
    "FLOAT4X4": ("value", 16, np.float32),
    "INT32_2D": ("value", 2, np.int32),
    "INT16_2D": ("value", 2, np.int32),
}

_SCALARS = frozenset({bool, int, float, str, bytes, type(None)})

_Properties = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]


def scene_hash(scene: bpy.types.Scene | None = None) -> str:
    """Hash, 32 hex digits, of ``scene`` (default: the open one) and all data that it leads to.

    The same before and after means: nothing that a person could see or save was changed. Mesh
    arrays are read in bulk; everything else property by property.
    """
    walk = _Walk()
    walk.follow(scene or bpy.context.scene)
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", DeprecationWarning
        )  # properties that will go are still data
        return walk.digest()


class _Walk:
    """Goes from data-block to data-block, each once, and hashes what it finds."""

    def __init__(self) -> None:
        self._hash = hashlib.blake2b(digest_size=16)
        self._waiting: list[bpy.types.ID] = []
        self._met: set[int] = set()
        self._properties: dict[str, _Properties] = {}

    def follow(self, block: bpy.types.ID) -> None:
        """Take ``block`` into the hash, once."""
        key = block.session_uid
        if key not in self._met and type(block).__name__ not in _OF_THE_SESSION:
            self._met.add(key)
            self._waiting.append(block)

    def digest(self) -> str:
        """Walk until nothing is waiting."""
        while self._waiting:
            block = self._waiting.pop()
            self._say(type(block).__name__, block.name_full)
            self._struct(block, set())
            if isinstance(block, bpy.types.Mesh):
                self._mesh(block)
            elif isinstance(block, bpy.types.Scene):
                self._layers(block)
            elif isinstance(block, bpy.types.Collection):
                self._members(block)
        return self._hash.hexdigest()

    def _say(self, *words: Any) -> None:
        self._hash.update(repr(words).encode("utf-8", "surrogateescape"))

    def _reference(self, block: bpy.types.ID) -> tuple[str, str]:
        self.follow(block)
        return type(block).__name__, block.name_full

    def _struct(self, struct: bpy.types.bpy_struct, open_structs: set[tuple[type, int]]) -> None:
        """Scalars of a struct, then the structs and data-blocks in it."""
        scalars, pointers, lists = self._properties_of(struct)
        values = [getattr(struct, name) for name in scalars]
        self._say([v if type(v) in _SCALARS else _plain(v) for v in values])
        self._custom(struct)
        for name in pointers:
            value = getattr(struct, name)
            if isinstance(value, bpy.types.ID):
                # Embedded node trees and master collections have no life of their own.
                self._say(name, self._reference(value))
            elif value is not None:
                self._inside(name, value, open_structs)
        for name in lists:
            for value in getattr(struct, name):
                if isinstance(value, bpy.types.ID):
                    self._say(name, self._reference(value))
                elif value is not None:
                    self._inside(name, value, open_structs)

    def _inside(
        self, name: str, struct: bpy.types.bpy_struct, open_structs: set[tuple[type, int]]
    ) -> None:
        key = struct.as_pointer()
        self._say(name, type(struct).__name__)
        inner = (type(struct), key)
        if inner not in open_structs:  # a struct may lead back to one that it is part of
            open_structs.add(inner)
            self._struct(struct, open_structs)

    def _properties_of(self, struct: bpy.types.bpy_struct) -> _Properties:
        rna = struct.bl_rna
        found = self._properties.get(rna.identifier)
        if found is None:
            found = self._properties[rna.identifier] = _sorted_properties(rna)
        return found

    def _custom(self, struct: bpy.types.bpy_struct) -> None:
        try:
            items = struct.items()
        except TypeError:  # this kind of struct has none
            return
        for name, value in sorted(items, key=lambda item: item[0]):
            if name not in struct.bl_rna.properties:  # a registered one is walked with the struct
                self._say("custom", name, self._custom_value(value))

    def _custom_value(self, value: Any) -> Any:
        if isinstance(value, bpy.types.ID):
            return self._reference(value)
        for unpack in ("to_dict", "to_list"):
            if hasattr(value, unpack):
                return repr(getattr(value, unpack)())
        return repr(value)

    def _layers(self, scene: bpy.types.Scene) -> None:
        """Selection, visibility and the active object in each view layer."""
        for layer in scene.view_layers:
            active = layer.objects.active
            self._say(layer.name, active.name_full if active else None)
            objects = layer.objects
            self._say([o.name_full for o in objects if o.select_get(view_layer=layer)])
            self._say([o.name_full for o in objects if o.hide_get(view_layer=layer)])
            self._say([o.mode for o in objects if o.mode != "OBJECT"])

    def _members(self, collection: bpy.types.Collection) -> None:
        self._say([self._reference(obj) for obj in collection.objects])

    def _mesh(self, mesh: bpy.types.Mesh) -> None:
        """Topology and all attributes; in Edit Mode the mesh that is being edited."""
        if mesh.is_editmode:
            for vertex in bmesh.from_edit_mesh(mesh).verts:
                self._say(tuple(vertex.co), vertex.select)
            return
        starts = np.empty(len(mesh.polygons), np.int32)
        mesh.polygons.foreach_get("loop_start", starts)
        self._hash.update(starts.tobytes())
        for attribute in sorted(mesh.attributes, key=lambda a: a.name):
            self._say(attribute.name, attribute.data_type, attribute.domain)
            self._attribute(attribute)

    def _attribute(self, attribute: bpy.types.Attribute) -> None:
        if attribute.data_type not in _ATTRIBUTES:
            self._say([str(element.value) for element in attribute.data])
            return
        name, width, kind = _ATTRIBUTES[attribute.data_type]
        values = np.empty(width * len(attribute.data), kind)
        attribute.data.foreach_get(name, values)
        self._hash.update(values.tobytes())


def _sorted_properties(rna: bpy.types.Struct) -> _Properties:
    """Names of a struct's own scalars, pointers and lists, as far as they are content."""
    scalars, pointers, lists = [], [], []
    for prop in rna.properties:
        name = prop.identifier
        if prop.is_registered and name.startswith(_OWN_PREFIX):
            continue
        if prop.type == "POINTER":
            if name not in _NOT_FOLLOWED:
                pointers.append(name)
        elif prop.type == "COLLECTION":
            if name not in _NOT_FOLLOWED and not _in_bulk(rna, name):
                lists.append(name)
        elif not prop.is_readonly and name not in _DERIVED and not _of_socket(rna, name):
            scalars.append(name)
    return tuple(scalars), tuple(pointers), tuple(lists)


def _of_socket(rna: bpy.types.Struct, name: str) -> bool:
    """Whether a node switches this on and off by itself: its sockets."""
    return name == "enabled" and rna.identifier.startswith("NodeSocket")


def _in_bulk(rna: bpy.types.Struct, name: str) -> bool:
    """Whether a list is read in bulk elsewhere: the elements of a mesh."""
    return rna.identifier == "Mesh" and name != "materials"


def _plain(value: Any) -> Any:
    """A property's value as something whose repr is the same for the same content."""
    kind = type(value)
    if kind in _SCALARS:
        return value
    if kind is set:
        return sorted(value)
    if kind is Matrix:
        return [row[:] for row in value]
    return [_plain(element) for element in value[:]]
