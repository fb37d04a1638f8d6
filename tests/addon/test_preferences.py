# SPDX-License-Identifier: GPL-3.0-or-later
"""The preferences' page, and what the rest reads from it."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from small_frame import registered

bpy = pytest.importorskip("bpy")
__all__ = ["registered"]


@pytest.fixture
def page(registered, monkeypatch):
    """The page as the person left it, in a Blender where we are an extension."""
    from plumbline.addon import preferences

    found = SimpleNamespace(
        palette="standard",
        fault_color=(0.1, 0.2, 0.9),
        related_color=(0.9, 0.9, 0.1),
        show_label=True,
        animate=True,
        units="scene",
        anthropic_key=" secret ",
        openai_key="",
    )
    monkeypatch.setattr(preferences, "chosen", lambda _context: found)
    return found


def test_a_library_draws_with_the_default_look(empty_scene):
    from plumbline.addon import preferences

    assert preferences.PACKAGE == "plumbline"
    assert preferences.look(bpy.context) == preferences.Look()


def test_own_colours_count_only_where_they_are_chosen(page):
    from plumbline.addon import preferences
    from plumbline.addon.palette import COLOUR_BLIND_SAFE, STANDARD

    assert preferences.look(bpy.context).palette == STANDARD
    page.palette = "colour_blind_safe"
    assert preferences.look(bpy.context).palette == COLOUR_BLIND_SAFE
    page.palette = "own"
    own = preferences.look(bpy.context).palette
    assert (own.fault, own.related) == ((0.1, 0.2, 0.9), (0.9, 0.9, 0.1))
    assert own.sound == STANDARD.sound


@pytest.mark.parametrize(
    ("wanted", "scene", "units"),
    [
        ("scene", "IMPERIAL", "imperial"),
        ("scene", "METRIC", "metric"),
        ("scene", "NONE", "metric"),
        ("metric", "IMPERIAL", "metric"),
        ("imperial", "METRIC", "imperial"),
    ],
)
def test_units_of_the_scene_or_of_the_person(page, wanted, scene, units):
    from plumbline.addon import preferences

    page.units = wanted
    bpy.context.scene.unit_settings.system = scene
    assert preferences.look(bpy.context).units == units


def test_units_follow_the_scene_in_a_library_too(empty_scene):
    from plumbline.addon import preferences

    bpy.context.scene.unit_settings.system = "IMPERIAL"
    assert preferences.look(bpy.context).units == "imperial"


def test_a_key_is_read_without_its_spaces(page):
    from plumbline.addon import preferences

    assert preferences.key_for(bpy.context, "anthropic") == "secret"
    assert preferences.key_for(bpy.context, "openai") is None
