# SPDX-License-Identifier: GPL-3.0-or-later
"""Preferences of the extension: how a finding looks in the 3D view."""

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


class PlumblinePreferences(bpy.types.AddonPreferences):
    """Colours of the highlight."""

    bl_idname = PACKAGE

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


def look(context: bpy.types.Context) -> Look:
    """The person's choices; the defaults where we run as a library, without preferences."""
    addon = context.preferences.addons.get(PACKAGE)
    if addon is None or addon.preferences is None:
        return Look()
    chosen = addon.preferences
    return Look(tuple(chosen.fault_color), tuple(chosen.related_color), chosen.show_label)


CLASSES = (PlumblinePreferences,)
