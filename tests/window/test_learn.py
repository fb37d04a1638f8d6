# SPDX-License-Identifier: GPL-3.0-or-later
"""A pupil in a real window: a lesson from the first look to a slider, and a quiz, by the mouse.

``PLUMBLINE_PHOTOGRAPHS`` names a folder in which photographs of the window are kept.
"""

from __future__ import annotations

import pytest
from window_hands import hands, photograph, press

pytestmark = [pytest.mark.window, pytest.mark.real_blender, pytest.mark.only_in("5.2")]

#: What every request may use beside the words of ``inside.py``.
_WORDS = """
def lesson():
    found = part("addon.session.learning").open_now(bpy.context)
    return found and found.id
def learn():
    return bpy.context.window_manager.plumbline_learn
def slider():
    found = part("addon.session.learning").open_now(bpy.context)
    return found.sliders[0]
def meter():
    found = part("addon.session.what_if").meter_of(window().scene, slider())
    return found and [found.verdict, found.holds, found.used]
def quiz():
    return part("addon.session.quizzing").now()
"""

# Makes the panel say something else at one place, and takes it back, which shows where it is.
_GREY = (
    "module = part({module!r}); plain = module.{function}\n"
    "def grey(layout, *rest):\n"
    "    column = layout.column()\n"
    "    column.enabled = False\n"
    "    plain(column, *rest)\n"
    "module.{function} = grey"
)
_PLAIN = "module.{function} = plain"


def where(blender, function: str, module: str = "panels.learn") -> tuple[float, float]:
    """The middle of what a function of our panels draws."""
    return blender.find_change(
        _GREY.format(module=module, function=function),
        _PLAIN.format(module=module, function=function),
    )


def open_panel(blender) -> None:
    """Open Learn by a click with Ctrl on its header, which closes the others."""
    blender.run(_WORDS)
    mark = (
        "cls = bpy.types.PLUMBLINE_PT_learn; preset = cls.draw_header_preset\n"
        "cls.draw_header_preset = lambda self, context: self.layout.label(text='MMMM')"
    )
    place = blender.find_change(mark, "cls.draw_header_preset = preset")
    hands(blender, "keydown", "ctrl")
    blender.display.click(*place)
    hands(blender, "keyup", "ctrl")
    blender.run("redraw(2)")


def lesson_button(blender, lesson_id: str) -> tuple[float, float]:
    """The button of a lesson in the list: the one whose name is changed."""
    change = (
        "learn_panel = part('panels.learn'); plain = learn_panel.learning.lessons\n"
        "from dataclasses import replace\n"
        "learn_panel.learning.lessons = lambda: tuple(\n"
        f"    replace(one, title='MMMMMMMM') if one.id == {lesson_id!r} else one "
        "for one in plain())"
    )
    return blender.find_change(change, "learn_panel.learning.lessons = plain")


def choice_button(blender, place: int, module: str = "panels.learn") -> tuple[float, float]:
    """The button of an answer, by its letter."""
    letters = "ABCDEFGH".replace("ABCDEFGH"[place], "M")
    return blender.find_change(
        f"module = part({module!r}); plain = module._LETTERS; module._LETTERS = {letters!r}",
        "module._LETTERS = plain",
    )


def to_next(blender) -> None:
    """Press the button of the next step, which stands to the right of *Back*."""
    left, _, right, _ = blender.run("result = rectangle('UI')")
    _, y = where(blender, "_draw_ways")
    blender.display.click(left + 0.6 * (right - left), y)


# Of the members that count as found one that is in sight: nothing in front of its middle.
_IN_SIGHT = """
from bpy_extras.view3d_utils import location_3d_to_region_2d as there
from bpy_extras.view3d_utils import region_2d_to_origin_3d as origin
from bpy_extras.view3d_utils import region_2d_to_vector_3d as along
from mathutils import Vector
r3d, whole = view().spaces.active.region_3d, region("WINDOW")
accepted = part("addon.lessons.quiz").accepted
with inside(): graph = bpy.context.evaluated_depsgraph_get()
def only(obj, at):
    # Blender takes what is nearest to the click: all round it must be the same member.
    for x, y in ((0, 0), (4, 0), (-4, 0), (0, 4), (0, -4)):
        near = at + Vector((x, y))
        hit = window().scene.ray_cast(graph, origin(whole, r3d, near), along(whole, r3d, near))
        if not hit[0] or hit[4].name != obj.name:
            return False
    return True
result = None
for obj in window().scene.objects:
    if result is None and accepted(quiz().question.lesson, obj.name):
        corners = [obj.matrix_world @ Vector(c) for c in obj.bound_box]
        middle = sum(corners, Vector()) / 8
        for share in (0.5, 0.3, 0.7, 0.15, 0.85, 0.05, 0.95):
            for a, b in ((0, 7), (1, 6), (2, 5), (3, 4), (0, 6), (1, 7)):
                at = there(whole, r3d, corners[a].lerp(corners[b], share))
                if at and 80 < at[0] < whole.width - 320 and only(obj, at):
                    result = [whole.x + at[0], window().height - (whole.y + at[1])]
"""


def click_member(blender) -> None:
    """Click in the view at a member that counts as found."""
    place = blender.run(_IN_SIGHT)
    assert place is not None, "nothing that counts is in sight"
    blender.display.click(*place)
    blender.wait_until("window().view_layer.objects.active is not None")


