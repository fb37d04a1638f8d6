# SPDX-License-Identifier: GPL-3.0-or-later
"""The extruded body of an IFC element as a solid in the file's own units and world axes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from .fitting import Floats
from .solids import Solid, prism, together

#: Corners of a round profile.
_ROUND = 24
#: Mapped items inside mapped items, at most.
_DEEPEST = 8
#: Outer sizes of parametric profiles: attributes for width and depth, IFC2X3 to IFC4X3.
_WIDTHS = ("XDim", "OverallWidth", "FlangeWidth", "Width", "BottomXDim", "BottomFlangeWidth")
_DEPTHS = ("YDim", "OverallDepth", "Depth")


def body_of(element: Any) -> Solid | None:
    """All extrusions of an element's body as one solid, or ``None`` if it has none."""
    from ifcopenshell.util.placement import get_local_placement

    shape = element.Representation
    if shape is None:
        return None
    items = [
        item
        for representation in shape.Representations
        if representation.RepresentationIdentifier in ("Body", None, "")
        for item in representation.Items
    ]
    world = np.asarray(get_local_placement(element.ObjectPlacement), dtype=np.float64)
    solids = [solid for item in items for solid in _extrusions(item, world, 0)]
    return together(solids) if solids else None


def _extrusions(item: Any, world: Floats, depth: int) -> Iterator[Solid]:
    """Extrusions in a representation item, cuts left aside, under ``world`` (4, 4)."""
    from ifcopenshell.util.placement import get_axis2placement, get_mappeditem_transformation

    if item.is_a("IfcExtrudedAreaSolid"):
        outline = _outline(item.SweptArea)
        if outline is not None:
            sweep = np.array(item.ExtrudedDirection.DirectionRatios, dtype=np.float64)
            sweep *= item.Depth / np.linalg.norm(sweep)
            place = world @ (get_axis2placement(item.Position) if item.Position else np.eye(4))
            yield prism(outline, sweep).moved(place[:3, :3], place[:3, 3])
    elif item.is_a("IfcMappedItem") and depth < _DEEPEST:
        mapping = get_mappeditem_transformation(item)
        place = world if mapping is None else world @ mapping
        for inner in item.MappingSource.MappedRepresentation.Items:
            yield from _extrusions(inner, place, depth + 1)
    elif item.is_a("IfcBooleanResult"):  # a member that is cut or notched: the uncut one
        yield from _extrusions(item.FirstOperand, world, depth)


def _outline(profile: Any) -> Floats | None:
    """Outer border of a profile as points (n, 2), counter-clockwise."""
    if profile.is_a("IfcArbitraryClosedProfileDef"):
        points = _curve_points(profile.OuterCurve)
    elif profile.is_a("IfcCircleProfileDef"):
        angle = 2 * np.pi * np.arange(_ROUND) / _ROUND
        points = profile.Radius * np.column_stack([np.cos(angle), np.sin(angle)])
    else:
        points = _rectangle(profile)
    if points is None or len(points) < 3:
        return None
    position = getattr(profile, "Position", None)
    if position is not None:
        from ifcopenshell.util.placement import get_axis2placement

        place = np.asarray(get_axis2placement(position), dtype=np.float64)
        points = points @ place[:2, :2].T + place[:2, 3]
    x, y = points.T
    area = np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))
    return points if area > 0 else points[::-1]


def _rectangle(profile: Any) -> Floats | None:
    """The rectangle round a parametric profile: itself, or that round an I, L, U or T shape."""
    width = next((w for a in _WIDTHS if (w := getattr(profile, a, None))), None)
    depth = next((d for a in _DEPTHS if (d := getattr(profile, a, None))), None)
    width, depth = width or depth, depth or width
    if not width:
        return None
    return 0.5 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array([width, depth])


def _curve_points(curve: Any) -> Floats | None:
    """Corner points of a closed curve, (n, 2); arcs by the points that define them."""
    if curve.is_a("IfcPolyline"):
        points = [point.Coordinates[:2] for point in curve.Points]
    elif curve.is_a("IfcIndexedPolyCurve"):
        points = [point[:2] for point in curve.Points.CoordList]
    elif curve.is_a("IfcCompositeCurve"):
        points = []
        for segment in curve.Segments:
            part = _curve_points(getattr(segment, "ParentCurve", segment))
            if part is not None:
                forward = getattr(segment, "SameSense", True)
                points.extend((part if forward else part[::-1]).tolist())
    else:
        return None
    unique = np.array(points, dtype=np.float64).reshape(-1, 2)
    different = np.linalg.norm(unique - np.roll(unique, 1, axis=0), axis=1) > 1e-9
    return unique[different]
