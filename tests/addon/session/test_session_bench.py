# SPDX-License-Identifier: GPL-3.0-or-later
"""Code in the open session: in scenes of its own, with what is the person's left as it was."""

from __future__ import annotations

import signal

import pytest

pytestmark = pytest.mark.ends

bpy = pytest.importorskip("bpy")

BOX = """
import bpy
def box(name, z):
    mesh = bpy.data.meshes.new(name)
    v = [(x, y, z + h) for x in (0, 2) for y in (0, .1) for h in (0, .1)]
    mesh.from_pydata(v, [], [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4),
                             (1, 5, 7, 3)])
    bpy.context.scene.collection.objects.link(bpy.data.objects.new(name, mesh))
box("Sill_01", 0)
box("Joist_01", 1)
print("two boxes")
"""


@pytest.fixture
def house(registered, tmp_path):
    """A session with a person's cube called Joist_01, and a bench that may run code in it."""
    from plumbline.addon.sandbox.policy import vet
    from plumbline.addon.session.consent import Consent
    from plumbline.addon.session.session_bench import House

    mesh = bpy.data.meshes.new("Joist_01")
    mesh.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [], [(0, 1, 2)])
    obj = bpy.data.objects.new("Joist_01", mesh)
    bpy.context.scene.collection.objects.link(obj)
    consent = Consent()
    consent.give()
    return House(consent, vet, tmp_path / "scenes", tmp_path / "copies", seconds=1.0)


@pytest.fixture
def bench(house):
    from plumbline.addon.agent.providers.base import Cancel
    from plumbline.addon.session.bridge import MainThread
    from plumbline.addon.session.session_bench import SessionBench

    return SessionBench(MainThread(Cancel()), house)


def person():
    """All that is the person's, by a hash."""
    from plumbline.addon.scene.state import scene_hash

    return scene_hash(bpy.data.scenes["Scene"])


def test_a_run_gets_a_scene_of_its_own_with_the_names_that_it_gave(bench, house):
    before = person()
    execution = bench.execute(BOX, None, "step-01-floor")
    assert (execution.outcome, execution.isolation) == ("finished", "none")
    assert execution.output == "two boxes\n"
    assert execution.structure["names"] == ["Sill_01", "Joist_01"]
    assert execution.scene.blend.is_file() and execution.scene.name == "step-01-floor"
    own = bpy.data.scenes["step-01-floor"]
    assert [o.name for o in own.objects] == ["Sill_01", "Joist_01.001"]
    assert bpy.data.scenes["Scene"].objects.keys() == ["Joist_01"]
    assert person() == before
    assert bpy.context.window.scene == own
    assert not bpy.data.libraries
    assert len(list(house.checkpoints.glob("*.blend"))) == 1


def test_the_next_run_begins_with_a_copy_and_may_use_the_names(bench):
    first = bench.execute(BOX, None, "one")
    move = "import bpy\nbpy.data.objects['Joist_01'].location.z = 5\nprint(bpy.context.scene.name)"
    second = bench.execute(move, first.scene, "two")
    assert second.output == "Scene\n" and second.ok
    assert bpy.data.scenes["Scene"].objects["Joist_01"].location.z == 0
    heights = [bpy.data.scenes[n].objects[1].location.z for n in ("one", "two")]
    assert heights == [0, 5]
    again = bench.execute("import bpy\nprint(len(bpy.context.scene.objects))", first.scene, "three")
    assert again.output == "2\n"


def test_the_window_need_not_follow(house, bench):
    from dataclasses import replace

    bench._house = replace(house, show=lambda landed: False)
    bench.execute(BOX, None, "one")
    assert bpy.context.window.scene.name == "Scene"


def test_the_view_is_framed_until_the_person_moves_it(bench):
    area = next(a for a in bpy.context.window.screen.areas if a.type == "VIEW_3D")
    view = area.spaces.active.region_3d
    bench.execute(BOX, None, "one")
    assert tuple(view.view_location) == pytest.approx((1.0, 0.05, 0.55))
    bench.execute(BOX.replace('"Joist_01", 1', '"Joist_01", 3'), None, "two")
    assert view.view_location.z == pytest.approx(1.55)
    view.view_location.z = 0.0
    bench.execute(BOX, None, "three")
    assert view.view_location.z == 0.0


def test_an_error_keeps_what_was_built_and_names_its_line(bench):
    execution = bench.execute(BOX + "\n1 / 0\n", None, "broken")
    assert execution.outcome == "raised" and execution.message.startswith("ZeroDivisionError")
    assert 'File "<program>", line 13' in execution.traceback
    assert "plumbline" not in execution.traceback
    assert len(execution.structure["names"]) == 2


