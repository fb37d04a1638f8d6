# SPDX-License-Identifier: GPL-3.0-or-later
"""Preferences of the extension: how a finding looks in the 3D view, which model is asked, keys.

Keys belong into the environment. Who keeps them here keeps them in Blender's ``userpref.blend``, in
plain text: never in a scene, a log or a run folder, but readable by whoever reads that file.
"""

from dataclasses import dataclass

import bpy

# ``plumbline`` as a library, ``bl_ext.<repository>.plumbline`` as an extension.
PACKAGE = __package__.rpartition(".")[0]

RGB = tuple[float, float, float]

# Colours as they stand on the screen (sRGB); red and amber differ in lightness too, for people who
# see no difference in hue.
FAULT_RED: RGB = (0.90, 0.10, 0.12)
RELATED_AMBER: RGB = (1.0, 0.68, 0.10)


@dataclass(frozen=True)
class Look:
    """How a finding is drawn: two colours, and whether its figure stands beside it."""

    fault: RGB = FAULT_RED
    related: RGB = RELATED_AMBER
    label: bool = True


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

_KEY_NOTE = (
    "The environment variable {variable} is used before this, and is the better place: Blender "
    "keeps what is written here in its userpref.blend, in plain text. It is never written into a "
    "scene, a log or a run folder"
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


class PlumblinePreferences(ModelChoice, bpy.types.AddonPreferences):
    """Colours of the highlight, the model, and keys for who can't use the environment."""

    bl_idname = PACKAGE

    anthropic_key: bpy.props.StringProperty(
        name="Anthropic key",
        description=_KEY_NOTE.format(variable="ANTHROPIC_API_KEY"),
        subtype="PASSWORD",
        options={"SKIP_SAVE"},
    )
    openai_key: bpy.props.StringProperty(
        name="OpenAI key",
        description=_KEY_NOTE.format(variable="OPENAI_API_KEY"),
        subtype="PASSWORD",
        options={"SKIP_SAVE"},
    )

    fault_color: bpy.props.FloatVectorProperty(
        name="At fault",
        description="Colour of the member or place that a finding is about",
        subtype="COLOR_GAMMA",
        size=3,
        min=0.0,
        max=1.0,
        default=FAULT_RED,
    )
    related_color: bpy.props.FloatVectorProperty(
        name="Takes part",
        description="Colour of other members that take part in a finding",
        subtype="COLOR_GAMMA",
        size=3,
        min=0.0,
        max=1.0,
        default=RELATED_AMBER,
    )
    show_label: bpy.props.BoolProperty(
        name="Figure in the view",
        description="Write the measured figure and its limit beside the member in the 3D view",
        default=True,
    )

    def draw(self, _context: bpy.types.Context) -> None:
        """The page in Edit > Preferences > Add-ons."""
        layout = self.layout
        layout.use_property_split = True
        layout.prop(self, "fault_color")
        layout.prop(self, "related_color")
        layout.prop(self, "show_label")
        layout.separator()
        layout.prop(self, "provider")
        layout.prop(self, "model")
        layout.prop(self, "base_url")
        layout.prop(self, "api")
        layout.prop(self, "anthropic_key")
        layout.prop(self, "openai_key")
        column = layout.column(align=True)
        column.label(text="Better: ANTHROPIC_API_KEY or OPENAI_API_KEY in the environment.")
        column.label(text="Blender keeps keys from here in userpref.blend, in plain text.")


def look(context: bpy.types.Context) -> Look:
    """The person's choices; the defaults where we run as a library, without preferences."""
    addon = context.preferences.addons.get(PACKAGE)
    if addon is None or addon.preferences is None:
        return Look()
    chosen = addon.preferences
    return Look(tuple(chosen.fault_color), tuple(chosen.related_color), chosen.show_label)


def key_for(context: bpy.types.Context, provider: str) -> str | None:
    """The key that the person keeps in the preferences, ``None`` if there is none."""
    addon = context.preferences.addons.get(PACKAGE)
    if addon is None or addon.preferences is None:
        return None
    return getattr(addon.preferences, f"{provider}_key", "").strip() or None


CLASSES = (PlumblinePreferences,)
