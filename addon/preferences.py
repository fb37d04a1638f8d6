# SPDX-License-Identifier: GPL-3.0-or-later
"""Preferences of the extension: how a finding looks in the 3D view, which model is asked, keys.

Keys belong into the environment. Who keeps them here keeps them in Blender's ``userpref.blend``, in
plain text: never in a scene, a log or a run folder, but readable by whoever reads that file.
"""

from dataclasses import dataclass

import bpy

from .palette import STANDARD, Palette, palette

# ``plumbline`` as a library, ``bl_ext.<repository>.plumbline`` as an extension.
PACKAGE = __package__.rpartition(".")[0]


@dataclass(frozen=True)
class Look:
    """How pictures are drawn: their colours, whether figures stand beside them, in which units
    (``"metric"`` or ``"imperial"``), and whether arrows move.
    """

    palette: Palette = STANDARD
    label: bool = True
    units: str = "metric"
    animate: bool = True


PALETTE_ITEMS = (
    (
        "standard",
        "Standard",
        "Red for what is at fault, amber for what takes part, green for sound",
    ),
    (
        "colour_blind_safe",
        "Colour-blind safe",
        "Colours that differ in lightness too, so that all eyes tell them apart",
    ),
    ("own", "Own colours", "The standard ones, but two of them are yours"),
)

UNIT_ITEMS = (
    ("scene", "Like the scene", "Feet and inches where the scene's units are imperial"),
    ("metric", "Metric", "Metres and millimetres, whatever the scene's units are"),
    ("imperial", "Feet and inches", "Feet, inches and sixteenths, whatever the scene's units are"),
)

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

    palette: bpy.props.EnumProperty(
        name="Colours",
        description="Which colours the pictures in the 3D view are drawn in",
        items=PALETTE_ITEMS,
    )
    fault_color: bpy.props.FloatVectorProperty(
        name="At fault",
        description="Colour of the member or place that a finding is about",
        subtype="COLOR_GAMMA",
        size=3,
        min=0.0,
        max=1.0,
        default=STANDARD.fault,
    )
    related_color: bpy.props.FloatVectorProperty(
        name="Takes part",
        description="Colour of other members that take part in a finding",
        subtype="COLOR_GAMMA",
        size=3,
        min=0.0,
        max=1.0,
        default=STANDARD.related,
    )
    show_label: bpy.props.BoolProperty(
        name="Figure in the view",
        description="Write the measured figure and its limit beside the member in the 3D view",
        default=True,
    )

    animate: bpy.props.BoolProperty(
        name="Moving arrows",
        description="Let the arrows of a load path run down to the ground; without it they stand "
        "still, and the view is drawn anew only when something changes",
        default=True,
    )
    units: bpy.props.EnumProperty(
        name="Units",
        description="Units of the figures in panels and in the 3D view",
        items=UNIT_ITEMS,
    )

    def draw(self, _context: bpy.types.Context) -> None:
        """The page in Edit > Preferences > Add-ons."""
        layout = self.layout
        layout.use_property_split = True
        layout.prop(self, "palette")
        if self.palette == "own":
            layout.prop(self, "fault_color")
            layout.prop(self, "related_color")
        layout.prop(self, "show_label")
        layout.prop(self, "animate")
        layout.prop(self, "units")
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


def chosen(context: bpy.types.Context) -> PlumblinePreferences | None:
    """The page of this person; ``None`` where we run as a library, without preferences."""
    addon = context.preferences.addons.get(PACKAGE)
    return addon.preferences if addon is not None else None


def look(context: bpy.types.Context) -> Look:
    """The person's choices, or the defaults; ``units`` are those of the scene where that is asked.

    Cheap enough for every redraw.
    """
    page = chosen(context)
    if page is None:
        return Look(units=_units(context, "scene"))
    colours = STANDARD
    if page.palette != "standard":
        colours = palette(page.palette, tuple(page.fault_color), tuple(page.related_color))
    return Look(colours, page.show_label, _units(context, page.units), page.animate)


def _units(context: bpy.types.Context, wanted: str) -> str:
    if wanted != "scene":
        return wanted
    scene = context.scene
    own = scene.unit_settings.system if scene is not None else "METRIC"
    return "imperial" if own == "IMPERIAL" else "metric"


def key_for(context: bpy.types.Context, provider: str) -> str | None:
    """The key that the person keeps in the preferences, ``None`` if there is none."""
    page = chosen(context)
    return getattr(page, f"{provider}_key", "").strip() or None


CLASSES = (PlumblinePreferences,)