def test_what_the_policy_forbids_is_not_run(bench):
    execution = bench.execute("import subprocess\nprint(1)", None, "bad")
    assert execution.outcome == "refused" and execution.problems[0].line == 1
    assert execution.scene is None and bpy.data.scenes.keys() == ["Scene"]


def test_without_leave_nothing_runs(bench, house):
    from plumbline.addon.agent.bench import BenchError

    house.consent.revoke()
    with pytest.raises(BenchError, match="not allowed: allow it in the panel") as caught:
        bench.execute(BOX, None, "one")
    assert caught.value.kind == "consent"
    assert bpy.data.scenes.keys() == ["Scene"] and bench.checkpoint is None


def test_no_copy_no_run(bench, house):
    from plumbline.addon.agent.bench import BenchError

    house.checkpoints.write_text("a file where the folder should be")
    with pytest.raises(BenchError) as caught:
        bench.execute(BOX, None, "one")
    assert caught.value.kind == "disk" and bpy.data.scenes.keys() == ["Scene"]


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no alarm")
@pytest.mark.parametrize(
    "loop",
    [
        "while True: pass",
        "try:\n    while True: pass\nexcept BaseException: pass\nprint('went on')",
    ],
)
def test_the_alarm_ends_an_endless_loop(bench, loop):
    before, handler = person(), signal.getsignal(signal.SIGALRM)
    execution = bench.execute(BOX + loop, None, "endless")
    assert execution.outcome == "timeout" and "1 s" in execution.message
    assert execution.scene is None and bpy.data.scenes.keys() == ["Scene"]
    assert bpy.data.objects.keys() == ["Joist_01"] and person() == before
    assert signal.getsignal(signal.SIGALRM) == handler
    assert bench.execute(BOX, None, "after").ok


@pytest.mark.parametrize(
    "code",
    [
        "import bpy\nfor o in list(bpy.data.objects):\n    bpy.data.objects.remove(o)",
        "import bpy\nfor o in bpy.data.objects:\n    o.location.x += 1",
        "import bpy\nbpy.data.objects[0].data = bpy.data.meshes.new('other')",
    ],
)
def test_who_touches_what_is_not_his_is_told_so(bench, code):
    execution = bench.execute(code, None, "rude")
    assert execution.outcome == "raised"
    assert "Joist_01, which are not of its scene" in execution.message
    assert "bpy.context.scene" in execution.traceback
    assert execution.scene is None and execution.structure is None


def test_all_its_scene_is_its_own_to_clear(bench):
    clear = (
        "import bpy\nbpy.ops.object.select_all(action='SELECT')\nbpy.ops.object.delete()\n"
        "for o in list(bpy.context.scene.objects):\n    bpy.data.objects.remove(o)"
    )
    execution = bench.execute(clear + BOX, bench.execute(BOX, None, "one").scene, "two")
    assert execution.outcome == "finished" and len(execution.structure["names"]) == 2


def test_a_scene_that_removes_itself(bench):
    code = "import bpy\nbpy.data.scenes.remove(bpy.context.scene)"
    execution = bench.execute(code, None, "gone")
    assert execution.outcome in ("raised", "refused")
    assert bpy.data.scenes.keys() == ["Scene"]


def test_what_a_run_leaves_in_blender_is_taken_away(bench, house):
    from dataclasses import replace

    bench._house = replace(house, vet=lambda code: ())  # the guard stands behind the policy
    code = """
import bpy, random
bpy.app.handlers.frame_change_post.append(lambda *a: None)
bpy.app.timers.register(lambda: 1.0)
bpy.app.driver_namespace["mine"] = 1
class OBJECT_OT_mine(bpy.types.Operator):
    bl_idname, bl_label = "object.mine", "Mine"
bpy.utils.register_class(OBJECT_OT_mine)
random.seed(1)
"""
    import random

    handlers = len(bpy.app.handlers.frame_change_post)
    state, register = random.getstate(), bpy.app.timers.register
    assert bench.execute(code, None, "litter").outcome == "finished"
    assert len(bpy.app.handlers.frame_change_post) == handlers
    assert "mine" not in bpy.app.driver_namespace
    assert not hasattr(bpy.types, "OBJECT_OT_mine")
    assert random.getstate() == state and bpy.app.timers.register == register


def test_copies_of_the_file_do_not_pile_up(registered, tmp_path):
    from plumbline.addon.session import scenes

    for _ in range(scenes.CHECKPOINTS_KEPT + 3):
        newest = scenes.checkpoint(tmp_path)
    kept = sorted(tmp_path.glob("*.blend"))
    assert len(kept) == scenes.CHECKPOINTS_KEPT and newest in kept
