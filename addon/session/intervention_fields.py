# SPDX-License-Identifier: GPL-3.0-or-later
"""The fields of what a person wants to be otherwise, each with its unit.

Lengths are in the units of the scene, as everything in Blender.
"""

import bpy

from .. import physics_words

GRAVITIES = (
    ("OFF", "Off", "No gravity at all"),
    ("UP", "Upwards", "As strong as now, upwards"),
    ("X", "Sideways, X", "As strong as now, along X"),
    ("Y", "Sideways, Y", "As strong as now, along Y"),
    ("TIMES", "Times", "So many times what it is"),
    ("VECTOR", "Own Direction", "In any direction and strength"),
)
AMOUNTS = (
    ("TIMES", "Times", "So many times what it is"),
    ("VALUE", "Exactly", "This value, whatever it is now"),
)
PUSHES = (
    ("N", "Force", "A force as long as it lasts, in newtons"),
    ("m/s", "Velocity", "A velocity to begin with, in metres a second"),
)


class PlumblineChosen(bpy.types.PropertyGroup):
    """One body or member that is meant, by its name."""


class PlumblineChange(bpy.types.PropertyGroup):
    """One thing that is to be otherwise, with the fields of every kind."""

    kind: bpy.props.EnumProperty(
        name="What",
        description="What is made otherwise in the copy",
        items=physics_words.items(physics_words.CHANGES, "none"),
    )
    control: bpy.props.EnumProperty(
        name="What",
        description="What is otherwise in the third view beside your change",
        items=physics_words.items(physics_words.CHANGES),
        default="none",
    )
    falls: bpy.props.EnumProperty(
        name="What",
        description="What is made otherwise in the copy before it may fall",
        items=physics_words.items(physics_words.FALLS),
    )
    members: bpy.props.CollectionProperty(type=PlumblineChosen)
    gravity: bpy.props.EnumProperty(
        name="Gravity", description="What gravity is like in the copy", items=GRAVITIES
    )
    amount: bpy.props.EnumProperty(
        name="How", description="How the new value is given", items=AMOUNTS
    )
    times: bpy.props.FloatProperty(
        name="Times", description="So many times what it is; 0 switches it off",
        default=0.5, soft_min=0.0, soft_max=10.0,
    )  # fmt: skip
    vector: bpy.props.FloatVectorProperty(
        name="Gravity", description="Gravity in the copy", size=3,
        subtype="ACCELERATION", unit="ACCELERATION", default=(0.0, 0.0, -9.81),
    )  # fmt: skip
    offset: bpy.props.FloatVectorProperty(
        name="Shifted by", description="How far from where it stands now", size=3,
        subtype="TRANSLATION", unit="LENGTH", precision=3,
    )  # fmt: skip
    rotation: bpy.props.FloatVectorProperty(
        name="Turned by", description="Angle about each of the world's axes, X first", size=3,
        subtype="EULER", unit="ROTATION",
    )  # fmt: skip
    linear: bpy.props.FloatVectorProperty(
        name="Velocity", description="Velocity that it starts with", size=3,
        subtype="VELOCITY", unit="VELOCITY",
    )  # fmt: skip
    spin: bpy.props.FloatVectorProperty(
        name="Spin a Second", description="How far it turns in a second about each axis", size=3,
        subtype="EULER", unit="ROTATION",
    )  # fmt: skip
    mass: bpy.props.FloatProperty(
        name="Mass (kg)", description="Its mass in kilograms", default=1.0, min=0.001
    )
    value: bpy.props.FloatProperty(
        name="Value", description="Coefficient as the solver has it", default=0.0, min=0.0,
        soft_max=1.0,
    )  # fmt: skip
    centre: bpy.props.FloatVectorProperty(
        name="Centre", description="Where the middle of the block is", size=3,
        subtype="TRANSLATION", unit="LENGTH", default=(0.0, 0.0, -0.5),
    )  # fmt: skip
    size: bpy.props.FloatVectorProperty(
        name="Size", description="How long, wide and high the block is", size=3,
        subtype="TRANSLATION", unit="LENGTH", default=(4.0, 4.0, 1.0), min=0.001,
    )  # fmt: skip
    share: bpy.props.FloatProperty(
        name="They Hold", description="What its joints still hold, of what they held",
        subtype="FACTOR", default=0.2, min=0.0, max=1.0,
    )  # fmt: skip
    push: bpy.props.EnumProperty(
        name="Push with", description="Whether the push is a force or a velocity", items=PUSHES
    )
    force: bpy.props.FloatVectorProperty(
        name="Push (N or m/s)", description="Along each of the world's axes", size=3,
        subtype="XYZ", default=(2000.0, 0.0, 0.0),
    )  # fmt: skip
    late: bpy.props.BoolProperty(
        name="Only from a Frame on", description="Up to then everything goes as it does"
    )
    at_frame: bpy.props.IntProperty(
        name="Frame", description="The last frame that is as it was", default=1
    )


class PlumblineOtherwise(bpy.types.PropertyGroup):
    """What a person asks: one or more changes, and what they are compared with."""

    first: bpy.props.PointerProperty(
        type=PlumblineChange, name="Change", description="The first thing that is to be otherwise"
    )
    more: bpy.props.CollectionProperty(type=PlumblineChange)
    compare: bpy.props.BoolProperty(
        name="A Third View",
        description="Show a third run, a control: your change and one thing more, which tells what "
        "the difference comes from",
    )
    third: bpy.props.PointerProperty(
        type=PlumblineChange, name="Control", description="What else is otherwise in the third view"
    )
    seconds: bpy.props.FloatProperty(
        name="For", description="How long it may fall", subtype="TIME_ABSOLUTE",
        unit="TIME_ABSOLUTE", default=3.0, min=0.2, max=20.0,
    )  # fmt: skip


CLASSES = (PlumblineChosen, PlumblineChange, PlumblineOtherwise)
