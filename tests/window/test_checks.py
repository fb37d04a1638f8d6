# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks in a real window: beside it, called off, by themselves; findings by key; the summary."""

from __future__ import annotations

import time

import numpy as np
import pytest
import timber_samples
from window_hands import build_and_check, photograph, press

pytestmark = [pytest.mark.window, pytest.mark.real_blender]

#: Members of the large scene, and how often the same is judged so that there is time to look on.
MANY, TIMES = 5_000, 60

# A large house as objects; the view looks at the sky, so that drawing it costs next to nothing.
LOAD = """
import numpy as np
house = np.load({path!r})
structure = part("checks.timber.structure").TimberStructure.from_boxes(
    house["names"].tolist(), house["center"], house["axes"], house["size"])
bpy.ops.scene.new(type="EMPTY")
with inside():
    part("addon.scene.build").scene_from_structure(structure, "house", window().scene)
window().view_layer.update()
space = view().spaces.active
space.region_3d.view_location = (0, 0, 5000)
result = len(window().scene.objects)
"""

# The same judging many times over: real work, only more of it, that can be called off anywhere.
LONGER = """
judge_once = plain_judge
def judge_often(reading, progress):
    for k in range({times} - 1):
        judge_once(reading, lambda step, done, total:
                   progress(step, k * total + done, {times} * total))
    return judge_once(reading, lambda step, done, total:
                      progress(step, ({times} - 1) * total + done, {times} * total))
part("addon.review").judge_reading = judge_often
"""

# When the window drew: a handler of the test's own.
BEATS = """
beats = []
beating = bpy.types.SpaceView3D.draw_handler_add(
    lambda: beats.append(time.monotonic()), (), "WINDOW", "POST_PIXEL")
def keep_drawing():
    view().tag_redraw()
    return 0.01
bpy.app.timers.register(keep_drawing)
"""
NO_BEATS = (
    'bpy.types.SpaceView3D.draw_handler_remove(beating, "WINDOW"); '
    "bpy.app.timers.unregister(keep_drawing); beating = None"
)

REMEMBER = "plain_judge, beating = part('addon.review').judge_reading, None"
PUT_BACK = f"""
part("addon.review").judge_reading = plain_judge
part("addon.session.jobs").close(20.0)
bpy.context.window_manager.plumbline_live.on = False
if beating is not None:
    {NO_BEATS}
"""

NOW = "part('addon.session.jobs').now()"


