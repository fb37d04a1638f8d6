# SPDX-License-Identifier: GPL-3.0-or-later
"""What a dotted path (``bpy.ops.mesh.primitive_cube_add``) is to the policy."""

from __future__ import annotations

from . import policy_remedies as remedies
from . import policy_tables as tables
from .policy_model import Policy

#: (rule, sentence)
Refusal = tuple[str, str]

#: Parts of bpy that stand for what is below them.
_CONTAINERS = frozenset({"ops", "data", "app", "utils", "types", "path", "props", "msgbus"})
#: What an operator has beside being called.
_OF_OPERATORS = frozenset({"poll", "idname", "idname_py", "get_rna_type", "bl_options"})


class Paths:
    """Says of paths whether a policy allows them."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._known: dict[tuple[str, bool, bool], Refusal | None] = {}

    def module(self, name: str) -> Refusal | None:
        """Why module ``name`` can't be imported, ``None`` if it can."""
        if name in self._policy.imports:
            return None
        parts = name.split(".")
        if parts[0] == "bpy":
            return self.refused(name)
        above = ".".join(parts[:-1])
        names = self._policy.imports.get(above)
        if names and parts[-1] in names:
            return None
        remedy = remedies.IMPORT_REMEDIES.get(parts[0]) or (
            "write it with bpy, bmesh, mathutils, math, random, numpy and the plain modules of "
            "Python such as itertools and collections"
        )
        return "import", f"`import {name}` can't be used; {remedy}."

    def is_harmless(self, module: str) -> bool:
        """Whether everything public of a module is allowed."""
        return self._policy.imports.get(module) == tables.ALL

    def is_container(self, path: str) -> bool:
        """Whether the path is a module, or a part of bpy, that leads to what is refused."""
        parts = path.split(".")
        if parts[0] == "bpy":
            parts = _spelt_out(parts)
            depth = len(parts)
            return depth == 1 or (
                parts[1] in _CONTAINERS and (depth == 2 or (parts[1] == "ops" and depth == 3))
            )
        return path in self._policy.imports and not self.is_harmless(path)

    def is_module_member(self, path: str) -> bool:
        """Whether the path is something allowed of a module other than bpy."""
        return not path.startswith("bpy.") and path.rpartition(".")[0] in self._policy.imports

    def refused(self, path: str, stored: bool = False, sure: bool = True) -> Refusal | None:
        """Why a path can't be used, ``None`` if it can.

        ``stored``: it is assigned to. Where it isn't ``sure`` that the program means this path,
        only what would be refused of anything is.
        """
        key = (path, stored, sure)
        if key not in self._known:
            parts = path.split(".")
            if parts[0] == "bpy":
                self._known[key] = self._of_bpy(_spelt_out(parts), stored, sure)
            else:
                self._known[key] = self._of_module(parts, stored, sure)
        return self._known[key]

    def _of_module(self, parts: list[str], stored: bool, sure: bool) -> Refusal | None:
        if stored and sure and parts[0] in self._policy.imports:
            remedy = "give what you make a name of your own"
            return "lasting", f"`{'.'.join(parts)}` would change a module for everybody; {remedy}."
        for end in range(len(parts) - 1, 0, -1):
            module = ".".join(parts[:end])
            allowed = self._policy.imports.get(module)
            if allowed is None:
                continue
            name = parts[end]
            if f"{module}.{name}" in self._policy.imports or name in allowed:
                return None
            public = not name.startswith("_") or name in tables.DUNDERS
            if "*" in allowed and f"-{name}" not in allowed and public:
                return None
            if name in tables.DUNDERS and len(parts) == end + 1:
                return None
            if not sure:
                return None
            return "import", f"`{module}.{name}` can't be used; {_instead_of(module, allowed)}."
        return None

    def _of_bpy(self, parts: list[str], stored: bool, sure: bool) -> Refusal | None:
        path = ".".join(parts)
        if any(part.startswith("_") and part not in tables.DUNDERS for part in parts):
            return "underscore", f"`{path}` is the inside of Blender; use what is public."
        if len(parts) < 2 or (parts[1] in ("ops", "data", "types") and len(parts) == 2):
            return None
        if parts[1] == "ops":
            return self._operator(parts)
        if parts[1] == "data":
            return self._data(parts, stored, sure)
        if parts[1] == "types":
            return _type(parts, stored)
        for prefix, remedy in remedies.BLENDER_REMEDIES.items():
            if _within(path, prefix) and not self._listed(path):
                return _rule_of(prefix), f"`{prefix}` can't be used; {remedy}."
        if self._listed(path) or any(_within(p, path) for p in self._policy.blender):
            return None
        if parts[1] in ("app", "utils", "path", "msgbus") or sure:
            remedy = "build with bpy.data, bpy.context and bpy.ops alone"
            return "blender", f"`{path}` can't be used; {remedy}."
        return None

    def _listed(self, path: str) -> bool:
        longest = [p for p in self._policy.blender if _within(path, p)]
        denied = [p for p in remedies.BLENDER_REMEDIES if _within(path, p)]
        return bool(longest) and max(map(len, longest)) >= max(map(len, denied), default=0)

    def _operator(self, parts: list[str]) -> Refusal | None:
        policy = self._policy
        if len(parts) == 3:
            subtree = parts[2]
            if any(rule.startswith(f"{subtree}.") for rule in policy.operators):
                return None
            name = subtree
        else:
            name = f"{parts[2]}.{parts[3]}"
            if policy.allows_operator(name):
                return None
            subtree = parts[2]
            if not any(rule.startswith(f"{subtree}.") for rule in policy.operators) and (
                name not in remedies.OPERATOR_REMEDIES
            ):
                name = f"{subtree}.{parts[3]}"
        remedy = (
            remedies.OPERATOR_REMEDIES.get(name)
            or remedies.OPERATOR_REMEDIES.get(subtree)
            or "build with bpy.data, or with the operators of mesh, object and transform"
        )
        return "operator", f"`bpy.ops.{name}` can't be used; {remedy}."

    def _data(self, parts: list[str], stored: bool, sure: bool) -> Refusal | None:
        name = parts[2]
        if len(parts) > 3 and parts[3] == "load" and "load" not in self._policy.attributes:
            return "file", f"`bpy.data.{name}.load` reads a file; there are none here."
        if name in self._policy.data:
            if stored and len(parts) == 3:
                return "data", f"`bpy.data.{name}` can't be assigned; change what is in it."
            return None
        if not sure and name not in remedies.DATA_REMEDIES:
            return None
        remedy = remedies.DATA_REMEDIES.get(name) or (
            "use bpy.data.objects, meshes, curves, materials, collections and the like"
        )
        return "data", f"`bpy.data.{name}` can't be used; {remedy}."


