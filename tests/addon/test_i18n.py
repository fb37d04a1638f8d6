# SPDX-License-Identifier: GPL-3.0-or-later
"""Translations: what there is to translate, and that Blender shows it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from small_frame import registered

pytestmark = pytest.mark.once

bpy = pytest.importorskip("bpy")
__all__ = ["registered"]

FOLDER = Path(__file__).parents[2] / "addon" / "i18n"

#: Files whose words are all there in German, as proof that it works.
CORE = (
    *("panels/task.py", "panels/checks.py", "panels/findings.py", "panels/view.py"),
    *("panels/preferences.py", "addon/words.py", "addon/runs/wording.py", "addon/properties.py"),
    *("operators/tasks.py", "operators/checks.py", "operators/findings.py"),
    *("operators/preferences.py", "operators/workspace.py"),
)

needs_languages = pytest.mark.skipif(
    not bpy.app.build_options.international, reason="this bpy was built without languages"
)


@pytest.fixture
def words(registered):
    from interface_words import every_word

    return every_word()


@pytest.fixture
def german(registered):
    """Blender in German, as chosen in the preferences."""
    view = bpy.context.preferences.view
    before = view.language, view.use_translate_interface, view.use_translate_tooltips
    view.language = "de_DE"
    view.use_translate_interface = view.use_translate_tooltips = True
    yield
    view.language, view.use_translate_interface, view.use_translate_tooltips = before


def test_words_are_found_in_every_room(words):
    files = {w.file for w in words}
    for file in ("panels/checks.py", "operators/checks.py", "addon/properties.py"):
        assert file in files
    found = {(w.context, w.english) for w in words}
    assert ("Operator", "Check Scene") in found and ("*", "Findings") in found
    assert ("*", "Clear span") in found and ("*", "not applicable") in found


def test_the_core_is_in_german(words):
    from plumbline.addon import i18n

    known = i18n.words_of("de_DE")
    missing = [w for w in words if w.file in CORE and (w.context, w.english) not in known]
    assert not missing, "\n".join(f"{w.file}: {w.context} {w.english!r}" for w in missing)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_a_translation_keeps_the_places_for_figures(path):
    for words in json.loads(path.read_text(encoding="utf-8")).values():
        for english, translated in words.items():
            if translated:
                assert sorted(re.findall(r"{\w+}", english)) == sorted(
                    re.findall(r"{\w+}", translated)
                ), english
                assert not translated.endswith(".") or english.endswith("."), english


def test_nothing_is_translated_that_the_window_no_longer_says(words):
    said = {(w.context, w.english) for w in words}
    for path in FOLDER.glob("*.json"):
        for context, table in json.loads(path.read_text(encoding="utf-8")).items():
            left_over = [english for english in table if (context, english) not in said]
            assert not left_over, f"{path.name} {context}: {left_over}"


def test_without_a_translation_it_stays_english(registered):
    from plumbline.addon.i18n import say, say_count

    assert say("{a} of {b}", a=1, b=2) == "1 of 2"
    assert say("A sentence with {braces} and no values") == "A sentence with {braces} and no values"
    assert say_count(1, "{n} fault", "{n} faults") == "1 fault"
    assert say_count(5000, "{n} fault", "{n} faults") == "5,000 faults"


@needs_languages
def test_blender_in_german_shows_our_words(german):
    look_up = bpy.app.translations
    assert look_up.pgettext_iface(bpy.types.PLUMBLINE_PT_checks.bl_label) == "Prüfungen"
    assert look_up.pgettext_iface(bpy.types.PLUMBLINE_PT_findings.bl_label) == "Befunde"
    assert look_up.pgettext_iface("Check Scene", "Operator") == "Szene prüfen"
    tooltip = bpy.ops.plumbline.check_scene.get_rna_type().description
    assert look_up.pgettext_tip(tooltip) != tooltip


@needs_languages
def test_our_words_go_with_the_extension(german):
    from plumbline.addon import registration

    registration.unregister()
    try:
        assert bpy.app.translations.pgettext_iface("Check Scene", "Operator") == "Check Scene"
    finally:
        registration.register()


@needs_languages
def test_sentences_in_panels_are_german_before_they_are_broken_into_lines(german):
    from plumbline.panels.text import wrapped
    from recording_layout import RecordingLayout

    layout = RecordingLayout()
    wrapped(layout, bpy.context, "Edited since this check: check again")
    assert "geändert" in " ".join(layout.texts())