@pytest.fixture
def judging(blender):
    """The window, whose judging a test may alter: it is as it was afterwards."""
    blender.run(REMEMBER)
    yield blender
    blender.run(PUT_BACK)


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A large house as a file."""
    house = timber_samples.gable_house(MANY)
    path = tmp_path_factory.mktemp("house") / "house.npz"
    names = np.array(house.names)
    np.savez(path, names=names, center=house.center, axes=house.axes, size=2 * house.half)
    return str(path)


def gaps(blender, seconds: float) -> tuple[int, float, float]:
    """How often the window drew in so many seconds; median and longest gap between two draws, s."""
    blender.run("del beats[:]")
    time.sleep(seconds)
    beats = np.array(blender.run("result = list(beats)"))
    between = np.diff(beats) if len(beats) > 1 else np.array([seconds])
    return len(beats), float(np.median(between)), float(between.max())


@pytest.mark.only_in("5.2")
def test_a_large_scene_is_checked_beside_the_window_and_can_be_called_off(judging, large):
    blender = judging
    assert blender.run(LOAD.format(path=large)) == MANY
    blender.run(BEATS + "\nredraw(2)")
    idle = gaps(blender, 4.0)
    blender.run(LONGER.format(times=TIMES))
    press(blender, "PLUMBLINE_OT_check_scene")
    blender.wait_until(f"len({NOW}) == 1")
    blender.wait_until(f"{NOW}[0].share is not None and {NOW}[0].share > 0.03", 60)
    busy = gaps(blender, 4.0)
    print(f"Blender {blender.version}: draws, median and longest gap, idle {idle}, busy {busy}")
    blender.wait_until("len(beats) >= 5", 60)
    assert blender.run(f"result = len({NOW})") == 1, "it drew while it was still being judged"
    photograph(blender, "checking")
    share = blender.run(f"result = {NOW}[0].share")
    assert 0 < share < 1 and blender.run("result = review() is None")
    blender.run(NO_BEATS)
    press(blender, "PLUMBLINE_OT_cancel_job")
    blender.wait_until(f"{NOW} == ()")
    assert blender.run("result = review() is None"), "called off, there is no answer"
    blender.run("part('addon.review').judge_reading = plain_judge")
    press(blender, "PLUMBLINE_OT_check_scene")
    blender.wait_until("review() is not None", 60)
    assert blender.run("result = len(review().structure)") == MANY
    photograph(blender, "checked-large")


@pytest.mark.only_in("4.3")
def test_a_crash_is_said_in_the_panel_until_the_next_check(judging):
    blender = judging
    build_and_check(blender, "timber/cabin", "rafter_without_bearing")
    blender.run(
        "def crash(*_): raise IndexError('list index out of range')\n"
        "part('addon.review').judge_reading = crash"
    )
    press(blender, "PLUMBLINE_OT_check_scene")
    blender.wait_until("len(part('addon.session.jobs').failures()) == 1")
    blender.run("part('addon.review').judge_reading = plain_judge\nredraw(2)")
    photograph(blender, "crashed")
    assert blender.run("result = review() is None")
    press(blender, "PLUMBLINE_OT_check_scene")
    blender.wait_until("review() is not None")
    assert blender.run("result = part('addon.session.jobs').failures() == ()")


def test_live_a_finding_goes_by_itself_once_it_is_mended(judging):
    blender = judging
    build_and_check(blender, "timber/cabin", "rafter_without_bearing")
    live = "bpy.context.window_manager.plumbline_live.on"
    blender.display.click(*blender.find_change(f"{live} = True", f"{live} = False"))
    blender.wait_until(live)
    before = blender.run("result = review().serial")
    blender.run(
        "obj = window().scene.objects['Rafter_S_07']\n"
        "with inside():\n"
        "    bpy.ops.object.select_all(action='DESELECT')\n"
        "    obj.select_set(True); window().view_layer.objects.active = obj\n"
        "    bpy.ops.ed.undo_push(message='selected')"
    )
    left, _, _, bottom = blender.run("result = rectangle('WINDOW')")
    blender.display.move(left + 300, bottom - 200)
    blender.display.key("g", "z")
    blender.wait_until("len(window().modal_operators) == 1")
    blender.display.key("minus", "period", "0", "7")
    assert blender.run("result = review().serial") == before, "not while it is being moved"
    blender.display.key("Return")
    blender.wait_until("review() is not None and not review().stale")
    blender.wait_until(f"review().serial > {before}")
    assert blender.run("result = review().judgement.verdict") == "passed"
    assert blender.run("result = 'load_path:Rafter_S_07' in review().changes.mended")
    photograph(blender, "live-mended")
    blender.display.move(left + 300, bottom - 200)
    blender.display.key("ctrl+z")
    blender.wait_until("review().judgement.verdict == 'failed' and not review().stale")


@pytest.mark.only_in("5.2")
def test_keys_step_through_the_findings_and_are_nobody_elses(blender):
    build_and_check(blender, "timber/gable_house", "missing_stud")
    shown = blender.run("result = list(review().table.view(state().query()).shown)")
    left, _, _, bottom = blender.run("result = rectangle('WINDOW')")
    blender.display.move(left + 300, bottom - 200)
    walked = []
    for key in ("Next", "Next", "Prior"):  # Page Down, Page Up
        blender.display.key(key)
        walked.append(blender.run("result = review().active"))
    assert walked == [shown[0], shown[1 % len(shown)], shown[0]]
    photograph(blender, "keys")
    clashing = blender.run(
        "ours = {(i.type, i.ctrl_ui, i.alt_ui, i.shift_ui)\n"
        "        for m, i in part('addon.keymap')._made}\n"
        "names = ('Window', 'Screen', '3D View', '3D View Generic', 'Object Mode', \n"
        "         'Object Non-modal', 'Frames')\n"
        "keymaps = bpy.context.window_manager.keyconfigs.default.keymaps\n"
        "result = [i.idname for n in names if n in keymaps for i in keymaps[n].keymap_items\n"
        "          if (i.type, i.ctrl_ui, i.alt_ui, i.shift_ui) in ours and i.active]"
    )
    assert clashing == []
    editable = blender.run(
        "keymap = bpy.context.window_manager.keyconfigs.user.keymaps['3D View']\n"
        "result = [i.name for i in keymap.keymap_items if i.idname == 'plumbline.step_finding']"
    )
    assert len(editable) == 2, "they stand in Preferences > Keymap > 3D View"


@pytest.mark.only_in("5.2")
def test_the_summary_among_the_scenes_properties(blender):
    build_and_check(blender, "timber/gable_house", "missing_stud")
    blender.run(
        "area = next(a for a in window().screen.areas if a.type == 'PROPERTIES')\n"
        "area.spaces.active.context = 'SCENE'\n"
        "view().spaces.active.show_region_ui = False\n"
        "redraw(3)"
    )
    photograph(blender, "summary")
    blender.run("with inside(): bpy.ops.plumbline.show_tab('INVOKE_DEFAULT')")
    blender.wait_until("region('UI').active_panel_category == 'Plumbline'")
    assert blender.run("result = view().spaces.active.show_region_ui")


@pytest.mark.only_in("4.3")
def test_one_check_is_made_again_by_its_button(blender):
    build_and_check(blender, "timber/cabin", "rafter_without_bearing")
    blender.run(
        "window().scene.objects['Rafter_S_07'].location.z -= 0.028\nwindow().view_layer.update()"
    )
    header = (
        "cls = bpy.types.PLUMBLINE_PT_each_check; preset = cls.draw_header_preset\n"
        "cls.draw_header_preset = lambda self, context: self.layout.label(text='MMMM')"
    )
    blender.display.click(*blender.find_change(header, "cls.draw_header_preset = preset"))
    # The first of the buttons that the change greys is that of the first check.
    press(blender, "PLUMBLINE_OT_check_one")
    blender.wait_until("review() is not None and len(review().older) > 0")
    photograph(blender, "one-anew-first")
    first = blender.run("result = review().judgement.checks[0].id")
    assert blender.run(f"result = {first!r} not in review().older")
    blender.run("with inside(): bpy.ops.plumbline.check_one('INVOKE_DEFAULT', check='load_path')")
    blender.wait_until("'load_path' not in review().older")
    assert blender.run("result = review().judgement.check('load_path').status") == "passed"
    photograph(blender, "one-anew")
