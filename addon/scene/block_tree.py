# SPDX-License-Identifier: GPL-3.0-or-later
"""Geometry nodes that turn points into cubes: placements of blocks as they stood at a moment.

Faces that a neighbour covers are left out: a solid mass of 100,000 blocks shows 4 % of its faces.
Which these are is written beside the points; once somebody edits them by hand, all are drawn.
Blocks that show most of their faces are drawn as whole cubes, which are quicker to make.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import bpy

#: Attributes of a placement, integers on the points of the mesh.
ORDER, UNTIL, MATERIAL = "order", "until", "material"
#: Counts of actions from which on a side is covered, in the order of ``checks.voxel.cells.FACES``.
COVERED = ("covered_x", "covered_-x", "covered_y", "covered_-y", "covered_z", "covered_-z")
#: Where a point was written, to see whether somebody moved it.
WRITTEN = "written_at"
#: The input: how many actions are shown.
SHOWN = "Shown"

Turn = tuple[tuple[int, int, int], tuple[float, float, float]]
_QUARTER, _HALF = math.pi / 2, math.pi
# A block with so many bare sides is drawn as a whole cube.
_WHOLE = 4
# For each face of a block: its way in Blender's axes, and the Euler angles that turn a square that
# faces up that way, rad.
_TURNS: tuple[Turn, ...] = (
    ((1, 0, 0), (0.0, _QUARTER, 0.0)),
    ((-1, 0, 0), (0.0, -_QUARTER, 0.0)),
    ((0, 0, 1), (0.0, 0.0, 0.0)),
    ((0, 0, -1), (_HALF, 0.0, 0.0)),
    ((0, -1, 0), (_QUARTER, 0.0, 0.0)),
    ((0, 1, 0), (-_QUARTER, 0.0, 0.0)),
)


def tree_of_blocks(
    materials: Sequence[bpy.types.Material], edge: float, actions: int, points: int
) -> bpy.types.NodeTree:
    """Nodes for a mesh of ``points`` placements: cubes of ``edge``, ``materials`` by index.

    The input ``Shown`` ends at ``actions``.
    """
    tree = bpy.data.node_groups.new("Blocks", "GeometryNodeTree")
    tree.is_modifier = True
    interface = tree.interface
    interface.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
    shown = interface.new_socket(SHOWN, in_out="INPUT", socket_type="NodeSocketInt")
    shown.default_value, shown.min_value, shown.max_value = actions, 0, actions
    shown.description = "How many actions of the placement order are shown"
    interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    maker = _Maker(tree)
    group_in, group_out = maker.node("NodeGroupInput"), maker.node("NodeGroupOutput")
    mesh, moment = group_in.outputs["Geometry"], group_in.outputs[SHOWN]
    came = maker.integers("LESS_THAN", maker.attribute(ORDER), moment)
    stays = maker.integers("LESS_EQUAL", moment, maker.attribute(UNTIL))
    centres = maker.node("GeometryNodeMeshToPoints")
    maker.link(mesh, centres.inputs["Mesh"])
    maker.link(maker.logic("AND", came, stays), centres.inputs["Selection"])
    bare = [maker.integers("LESS_EQUAL", moment, maker.attribute(name)) for name in COVERED]
    whole = maker.logic("OR", _was_edited(maker, mesh, points), _at_least(maker, bare, _WHOLE))
    partly = maker.logic("NOT", whole)
    joined = maker.node("GeometryNodeJoinGeometry")
    cube = maker.node("GeometryNodeMeshCube")
    cube.inputs["Size"].default_value = (edge, edge, edge)
    maker.link(maker.instances(centres.outputs[0], whole, cube.outputs["Mesh"]), joined.inputs[0])
    for side, turn in zip(bare, _TURNS, strict=True):
        square, chosen = _square(maker, turn, edge), maker.logic("AND", side, partly)
        maker.link(maker.instances(centres.outputs[0], chosen, square), joined.inputs[0])
    realized = maker.node("GeometryNodeRealizeInstances")
    maker.link(joined.outputs[0], realized.inputs["Geometry"])
    drawn = realized.outputs["Geometry"]
    which = maker.attribute(MATERIAL)
    for code, material in enumerate(materials[:_MOST_SHOWN]):
        dressed = maker.node("GeometryNodeSetMaterial")
        dressed.inputs["Material"].default_value = material
        maker.link(drawn, dressed.inputs["Geometry"])
        maker.link(maker.integers("EQUAL", which, code), dressed.inputs["Selection"])
        drawn = dressed.outputs["Geometry"]
    maker.link(drawn, group_out.inputs["Geometry"])
    return tree


def _was_edited(maker: _Maker, mesh: Any, count: int) -> Any:
    """Whether points were deleted, added or moved since the blocks were written.

    What covers what is then out of date, and every face is drawn.
    """
    size = maker.node("GeometryNodeAttributeDomainSize", component="MESH")
    maker.link(mesh, size.inputs["Geometry"])
    other = maker.integers("NOT_EQUAL", size.outputs["Point Count"], count)
    moved = maker.node("ShaderNodeVectorMath", operation="DISTANCE")
    maker.link(maker.node("GeometryNodeInputPosition").outputs[0], moved.inputs[0])
    maker.link(maker.attribute(WRITTEN, "FLOAT_VECTOR"), moved.inputs[1])
    worst = maker.node("GeometryNodeAttributeStatistic", data_type="FLOAT", domain="POINT")
    maker.link(mesh, worst.inputs["Geometry"])
    number = next(i for i in worst.inputs if i.name == "Attribute" and i.enabled)
    maker.link(moved.outputs["Value"], number)
    highest = next(o for o in worst.outputs if o.name == "Max" and o.enabled)
    far = maker.node("FunctionNodeCompare", data_type="FLOAT", operation="GREATER_THAN")
    maker.link(highest, far.inputs[0])
    far.inputs[1].default_value = 1e-3
    return maker.logic("OR", other, far.outputs[0])


def _at_least(maker: _Maker, sides: Sequence[Any], least: int) -> Any:
    """Whether so many of the sides are bare."""
    total = sides[0]
    for side in sides[1:]:
        added = maker.node("ShaderNodeMath", operation="ADD")
        maker.link(total, added.inputs[0])
        maker.link(side, added.inputs[1])
        total = added.outputs[0]
    enough = maker.node("FunctionNodeCompare", data_type="FLOAT", operation="GREATER_THAN")
    maker.link(total, enough.inputs[0])
    enough.inputs[1].default_value = least - 0.5
    return enough.outputs[0]


def _square(maker: _Maker, turn: Turn, edge: float) -> Any:
    """One side of a cube round the origin."""
    half, (way, rotation) = edge / 2, turn
    square = maker.node("GeometryNodeMeshGrid")
    for name, value in (("Size X", edge), ("Size Y", edge), ("Vertices X", 2), ("Vertices Y", 2)):
        square.inputs[name].default_value = value
    placed = maker.node("GeometryNodeTransform")
    maker.link(square.outputs["Mesh"], placed.inputs["Geometry"])
    placed.inputs["Translation"].default_value = [half * step for step in way]
    placed.inputs["Rotation"].default_value = rotation
    return placed.outputs["Geometry"]


# Materials that are drawn, those that came first; the others have no colour. Blender looks at all
# nodes for each that is added, so that a thousand would take minutes.
_MOST_SHOWN = 128


class _Maker:
    """Adds nodes to a tree, one step to the right each."""

    def __init__(self, tree: bpy.types.NodeTree) -> None:
        self._tree = tree

    def node(self, kind: str, **values: Any) -> Any:
        made = self._tree.nodes.new(kind)
        made.location = (60.0 * len(self._tree.nodes), 0.0)
        for name, value in values.items():
            setattr(made, name, value)
        return made

    def link(self, source: Any, target: Any) -> None:
        self._tree.links.new(source, target)

    def attribute(self, name: str, data_type: str = "INT") -> Any:
        node = self.node("GeometryNodeInputNamedAttribute", data_type=data_type)
        node.inputs["Name"].default_value = name
        return next(o for o in node.outputs if o.name == "Attribute" and o.enabled)

    def integers(self, operation: str, one: Any, other: Any) -> Any:
        """``one`` compared with ``other``, an output or a number."""
        node = self.node("FunctionNodeCompare", data_type="INT", operation=operation)
        inputs = [socket for socket in node.inputs if socket.enabled]
        self.link(one, inputs[0])
        if isinstance(other, int):
            inputs[1].default_value = other
        else:
            self.link(other, inputs[1])
        return node.outputs[0]

    def logic(self, operation: str, one: Any, other: Any = None) -> Any:
        node = self.node("FunctionNodeBooleanMath", operation=operation)
        self.link(one, node.inputs[0])
        if other is not None:
            self.link(other, node.inputs[1])
        return node.outputs[0]

    def instances(self, points: Any, chosen: Any, mesh: Any) -> Any:
        """A mesh on each of the chosen points."""
        made = self.node("GeometryNodeInstanceOnPoints")
        self.link(points, made.inputs["Points"])
        self.link(chosen, made.inputs["Selection"])
        self.link(mesh, made.inputs["Instance"])
        return made.outputs["Instances"]
