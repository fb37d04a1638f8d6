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
    from plumbline.addon.palette import STANDARD

    found = SimpleNamespace(
        palette="standard",
        fault_color=(0.1, 0.2, 0.9),
        related_color=(0.9, 0.9, 0.1),
        sound_color=STANDARD.sound,
        flow_color=STANDARD.flow,
        allowed_color=(0.2, 0.3, 0.4),
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
    assert (own.sound, own.allowed) == (STANDARD.sound, (0.2, 0.3, 0.4))


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


def test_every_section_of_the_page_is_drawn(registered, monkeypatch):
    from plumbline.addon.session import isolation

    monkeypatch.setenv("ANTHROPIC_API_KEY", "one")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    isolation.forget()
    layout = drawn(provider="openai", palette="own")
    fields = [given["property"] for name, given in layout.items if name == "prop"]
    for name in ("provider", "model", "base_url", "api", "anthropic_key", "openai_key", "where",
                 "attempts", "retries", "cost", "minutes", "palette", "shown_fault",
                 "shown_allowed", "units", "show_label", "animate", "annotator"):  # fmt: skip
        assert fields.count(name) == 1, name
    texts = " ".join(layout.texts())
    assert "ANTHROPIC_API_KEY is set in the environment and is used" in texts
    assert "OPENAI_API_KEY is set" not in texts
    assert "plain text" in texts, "who writes the other one here must know"
    assert "one" not in layout.texts()
    assert "plumbline.try_isolation" in [g.get("operator") for _, g in layout.items]


def test_another_interface_and_keys_only_where_they_count(registered):
    layout = drawn(provider="anthropic", palette="standard")
    fields = [given["property"] for name, given in layout.items if name == "prop"]
    assert "api" not in fields
    layout = drawn(provider="scripted")
    fields = [given["property"] for name, given in layout.items if name == "prop"]
    assert "anthropic_key" not in fields and "model" not in fields


def drawn(**values):
    """The page, with everything that is not given as Blender would have it at first."""
    from plumbline.panels.preferences import PlumblinePreferences
    from recording_layout import RecordingLayout

    page = SimpleNamespace(layout=RecordingLayout(), bl_rna=PlumblinePreferences.bl_rna)
    for name, prop in PlumblinePreferences.bl_rna.properties.items():
        if name in PlumblinePreferences.__annotations__ or hasattr(prop, "default"):
            setattr(page, name, values.get(name, getattr(prop, "default", "")))
    PlumblinePreferences.draw(page, bpy.context)
    return page.layout


def test_keys_are_password_fields_and_say_where_they_are_kept(registered):
    from plumbline.panels.preferences import PlumblinePreferences

    for name in ("anthropic_key", "openai_key"):
        prop = PlumblinePreferences.bl_rna.properties[name]
        assert prop.subtype == "PASSWORD"
        assert "environment variable" in prop.description and "plain text" in prop.description


def test_what_the_machine_offers_is_tried_by_the_button_and_never_by_drawing(
    registered, monkeypatch
):
    from plumbline.addon.sandbox import box
    from plumbline.addon.session import isolation

    isolation.forget()
    box.why_not.cache_clear()
    drawn()
    assert isolation.now() is None and box.why_not.cache_info().misses == 0
    assert bpy.ops.plumbline.try_isolation() == {"FINISHED"}
    offer = isolation.now()
    assert offer.boxed == (box.why_not() is None) and offer.reason == box.why_not()
    assert offer.sentence.split()[0] in " ".join(drawn().texts())


def test_new_sessions_of_the_agent_start_as_the_page_says(page):
    from plumbline.addon.session import choices

    page.attempts, page.retries, page.cost, page.minutes, page.where = 7, 2, 0.25, 3.0, "session"
    panel = choices.of(bpy.context)
    assert (panel.attempts, panel.retries, panel.where) == (7, 2, "session")
    assert (panel.cost, panel.minutes) == (0.25, 3.0)
    panel.attempts, panel.where = 9, "isolated"
    assert (panel.attempts, panel.where, page.attempts) == (9, "isolated", 7)


def test_a_library_starts_with_the_usual_limits(registered):
    from plumbline.addon.session import choices

    panel = choices.of(bpy.context)
    assert (panel.attempts, panel.retries, panel.cost, panel.minutes) == (30, 5, 1.0, 0.0)
    assert panel.where == "isolated"


def test_who_changes_a_swatch_has_colours_of_their_own(registered):
    """A property group with the page's fields stands in for the page, which no library has."""
    from plumbline.addon import preferences
    from plumbline.addon.palette import COLOUR_BLIND_SAFE

    group = type("PlumblineTestPage", (preferences.Choices, bpy.types.PropertyGroup), {})
    bpy.utils.register_class(group)
    bpy.types.WindowManager.plumbline_test = bpy.props.PointerProperty(type=group)
    try:
        page = bpy.context.window_manager.plumbline_test
        page.palette = "colour_blind_safe"
        assert tuple(page.shown_sound) == pytest.approx(COLOUR_BLIND_SAFE.sound)
        page.shown_flow = (0.25, 0.5, 0.75)
        assert page.palette == "own"
        own = preferences.palette_of(page)
        assert own.flow == pytest.approx((0.25, 0.5, 0.75))
        assert own.sound == pytest.approx(COLOUR_BLIND_SAFE.sound)
        page.palette = "standard"
        page.palette = "own"
        assert tuple(page.shown_flow) == pytest.approx((0.25, 0.5, 0.75)), "they are kept"
    finally:
        del bpy.types.WindowManager.plumbline_test
        bpy.utils.unregister_class(group)