def _type(parts: list[str], stored: bool) -> Refusal | None:
    if stored:
        remedy = 'store values on an object, obj["name"] = value'
        return "lasting", f"`{'.'.join(parts)}` would change Blender itself; {remedy}."
    if len(parts) > 3 and parts[3] not in ("bl_rna", *tables.DUNDERS):
        path = ".".join(parts[:4])
        return "blender", f"`{path}` can't be used; call it on an object of that type."
    return None


def _spelt_out(parts: list[str]) -> list[str]:
    """`bpy.context.blend_data` is `bpy.data`."""
    if parts[1:3] == ["context", "blend_data"]:
        return ["bpy", "data", *parts[3:]]
    return parts


def _within(path: str, prefix: str) -> bool:
    return path == prefix or path.startswith(f"{prefix}.")


def _rule_of(prefix: str) -> str:
    if prefix.startswith(("bpy.app", "bpy.msgbus", "bpy.utils")):
        return "lasting"
    return "outside" if "preferences" in prefix else "blender"


def _instead_of(module: str, allowed: frozenset[str]) -> str:
    remedy = remedies.IMPORT_REMEDIES.get(module.partition(".")[0])
    if remedy:
        return remedy
    if "*" in allowed:
        return "it reads files or leads to the inside of Python"
    shown = ", ".join(sorted(allowed)[:6])
    return f"of {module} there are {shown} and the like" if shown else "leave it out"
