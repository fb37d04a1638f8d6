# SPDX-License-Identifier: GPL-3.0-or-later
"""A stand-in for Blender's layout, which exists only while a window is drawn.

It takes down what a panel asks for, and holds every request against Blender's own description of
the layout: unknown functions, arguments, icons, properties and operators are errors here as there.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import bpy

_FUNCTIONS = bpy.types.UILayout.bl_rna.functions
_PROPERTIES = bpy.types.UILayout.bl_rna.properties
ICONS = frozenset(_FUNCTIONS["label"].parameters["icon"].enum_items.keys())
_NESTING = ("row", "column", "split", "box", "grid_flow")


class RecordingLayout:
    """What was drawn is in ``items``: (function, arguments) in order, nested ones included."""

    def __init__(self, items: list[tuple[str, dict[str, Any]]] | None = None) -> None:
        object.__setattr__(self, "items", [] if items is None else items)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in _PROPERTIES:
            raise AttributeError(f"UILayout has no property {name!r}")
        object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> Any:
        if name not in _FUNCTIONS:
            raise AttributeError(f"UILayout has no function {name!r}")
        return lambda *args, **kwargs: self._record(name, args, kwargs)

    def _record(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        parameters = _FUNCTIONS[name].parameters
        names = [p.identifier for p in parameters if not p.is_output]
        given = {**dict(zip(names, args, strict=False)), **kwargs}
        unknown = set(given) - set(names)
        assert not unknown, f"UILayout.{name}() takes no {sorted(unknown)}"
        assert given.get("icon", "NONE") in ICONS, f"no icon {given['icon']!r} in this Blender"
        self.items.append((name, given))
        if name == "prop":
            custom = given["property"].startswith('["')
            there = given["data"].keys() if custom else given["data"].bl_rna.properties
            assert given["property"].strip('["]') in there, given
        if name == "template_list":
            for data, prop in (("dataptr", "propname"), ("active_dataptr", "active_propname")):
                assert given[prop] in given[data].bl_rna.properties, given
        if name == "menu":
            assert hasattr(bpy.types, given["menu"]), given
        if name == "operator":
            return self._operator(given)
        if name in ("panel", "panel_prop"):
            return RecordingLayout(self.items), RecordingLayout(self.items)
        return RecordingLayout(self.items) if name in _NESTING else None

    def _operator(self, given: dict[str, Any]) -> Any:
        module, _, function = given["operator"].partition(".")
        known = getattr(getattr(bpy.ops, module), function).get_rna_type().properties
        options = SimpleNamespace()
        given["options"] = options

        class Options:
            def __setattr__(self, name: str, value: Any) -> None:
                assert name in known, f"{given['operator']} has no option {name!r}"
                setattr(options, name, value)

        return Options()

    def texts(self) -> list[str]:
        """All texts drawn, in order."""
        return [given["text"] for _, given in self.items if given.get("text")]
