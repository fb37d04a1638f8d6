# SPDX-License-Identifier: GPL-3.0-or-later
"""What a person chooses in the panel *Agent*. Nothing here is a key, and nothing is permission.

The model is remembered with the preferences where there are any; everything else lasts as long as
Blender runs.
"""

from typing import Any

import bpy

from .. import preferences_fields as fields
from ..preferences import PACKAGE, ModelChoice, starting

PROTOCOLS = (
    (
        "managed",
        "Phase by phase",
        "Managed: foundation, floor, walls and roof are asked for one by one, and each must stand "
        "before the next is begun",
    ),
    ("atomic", "In one go", "Atomic: one program for the whole house, judged at the end"),
    (
        "reactive",
        "In one go, phases checked",
        "Reactive: one program for all phases in its own order; each phase is checked as it ends",
    ),
    (
        "editing",
        "By editing",
        "Editing: changes to a sound house until it looks like the one that was asked for; what "
        "breaks a check is taken back",
    ),
    (
        "tools",
        "With tools",
        "Tools: the model calls tools that run its code, check what stands, draw it and hand it in",
    ),
)

SOURCES = (
    ("text", "Text", "A text of the Text Editor"),
    ("agent", "Agent's last program", "What the agent ran last in this session"),
)


class PlumblineAgentChoices(ModelChoice, bpy.types.PropertyGroup):
    """Choices of the person in the panel Agent."""

    protocol: bpy.props.EnumProperty(
        name="Protocol", description="How the model is asked to build", items=PROTOCOLS
    )
    # As the preferences say until they are changed here.
    where: fields.where(**starting("where"))
    attempts: fields.attempts(**starting("attempts"))
    retries: fields.retries(**starting("retries"))
    cost: fields.cost(**starting("cost"))
    minutes: fields.minutes(**starting("minutes"))
    tokens: bpy.props.IntProperty(
        name="Tokens",
        description="Tokens, in and out, after which no more is asked; 0 sets no limit",
        default=0,
        min=0,
    )
    code_seconds: bpy.props.FloatProperty(
        name="Alarm",
        description="Seconds after which code in this session is stopped, where the system has an "
        "alarm (Windows has none)",
        default=20.0,
        min=0.5,
        max=3600.0,
    )
    follow: bpy.props.BoolProperty(
        name="Show each scene",
        description="Let the window show every new scene of the agent, so that the house is seen "
        "to grow",
        default=True,
    )
    keep_failed: bpy.props.BoolProperty(
        name="Keep failed tries",
        description="Leave the scenes of failed tries in the file; otherwise each goes when the "
        "next one comes",
        default=True,
    )
    shown_try: bpy.props.IntProperty(
        name="Try", description="The try that the panel tells about", options={"HIDDEN"}
    )
    source: bpy.props.EnumProperty(
        name="Code", description="What is run in this session", items=SOURCES
    )
    text: bpy.props.StringProperty(
        name="Text", description="Name of the text that is run on the open scene"
    )


def of(context: bpy.types.Context) -> Any:
    """The choices of this window manager."""
    return context.window_manager.plumbline_agent


def model_of(context: bpy.types.Context) -> Any:
    """Where the chosen model is kept: in the preferences, else beside the other choices."""
    addon = context.preferences.addons.get(PACKAGE)
    if addon is None or addon.preferences is None:
        return of(context)
    return addon.preferences


CLASSES = (PlumblineAgentChoices,)


def attach() -> None:
    """Put the choices on every window manager; the class is registered before."""
    bpy.types.WindowManager.plumbline_agent = bpy.props.PointerProperty(type=PlumblineAgentChoices)


def detach() -> None:
    """Take them away again."""
    del bpy.types.WindowManager.plumbline_agent
