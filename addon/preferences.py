# SPDX-License-Identifier: GPL-3.0-or-later
"""What a person chooses for good: the model and keys, limits, isolation, looks, a name.

Keys belong into the environment. Who keeps them here keeps them in Blender's ``userpref.blend``, in
plain text: never in a scene, a log or a run folder, but readable by whoever reads that file.

The page itself is drawn, and registered, by :mod:`..panels.preferences`.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import bpy

from . import preferences_fields as fields
from .agent.providers.keys import VARIABLES
from .i18n import CONTEXT
from .palette import STANDARD, Palette, palette
from .pictures.drawing import Tone
from .preferences_fields import ModelChoice

__all__ = ["PACKAGE", "Choices", "Look", "ModelChoice", "chosen", "key_for", "look"]

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
    ("own", "Own colours", "Yours: change any of the colours below"),
)

#: Tones that people may choose themselves.
OWN_TONES: tuple[Tone, ...] = ("fault", "related", "sound", "flow", "allowed")

UNIT_ITEMS = (
    ("scene", "Like the scene", "Feet and inches where the scene's units are imperial"),
    ("metric", "Metric", "Metres and millimetres, whatever the scene's units are"),
    ("imperial", "Feet and inches", "Feet, inches and sixteenths, whatever the scene's units are"),
)


def _key(name: str, variable: str) -> Any:
    return bpy.props.StringProperty(
        name=name,
        description=f"The environment variable {variable} is used before this, and is the better "
        "place: Blender keeps what is written here in its userpref.blend, in plain text. It is "
        "never written into a scene, a log or a run folder",
        subtype="PASSWORD",
        options={"SKIP_SAVE"},
    )


def _views_anew(_page: Any, context: bpy.types.Context) -> None:
    """The view shows at once what was chosen."""
    for window in context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()


def _own_colour(tone: Tone) -> Any:
    """A colour of the person's own, which the swatches write and show."""
    return bpy.props.FloatVectorProperty(
        subtype="COLOR_GAMMA",
        size=3,
        min=0.0,
        max=1.0,
        default=STANDARD.tone(tone),
        options={"HIDDEN"},
    )


def _swatch(tone: Tone, name: str, description: str) -> Any:
    """A colour of the chosen palette. Who changes it has colours of their own from then on."""

    def get(self: Any) -> tuple[float, float, float]:
        return palette_of(self).tone(tone)

    def set_(self: Any, value: Any) -> None:
        if self.palette != "own":
            shown = palette_of(self)
            for other in OWN_TONES:
                setattr(self, f"{other}_color", shown.tone(other))
            self.palette = "own"
        setattr(self, f"{tone}_color", value)

    return bpy.props.FloatVectorProperty(
        name=name,
        description=f"{description}. Changing it makes the colours your own",
        subtype="COLOR_GAMMA",
        size=3,
        min=0.0,
        max=1.0,
        get=get,
        set=set_,
        update=_views_anew,
        translation_context=CONTEXT,
    )


class Choices(ModelChoice):
    """The fields of the page."""

    anthropic_key: _key("Anthropic key", VARIABLES["anthropic"])
    openai_key: _key("OpenAI key", VARIABLES["openai"])

    where: fields.where()
    attempts: fields.attempts()
    retries: fields.retries()
    cost: fields.cost()
    minutes: fields.minutes()

    palette: bpy.props.EnumProperty(
        name="Colours",
        description="Which colours the pictures in the 3D view are drawn in",
        items=PALETTE_ITEMS,
        update=_views_anew,
    )
    fault_color: _own_colour("fault")
    related_color: _own_colour("related")
    sound_color: _own_colour("sound")
    flow_color: _own_colour("flow")
    allowed_color: _own_colour("allowed")
    shown_fault: _swatch("fault", "At fault", "Members and places that a finding is about")
    shown_related: _swatch("related", "Takes part", "Other members that take part in a finding")
    shown_sound: _swatch("sound", "Sound", "Members that nothing is wrong with")
    shown_flow: _swatch("flow", "Load", "A load on its way down to the ground")
    shown_allowed: _swatch("allowed", "Allowed", "What the rule allows or asks for")
    show_label: bpy.props.BoolProperty(
        name="Figures in the view",
        description="Write the measured figure and its limit beside the member in the 3D view",
        default=True,
        update=_views_anew,
    )
    animate: bpy.props.BoolProperty(
        name="Moving arrows",
        description="Let the arrows of a load path run down to the ground; without it they stand "
        "still, and the view is drawn anew only when something changes",
        default=True,
        update=_views_anew,
    )
    units: bpy.props.EnumProperty(
        name="Units",
        description="Units of the figures in panels and in the 3D view",
        items=UNIT_ITEMS,
        update=_views_anew,
    )
    annotator: bpy.props.StringProperty(
        name="Your name",
        description="The name under which your judgments of findings and structures are kept",
        maxlen=200,
    )


def chosen(context: bpy.types.Context) -> Any:
    """The page of this person; ``None`` where we run as a library, without preferences."""
    addon = context.preferences.addons.get(PACKAGE)
    return addon.preferences if addon is not None else None


def starting(name: str) -> dict[str, Callable[..., Any]]:
    """``get`` and ``set`` of a panel's field that is as the page says until somebody changes it."""
    return fields.starting(lambda context: chosen(context), name)


def palette_of(page: Any) -> Palette:
    """The colours that are chosen on the page."""
    if page.palette == "standard":
        return STANDARD
    own = {tone: tuple(getattr(page, f"{tone}_color")) for tone in OWN_TONES}
    return palette(page.palette, **own)


def look(context: bpy.types.Context) -> Look:
    """The person's choices, or the defaults; ``units`` are those of the scene where that is asked.

    Cheap enough for every redraw.
    """
    page = chosen(context)
    if page is None:
        return Look(units=_units(context, "scene"))
    return Look(palette_of(page), page.show_label, _units(context, page.units), page.animate)


def _units(context: bpy.types.Context, wanted: str) -> str:
    if wanted != "scene":
        return wanted
    scene = context.scene
    own = scene.unit_settings.system if scene is not None else "METRIC"
    return "imperial" if own == "IMPERIAL" else "metric"


def in_environment(provider: str) -> bool:
    """Whether the environment holds a key for ``anthropic`` or ``openai``: it is used first."""
    return bool(os.environ.get(VARIABLES[provider], "").strip())


def key_for(context: bpy.types.Context, provider: str) -> str | None:
    """The key that the person keeps in the preferences, ``None`` if there is none."""
    page = chosen(context)
    return getattr(page, f"{provider}_key", "").strip() or None
