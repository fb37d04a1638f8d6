# SPDX-License-Identifier: GPL-3.0-or-later
"""The modifier that draws a mesh of points as cubes, one a placement, up to a moment.

The modifier has one input, ``Shown``: how many actions are shown. A placement is drawn if
``order < Shown <= until``, so that a slider or a keyframe plays the construction. The nodes are
made by :mod:`.block_tree`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import bpy

from ..block_colours import clear_share, colour_of
from .block_log import STANDS
from .block_tree import MATERIAL, ORDER, SHOWN, UNTIL, tree_of_blocks

__all__ = [
    "MATERIAL",
    "MODIFIER",
    "ORDER",
    "SHOWN",
    "UNTIL",
    "draw_as_cubes",
    "material_of",
    "show_actions",
    "shown_actions",
    "shown_input",
    "shown_path",
]

#: Name of the modifier.
MODIFIER = "Blocks"
#: Custom property of the Blender materials that we made: the id that they show.
MATERIAL_PROPERTY = "plumbline_material"


def draw_as_cubes(
    obj: bpy.types.Object, palette: Sequence[str], edge: float = 1.0, actions: int = STANDS
) -> None:
    """Give ``obj`` the modifier that draws its points as cubes of ``edge``, all shown.

    What it had before is replaced. ``palette`` names the materials by index. ``actions`` is how
    many there were, where a slider of the input ends.
    """
    modifier = obj.modifiers.get(MODIFIER)
    if modifier is None or modifier.type != "NODES":
        modifier = obj.modifiers.new(MODIFIER, "NODES")
    old = modifier.node_group
    materials = _materials_of(palette)
    points = len(obj.data.vertices)
    modifier.node_group = tree_of_blocks(materials, edge, max(actions, 1), points)
    if old is not None and not old.users:
        bpy.data.node_groups.remove(old)
    show_actions(obj, None)


def show_actions(obj: bpy.types.Object, count: int | None) -> None:
    """Show what stands after ``count`` actions; ``None``: all. Raises ``ValueError`` without."""
    holder, name = shown_input(obj)
    value = _shown_socket(_modifier(obj)).max_value if count is None else int(count)
    if name == "value":
        holder.value = value
    else:
        holder[name[2:-2]] = value
    obj.update_tag()


def shown_actions(obj: bpy.types.Object) -> int:
    """How many actions are shown, :data:`~.block_log.STANDS` for all of them."""
    holder, name = shown_input(obj)
    count = int(holder.value if name == "value" else holder[name[2:-2]])
    return STANDS if count >= _shown_socket(_modifier(obj)).max_value else count


def shown_input(obj: bpy.types.Object) -> tuple[Any, str]:
    """What holds the input, and its property there, as ``layout.prop`` takes them.

    Raises ``ValueError`` for an object that has lost what draws it.
    """
    modifier = _modifier(obj)
    identifier = _shown_socket(modifier).identifier
    if hasattr(modifier, "properties"):  # since 5.2
        return getattr(modifier.properties.inputs, identifier), "value"
    return modifier, f'["{identifier}"]'


def shown_path(obj: bpy.types.Object) -> str:
    """The data path of the input from the object, for keyframes and drivers."""
    modifier = _modifier(obj)
    place = f'modifiers["{bpy.utils.escape_identifier(modifier.name)}"]'
    _, name = shown_input(obj)
    if name == "value":
        return f"{place}.properties.inputs.{_shown_socket(modifier).identifier}.value"
    return f"{place}{name}"


def material_of(name: str) -> bpy.types.Material:
    """The file's material that shows a block id; made with a plausible colour if need be."""
    return _materials_of([name])[0]


def _materials_of(names: Sequence[str]) -> list[bpy.types.Material]:
    """As :func:`material_of` for each of the names, by one look at the file's materials."""
    known: dict[Any, bpy.types.Material] = {}
    for material in bpy.data.materials:
        shows = material.get(MATERIAL_PROPERTY)
        if isinstance(shows, str) and material.library is None:
            known.setdefault(shows, material)
    return [known.get(name) or known.setdefault(name, _made(name)) for name in names]


def _made(name: str) -> bpy.types.Material:
    material = bpy.data.materials.new(name)
    material[MATERIAL_PROPERTY] = name
    alpha = 1.0 - clear_share(name)
    linear = [_linear(part) for part in colour_of(name)]
    material.diffuse_color = (*linear, alpha)
    material.roughness = 0.9
    if bpy.app.version < (5, 0):  # later ones have nodes always
        material.use_nodes = True
    surface = next(n for n in material.node_tree.nodes if n.type == "BSDF_PRINCIPLED")
    surface.inputs["Base Color"].default_value = (*linear, 1.0)
    surface.inputs["Roughness"].default_value = 0.9
    surface.inputs["Alpha"].default_value = alpha
    return material


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def _modifier(obj: bpy.types.Object) -> Any:
    modifier = obj.modifiers.get(MODIFIER)
    if modifier is None or modifier.type != "NODES" or modifier.node_group is None:
        raise ValueError(f"{obj.name} has no modifier {MODIFIER} that shows blocks: build it again")
    return modifier


def _shown_socket(modifier: Any) -> Any:
    for item in modifier.node_group.interface.items_tree:
        if item.item_type == "SOCKET" and item.in_out == "INPUT" and item.name == SHOWN:
            return item
    raise ValueError(f"the nodes of modifier {modifier.name} have no input {SHOWN}: build it again")
