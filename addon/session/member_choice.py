# SPDX-License-Identifier: GPL-3.0-or-later
"""What a person chooses of the next member: role, size and place. The building aid of timber."""

from typing import Any

import bpy

from ...checks.timber.lumber import SIZES
from ...checks.timber.roles import CATEGORY_OF, ROLES
from .building_aids import Aid, Button, Step, register, unregister

KIND = "timber"

#: Sizes that are used most come first.
_USUAL = ("2x4", "2x6", "2x8", "2x10", "2x12", "4x4", "6x6", "1x4", "1x6", "1x8")
_ORDER = ("foundation", "floor", "walls", "roof", "accessory")


def _millimetres(size: str) -> str:
    width, depth = SIZES[size]
    return f"{width * 1000:.0f} × {depth * 1000:.0f} mm"


def _words(role: str) -> str:
    """``RimJoist`` -> ``Rim Joist``."""
    return "".join(f" {c}" if c.isupper() else c for c in role).strip()


ROLE_ITEMS = [
    (role, _words(role), f"Part of the {CATEGORY_OF[role]}: the name begins with {role}", number)
    for number, role in sorted(
        enumerate(ROLES), key=lambda item: _ORDER.index(CATEGORY_OF[item[1]])
    )
]
SIZE_ITEMS = [
    (size, f"{size}  ({_millimetres(size)})", f"Nominal {size}, dressed {_millimetres(size)}")
    for size in (*_USUAL, *(size for size in SIZES if size not in _USUAL))
]
PLACINGS = (
    ("CURSOR", "From the Cursor", "Begins at the 3D cursor and runs along an axis"),
    ("POINTS", "From Point to Cursor", "Runs from the point that you noted to the 3D cursor"),
    (
        "BETWEEN",
        "Between Selected",
        "Fills the room between the two selected members, beside the 3D cursor",
    ),
)
AXES = tuple(
    (name, label, f"Along {label}")
    for name, label in (
        *(("X", "X"), ("Y", "Y"), ("Z", "Z (up)")),
        *(("-X", "-X"), ("-Y", "-Y"), ("-Z", "-Z (down)")),
    )
)
TURNS = (
    ("USUAL", "As Usual", "Plates and sills flat, everything else on edge"),
    ("EDGE", "On Edge", "The wide face upright; of an upright member: its depth along Y"),
    ("FLAT", "Flat", "The wide face up; of an upright member: its depth along X"),
)
EXTENTS = (
    ("COUNT", "Number", "So many copies"),
    ("LENGTH", "Up To", "Copies up to this distance, the last one exactly there"),
)


class MemberChoice:
    """Fields of a member that is to be added; the panel and the operator have the same."""

    role: bpy.props.EnumProperty(
        name="Role", description="What the member is; it is named after it", items=ROLE_ITEMS,
        default="Stud",
    )  # fmt: skip
    size: bpy.props.EnumProperty(
        name="Size", description="Nominal size of the lumber; it gets its dressed size",
        items=SIZE_ITEMS,
    )  # fmt: skip
    plies: bpy.props.IntProperty(
        name="Plies", description="Members side by side, as one built-up member",
        default=1, min=1, max=6,
    )  # fmt: skip
    placing: bpy.props.EnumProperty(
        name="Placing", description="How its place is given", items=PLACINGS
    )
    axis: bpy.props.EnumProperty(
        name="Direction", description="Which way it runs", items=AXES, default="Z"
    )
    length: bpy.props.FloatProperty(
        name="Length", description="How long it is", subtype="DISTANCE", unit="LENGTH",
        default=2.4, min=0.01, soft_max=12.0, precision=4,
    )  # fmt: skip
    point: bpy.props.FloatVectorProperty(
        name="Point", description="Where it begins", subtype="TRANSLATION", unit="LENGTH",
        size=3, precision=4,
    )  # fmt: skip
    turn: bpy.props.EnumProperty(name="Turned", description="Which of its faces is up", items=TURNS)
    under: bpy.props.BoolProperty(
        name="From Below",
        description="The line from end to end is the middle of its underside; otherwise its axis",
        default=True,
    )


class RowChoice:
    """Fields of a row of copies; the panel and the operator have the same."""

    row_axis: bpy.props.EnumProperty(
        name="Along", description="Which way the row runs", items=AXES, default="X"
    )
    spacing: bpy.props.FloatProperty(
        name="On Centre", description="From the middle of one member to the middle of the next",
        subtype="DISTANCE", unit="LENGTH", default=0.4064, min=0.02, soft_max=2.0, precision=4,
    )  # fmt: skip
    extent: bpy.props.EnumProperty(
        name="How Many", description="How the end of the row is given", items=EXTENTS
    )
    count: bpy.props.IntProperty(
        name="Copies", description="How many copies are made", default=5, min=1, max=500
    )
    reach: bpy.props.FloatProperty(
        name="Distance", description="How far the last copy is from this member",
        subtype="DISTANCE", unit="LENGTH", default=3.0, min=0.02, soft_max=30.0, precision=4,
    )  # fmt: skip


MEMBER_FIELDS = tuple(MemberChoice.__annotations__)
ROW_FIELDS = tuple(RowChoice.__annotations__)


class PlumblineMember(MemberChoice, RowChoice, bpy.types.PropertyGroup):
    """What the person chose of the next member, and of the next row."""


AID = Aid(
    KIND,
    "plumbline_member",
    (
        Step(
            "Member",
            ("role", "size", "plies", "placing", "axis", "length", "point", "turn", "under"),
            Button("plumbline.add_member", "Add Member", "MESH_CUBE"),
            extras=(Button("plumbline.note_point", "Note the Cursor as Start", "PIVOT_CURSOR"),),
            when=(
                ("axis", "placing", ("CURSOR",)),
                ("length", "placing", ("CURSOR",)),
                ("point", "placing", ("POINTS",)),
                ("plumbline.note_point", "placing", ("POINTS",)),
                ("under", "placing", ("POINTS",)),
            ),
        ),
        Step(
            "Copies in a row",
            ("row_axis", "spacing", "extent", "count", "reach"),
            Button("plumbline.repeat_member", "Repeat in a Row", "MOD_ARRAY"),
            when=(("count", "extent", ("COUNT",)), ("reach", "extent", ("LENGTH",))),
        ),
    ),
)  # fmt: skip


def take_over(source: Any, target: Any, names: tuple[str, ...]) -> None:
    """Give one set of fields the values of another."""
    for name in names:
        setattr(target, name, getattr(source, name))


CLASSES = (PlumblineMember,)


def attach() -> None:
    """Put the fields on every window manager, and offer the aid."""
    bpy.types.WindowManager.plumbline_member = bpy.props.PointerProperty(type=PlumblineMember)
    register(AID)


def detach() -> None:
    """Take both away again."""
    unregister(KIND)
    del bpy.types.WindowManager.plumbline_member
