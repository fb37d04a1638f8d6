# SPDX-License-Identifier: GPL-3.0-or-later
"""Running a bundled program on one open scene, whatever else is in the file.

Programs name members as ``bpy.data.objects["Joist_06"]``. In a file that holds other scenes that
name may be somebody else's, and ours be ``Joist_06.001``: here a program sees the objects of its
own scene only, by the names that it knows.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable, Iterator
from typing import Any

import bpy

from .blocks import BlockSession
from .new_scene import BuildError

_SUFFIX = re.compile(r"\.\d{3,}")
_LAST_SUFFIX = re.compile(r"\.\d{3,}$")


def member(scene: bpy.types.Scene, name: str) -> bpy.types.Object | None:
    """The object that a program calls ``name``, ``None`` if the scene has none."""
    found = scene.objects.get(name)
    if found is not None:
        return found
    also = [
        obj
        for obj in scene.objects
        if obj.name.startswith(name) and _SUFFIX.fullmatch(obj.name[len(name) :])
    ]
    return min(also, key=lambda obj: obj.name, default=None)


def plain(name: str) -> str:
    """The name by which programs know an object: without the number that Blender adds."""
    return _LAST_SUFFIX.sub("", name)


class _Objects:
    """``bpy.data.objects`` with nothing in it but one scene's."""

    def __init__(self, scene: bpy.types.Scene) -> None:
        self._scene = scene

    def __getitem__(self, name: str) -> bpy.types.Object:
        found = member(self._scene, name)
        if found is None:
            raise KeyError(f"this scene has no member {name!r}")
        return found

    def get(self, name: str) -> bpy.types.Object | None:
        return member(self._scene, name)

    def __contains__(self, name: str) -> bool:
        return member(self._scene, name) is not None

    def __iter__(self) -> Iterator[bpy.types.Object]:
        return iter(list(self._scene.objects))

    def __len__(self) -> int:
        return len(self._scene.objects)

    def __getattr__(self, name: str) -> Any:
        return getattr(bpy.data.objects, name)


class _Data:
    def __init__(self, scene: bpy.types.Scene) -> None:
        self.objects = _Objects(scene)

    def __getattr__(self, name: str) -> Any:
        return getattr(bpy.data, name)


class _Blender:
    """The module ``bpy`` as such a program sees it."""

    def __init__(self, scene: bpy.types.Scene) -> None:
        self.data = _Data(scene)

    def __getattr__(self, name: str) -> Any:
        return getattr(bpy, name)


def run(program: str, label: str, scene: bpy.types.Scene, window: bpy.types.Window) -> Any:
    """Run a bundled program as ``__main__`` on ``scene``; returns its names.

    What it builds of blocks is in the scene afterwards, see :mod:`.block_api`.
    Raises :class:`.new_scene.BuildError` with a sentence; what it had done until then stays.
    """
    blocks = BlockSession(scene)
    names: dict[str, Any] = {
        **blocks.names,
        "__name__": "__main__",
        "__file__": label,
        "__builtins__": {**vars(builtins), "__import__": _importer(_Blender(scene))},
    }
    try:
        within(scene, window, label, lambda: exec(compile(program, label, "exec"), names))
    finally:
        blocks.flush()
    return names


def within(
    scene: bpy.types.Scene, window: bpy.types.Window, label: str, work: Callable[[], Any]
) -> None:
    """Do ``work`` with ``scene`` as the one that is open. Raises ``BuildError``."""
    layer = scene.view_layers[0]
    try:
        with bpy.context.temp_override(window=window, scene=scene, view_layer=layer):
            work()
            layer.update()
    except Exception as error:
        raise BuildError(f"{label} stopped with {type(error).__name__}: {error}") from error


def _importer(blender: _Blender) -> Callable[..., Any]:
    def found(name: str, *rest: Any, **more: Any) -> Any:
        return blender if name == "bpy" else builtins.__import__(name, *rest, **more)

    return found
