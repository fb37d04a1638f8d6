# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields that stand both in the preferences and in a panel, each written once."""

from collections.abc import Callable
from typing import Any

import bpy

PROVIDERS = (
    ("anthropic", "Anthropic", "Claude models; the key is read from ANTHROPIC_API_KEY"),
    ("openai", "OpenAI", "GPT models and compatible servers; the key is read from OPENAI_API_KEY"),
    (
        "scripted",
        "No model: known-good program",
        "Builds the task with the program that comes with it: no network, no key, to see what an "
        "episode looks like",
    ),
)

APIS = (
    ("auto", "Automatic", "Responses at OpenAI itself, Chat Completions at other servers"),
    ("responses", "Responses", "OpenAI's newer interface"),
    ("chat", "Chat Completions", "The interface that most compatible servers speak"),
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


class ModelChoice:
    """Which model is asked, for everybody who remembers it."""

    provider: bpy.props.EnumProperty(
        name="Provider", description="Who runs the model", items=PROVIDERS
    )
    model: bpy.props.StringProperty(
        name="Model", description="The model's name as its provider writes it"
    )
    base_url: bpy.props.StringProperty(
        name="Base URL",
        description="Address of a compatible server of your own; empty for the provider's own",
    )
    api: bpy.props.EnumProperty(
        name="Interface", description="Which of OpenAI's two interfaces is spoken", items=APIS
    )


def where(**access: Any) -> Any:
    """Where code runs. ``access`` may hold ``get`` and ``set``, as for all fields below."""
    return bpy.props.EnumProperty(
        name="Runs in", description="Where the code of the agent runs", items=WHERE, **access
    )


def attempts(**access: Any) -> Any:
    """A limit on programs."""
    return bpy.props.IntProperty(
        name="Programs",
        description="How many programs may be run in one episode",
        default=30,
        min=1,
        max=1000,
        **access,
    )


def retries(**access: Any) -> Any:
    """A limit on tries of one step."""
    return bpy.props.IntProperty(
        name="Retries",
        description="How often one step may be tried again",
        default=5,
        min=0,
        max=100,
        **access,
    )


def cost(**access: Any) -> Any:
    """A limit on US dollars."""
    return bpy.props.FloatProperty(
        name="Cost",
        description="US dollars after which no more is asked; 0 sets no limit. Only models with a "
        "known price count",
        default=1.0,
        min=0.0,
        precision=2,
        **access,
    )


def minutes(**access: Any) -> Any:
    """A limit on time."""
    return bpy.props.FloatProperty(
        name="Minutes",
        description="Time after which an episode ends; 0 sets no limit",
        default=0.0,
        min=0.0,
        **access,
    )


def starting(page: Callable[[Any], Any], name: str) -> dict[str, Any]:
    """``get`` and ``set`` of a field that is as the preferences say until somebody changes it.

    ``page(context)`` are the preferences, ``None`` where there are none: then the field starts
    with its own default.
    """

    def get(self: Any) -> Any:
        own = self.get(name)
        if own is not None:
            return own
        found = page(bpy.context)
        prop = self.bl_rna.properties[name]
        value = getattr(found, name) if found is not None else prop.default
        return prop.enum_items[value].value if prop.type == "ENUM" else value

    def set_(self: Any, value: Any) -> None:
        self[name] = value

    return {"get": get, "set": set_}
