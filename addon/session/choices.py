# SPDX-License-Identifier: GPL-3.0-or-later
"""What a person chooses in the panel *Agent*. Nothing here is a key, and nothing is permission.

The model is remembered with the preferences where there are any; everything else lasts as long as
Blender runs.
"""

from typing import Any

import bpy

from ..preferences import PACKAGE, ModelChoice

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

WHERE = (
    (
        "isolated",
        "Isolated worker",
        "Code runs in a Blender of its own, with no access to your scenes; each result then comes "
        "into this session as a scene of its own. Recommended",
    ),
    (
        "session",
        "This session",
        "Code runs inside this Blender, in scenes of its own beside yours. Needs your permission; "
        "it is no security boundary",
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
    where: bpy.props.EnumProperty(
        name="Runs in", description="Where the code of the agent runs", items=WHERE
    )
    attempts: bpy.props.IntProperty(
        name="Programs",
        description="How many programs may be run in one episode",
        default=30,
        min=1,
        max=1000,
    )
    retries: bpy.props.IntProperty(
        name="Retries",
        description="How often one step may be tried again",
        default=5,
        min=0,
        max=100,
    )
    cost: bpy.props.FloatProperty(
        name="Cost",
        description="US dollars after which no more is asked; 0 sets no limit. Only models with a "
        "known price count",
        default=1.0,
        min=0.0,
        precision=2,
    )
    minutes: bpy.props.FloatProperty(
        name="Minutes",
        description="Time after which an episode ends; 0 sets no limit",
        default=0.0,
        min=0.0,
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
