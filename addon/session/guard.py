# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts back what code may leave behind in the program itself: handlers, timers, classes, seeds.

Data in the .blend is not its business, undo and the checkpoint are for that.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any

import bpy
import numpy as np

from ..scene.files import handlers, restore_handlers

#: What can be registered with Blender, by its base class. Some are not in every version.
_BASES = (
    *("Operator", "Panel", "Menu", "Header", "UIList", "PropertyGroup", "AddonPreferences"),
    *("Node", "NodeSocket", "NodeTree", "RenderEngine", "Gizmo", "GizmoGroup", "KeyingSetInfo"),
    *("FileHandler", "AssetShelf", "Macro", "NodeTreeInterfaceSocket", "XrActionMapItem"),
)


class Guard:
    """Remembers on entering, puts back on leaving. Use as a context manager on the main thread.

    ``left`` names afterwards what the code would have left behind.
    """

    def __init__(self) -> None:
        self.left: list[str] = []
        self._timers: list[Callable[..., Any]] = []

    def __enter__(self) -> Guard:
        self._handlers = handlers()
        self._classes = set(_registered())
        self._namespace = dict(bpy.app.driver_namespace)
        self._random = random.getstate()
        self._numpy = np.random.get_state()  # noqa: NPY002 - whoever else uses it
        self._register = bpy.app.timers.register
        bpy.app.timers.register = self._note_timer
        return self

    def _note_timer(self, function: Callable[..., Any], *args: Any, **options: Any) -> Any:
        self._timers.append(function)
        return self._register(function, *args, **options)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        bpy.app.timers.register = self._register
        self._end_timers()
        self._end_handlers()
        self._end_classes()
        if dict(bpy.app.driver_namespace) != self._namespace:
            self.left.append("names for drivers")
            bpy.app.driver_namespace.clear()
            bpy.app.driver_namespace.update(self._namespace)
        random.setstate(self._random)
        np.random.set_state(self._numpy)  # noqa: NPY002

    def _end_timers(self) -> None:
        for function in self._timers:
            if bpy.app.timers.is_registered(function):
                bpy.app.timers.unregister(function)
                self.left.append("a timer")

    def _end_handlers(self) -> None:
        now = handlers()
        names = [name for name, functions in now.items() if functions != self._handlers[name]]
        self.left += [f"a handler in {name}" for name in names]
        restore_handlers({name: self._handlers[name] for name in names})

    def _end_classes(self) -> None:
        for cls in set(_registered()) - self._classes:
            self.left.append(f"class {cls.__name__}")
            bpy.utils.unregister_class(cls)


def _registered() -> Iterator[type]:
    """Every class that add-ons and scripts have registered by now."""
    for name in _BASES:
        base = getattr(bpy.types, name, None)
        if base is not None:
            yield from (c for c in _below(base) if getattr(c, "is_registered", False))


def _below(cls: type) -> Iterator[type]:
    subs: list[type] = type.__subclasses__(cls)
    for sub in subs:
        yield sub
        yield from _below(sub)