def drag_slider(blender, begin: float, end: float) -> None:
    """Drag the first slider from one share of its width to another: it moves by as much.

    Without Blender's continuous grab, which puts the pointer back while it is dragged and takes the
    jumps of this mouse for long ways.
    """
    grab = "bpy.context.preferences.inputs.use_mouse_continuous"
    blender.run(f"{grab} = False")
    change = (
        "key = part('addon.session.lesson_scene').slider_key(slider())\n"
        "plain = part('panels.learn')._draw_slider\n"
        "import dataclasses\n"
        "def renamed(box, context, lesson, one, value):\n"
        "    plain(box, context, lesson, dataclasses.replace(one, title='MMMMMM'), value)\n"
        "part('panels.learn')._draw_slider = renamed"
    )
    _, y = blender.find_change(change, "part('panels.learn')._draw_slider = plain")
    left, _, right, _ = blender.run("result = rectangle('UI')")
    start, wide = left + 24, right - left - 100
    hands(blender, "mousemove", str(round(start + begin * wide)), str(round(y)))
    hands(blender, "mousedown", "1")
    for share in (begin + (end - begin) * 0.1, (begin + end) / 2, end, 1.01 * end, end):
        hands(blender, "mousemove", str(round(start + share * wide)), str(round(y)))
        # A window that is late would take several moves for one, and the first only begins a drag.
        blender.run("redraw()")
        blender.run("redraw()")
    hands(blender, "mouseup", "1")
    blender.run(f"{grab} = True")


def test_a_lesson_from_the_first_look_to_the_slider(blender):
    mine = blender.run("result = window().scene.name")
    open_panel(blender)
    photograph(blender, "learn-list")
    blender.display.click(*lesson_button(blender, "joist_cantilever"))
    blender.wait_until("lesson() == 'joist_cantilever'")
    assert blender.run("result = window().scene.name") != mine
    photograph(blender, "learn-see")

    to_next(blender)
    blender.wait_until("learn().step == 'question'")
    blender.display.click(*choice_button(blender, 1))
    blender.wait_until("learn().answer == 1")
    photograph(blender, "learn-question")

    to_next(blender)
    blender.wait_until("chosen() is not None")
    assert blender.run("result = chosen()")["subject"] == "Joist_1_01"
    photograph(blender, "learn-show")

    to_next(blender)
    blender.wait_until("learn().step == 'rule'")
    photograph(blender, "learn-rule")
    to_next(blender)
    blender.wait_until("learn().step == 'mend'")
    photograph(blender, "learn-mend")
    press(blender, "PLUMBLINE_OT_mend_lesson")
    blender.wait_until("meter() and meter()[0] == 'passed'")
    photograph(blender, "learn-mended")

    to_next(blender)
    blender.wait_until("learn().step == 'what_if'")
    blender.run("learn().caption = True")
    end = "min(v.co.x for v in window().scene.objects['Joist_1_01'].data.vertices)"
    home = blender.run(f"result = {end}")
    drag_slider(blender, 0.05, 1.3)
    blender.wait_until("meter()[0] == 'failed' and not meter()[1]")
    far = blender.run(f"result = {end}")
    assert far == pytest.approx(home - 0.938, abs=1e-4)
    photograph(blender, "learn-what-if")
    drag_slider(blender, 0.95, -0.6)
    blender.wait_until("meter()[0] == 'passed'")
    assert blender.run(f"result = {end}") == pytest.approx(home, abs=1e-4)
    photograph(blender, "learn-what-if-back")

    left, _, _, bottom = blender.run("result = rectangle('WINDOW')")
    blender.display.move(left + 300, bottom - 60)
    blender.display.key("ctrl+z")
    blender.wait_until("meter()[0] == 'failed'")
    assert blender.run(f"result = {end}") == pytest.approx(far, abs=1e-4), "undo takes both back"
    press(blender, "PLUMBLINE_OT_leave_lesson")
    blender.wait_until("lesson() is None")
    assert blender.run("result = [window().scene.name, len(bpy.data.scenes)]") == [mine, 1]


def test_a_quiz_by_the_mouse(blender, tmp_path):
    open_panel(blender)
    # This seed asks for a ridge that lies in sight, and then a question with choices.
    blender.run("learn().quiz_count = 2; learn().quiz_seed = 654\nredraw(2)")
    press(blender, "PLUMBLINE_OT_start_quiz")
    blender.wait_until("quiz() is not None and lesson() is not None")
    for number in (0, 1):
        blender.wait_until(f"quiz().number == {number} and quiz().answer is None")
        if blender.run("result = quiz().question.kind") == "find":
            photograph(blender, "learn-quiz-find")
            click_member(blender)
            press(blender, "PLUMBLINE_OT_quiz_point")
        else:
            photograph(blender, "learn-quiz-choice")
            right = blender.run(
                "question = quiz().question\n"
                "result = question.order.index(question.lesson.question.right)"
            )
            blender.display.click(*choice_button(blender, right, "panels.quiz"))
        blender.wait_until("quiz().answer is not None")
        assert blender.run("result = quiz().answer.right")
        photograph(blender, f"learn-quiz-answered-{number}")
        press(blender, "PLUMBLINE_OT_quiz_next")
    kinds = blender.run("result = [question.kind for question in quiz().questions]")
    assert sorted(kinds) == ["choice", "find"], "both ways to answer were tried"
    blender.wait_until("quiz().over")
    assert blender.run("result = quiz().score") == 2
    photograph(blender, "learn-quiz-over")
    path = str(tmp_path / "anna.csv")
    blender.run(f"with inside(): bpy.ops.plumbline.save_quiz('EXEC_DEFAULT', filepath={path!r})")
    assert (tmp_path / "anna.csv").read_text(encoding="utf-8").count("yes") == 2
    press(blender, "PLUMBLINE_OT_end_quiz")
    blender.wait_until("quiz() is None and len(bpy.data.scenes) == 1")
