# SPDX-License-Identifier: GPL-3.0-or-later
"""What only a window shows: every panel open at once, German, and the page of the preferences."""

from __future__ import annotations

from pathlib import Path

import pytest
from window_hands import build_and_check, photograph, row_of

pytestmark = [pytest.mark.window, pytest.mark.real_blender]

HELPERS = Path(__file__).parents[1] / "helpers"

# Panels that are closed at first, open: Blender calls what is open even below the window's edge.
OPEN_ALL = """
opened = [c for c in part("panels").CLASSES
          if issubclass(c, bpy.types.Panel) and "DEFAULT_CLOSED" in getattr(c, "bl_options", ())]
drawn, plain = {}, {}
def spy(cls):
    plain[cls] = cls.draw
    def draw(self, context):
        drawn[cls.__name__] = drawn.get(cls.__name__, 0) + 1
        plain[cls](self, context)
    cls.draw = draw
panels = [c for c in part("panels").CLASSES if issubclass(c, bpy.types.Panel)]
def again(options):
    for cls in reversed(panels):
        bpy.utils.unregister_class(cls)
    for cls in panels:
        if cls in opened:
            cls.bl_options = options(cls.bl_options)
        bpy.utils.register_class(cls)
again(lambda found: found - {"DEFAULT_CLOSED"})
for cls in panels:
    spy(cls)
"""
CLOSE_AGAIN = """
for cls, draw in plain.items():
    cls.draw = draw
again(lambda found: found | {"DEFAULT_CLOSED"})
open_tab()
"""

GERMAN = """
seen = bpy.context.preferences.view
before = [seen.language, seen.use_translate_interface, seen.use_translate_tooltips]
seen.language = "de_DE"
seen.use_translate_interface = seen.use_translate_tooltips = True
redraw(2)
iface = bpy.app.translations.pgettext_iface
result = [iface(bpy.types.PLUMBLINE_PT_checks.bl_label), iface("Check Scene", "Operator")]
"""
ENGLISH = """
seen.language, seen.use_translate_interface, seen.use_translate_tooltips = before
redraw(2)
"""

PREFERENCES_PAGE = """
area = max(window().screen.areas, key=lambda a: a.width * a.height)
area.type = "PREFERENCES"
bpy.context.preferences.active_section = "ADDONS"
bpy.context.window_manager.addon_search = "Plumbline"
with bpy.context.temp_override(window=window(), area=area):
    bpy.ops.preferences.addon_show(module=PACKAGE)
"""


def said_of_trouble(blender) -> list[str]:
    """Lines of Blender's output that tell of an error in a draw function."""
    return [line for line in blender.said().splitlines() if "Traceback" in line or "rror:" in line]


def test_every_panel_open_in_every_state(blender):
    before = said_of_trouble(blender)
    # Blender remembers of each panel that it showed whether it is closed: these were not shown yet.
    blender.run("bpy.ops.wm.read_homefile(use_factory_startup=True)")
    blender.run(OPEN_ALL)
    try:
        blender.run("open_tab()")
        blender.run("redraw(2)")
        blender.run("drawn.clear()")
        build_and_check(blender, "timber/gable_house", "missing_stud")
        row = row_of(blender, "spacing")
        blender.run(f"with inside(): bpy.ops.plumbline.show_finding(row={row})\nredraw(2)")
        drawn = set(blender.run("result = sorted(drawn)"))
        blender.run(
            "for obj in list(window().scene.objects): bpy.data.objects.remove(obj)\nredraw(2)"
        )
        blender.run(
            "bpy.ops.mesh.primitive_cube_add()\n"
            "with inside(): bpy.ops.object.mode_set(mode='EDIT')\nredraw(2)\n"
            "with inside(): bpy.ops.object.mode_set(mode='OBJECT')\nredraw(2)"
        )
        blender.run("bpy.ops.wm.read_homefile(use_factory_startup=True)")
        blender.run("open_tab()")
        expected = blender.run(
            "result = sorted(c.__name__ for c in panels "
            "if c.bl_region_type == 'UI' and not hasattr(c, 'poll'))"
        )
        assert set(expected) <= drawn
    finally:
        blender.run(CLOSE_AGAIN)
    assert said_of_trouble(blender) == before


def test_twenty_times_off_and_on_in_a_window(blender):
    trace = (HELPERS / "registration_trace.py").read_text(encoding="utf-8")
    counts = blender.run(
        trace + "\n"
        "def differences(a, b): return [[n, a[n], b[n]] for n in a if a[n] != b[n]]\n"
        # What is begun when it is switched on, and over after a moment, counts in each round.
        "bpy.ops.preferences.addon_disable(module=PACKAGE)\n"
        "outside = trace(PACKAGE)\n"
        "bpy.ops.preferences.addon_enable(module=PACKAGE)\n"
        "inside_it = trace(PACKAGE)\n"
        "bpy.ops.preferences.addon_disable(module=PACKAGE)\n"
        "odd = []\n"
        "for _ in range(20):\n"
        "    bpy.ops.preferences.addon_enable(module=PACKAGE)\n"
        "    odd += differences(inside_it, trace(PACKAGE))\n"
        "    bpy.ops.preferences.addon_disable(module=PACKAGE)\n"
        "    odd += differences(outside, trace(PACKAGE))\n"
        "bpy.ops.preferences.addon_enable(module=PACKAGE)\n"
        "open_tab()\n"
        "result = [inside_it, outside, odd]"
    )
    inside, outside, odd = counts
    assert odd == []
    assert inside["keys"] > 0 and outside["keys"] == 0
    assert inside["operators"] > 20 and outside["operators"] == 0


@pytest.mark.only_in("4.3")
def test_the_tab_in_german(blender):
    build_and_check(blender, "timber/gable_house", "missing_stud")
    try:
        assert blender.run(GERMAN) == ["Prüfungen", "Szene prüfen"]
        photograph(blender, "german")
    finally:
        blender.run(ENGLISH)


@pytest.mark.only_in("5.2")
def test_the_page_of_the_preferences(blender):
    before = said_of_trouble(blender)
    blender.run(PREFERENCES_PAGE)
    photograph(blender, "preferences")
    blender.run(
        "page = bpy.context.preferences.addons[PACKAGE].preferences\n"
        "page.palette = 'own'\npage.provider = 'openai'\npage.units = 'imperial'"
    )
    assert blender.run(
        "shown = part('addon.preferences').look(bpy.context)\n"
        "result = [shown.units, shown.palette.fault == tuple(page.shown_fault)]"
    ) == ["imperial", True]
    blender.run(
        "page.palette, page.provider, page.units = 'standard', 'anthropic', 'scene'\n"
        "with bpy.context.temp_override(window=window(), area=area):\n"
        "    bpy.ops.plumbline.try_isolation()"
    )
    blender.wait_until("part('addon.session.isolation').now() is not None")
    photograph(blender, "preferences-isolation")
    blender.run("area.type = 'VIEW_3D'\nopen_tab()")
    assert said_of_trouble(blender) == before
