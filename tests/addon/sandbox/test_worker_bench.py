# SPDX-License-Identifier: GPL-3.0-or-later
"""A run's bench on a real worker: how code ends, what is kept of it, whose fault a failure is."""

import os
import textwrap

import bpy
import pytest
from plumbline.addon.agent.bench import UNDRAWABLE, BenchError, Scene
from plumbline.addon.sandbox.bench import WorkerBench
from plumbline.addon.sandbox.client import BlenderWorker
from plumbline.addon.sandbox.policy import DEFAULT
from plumbline.addon.scene.plain import structure_from_plain

pytestmark = pytest.mark.once

STUD = (
    "import bpy\nbpy.ops.mesh.primitive_cube_add()\nbpy.context.object.name = 'Stud'\nprint('ok')"
)
#: Dies the first time, which a note in the parent's folder remembers.
DIES_ONCE = """
import os
note = {note!r}
if not os.path.exists(note):
    open(note, "w").close()
    os.abort()
"""


@pytest.fixture(scope="module")
def worker():
    with BlenderWorker() as worker:
        yield worker


@pytest.fixture
def bench(worker, tmp_path):
    return WorkerBench(worker, tmp_path, 20.0)


def test_code_that_finishes(bench, worker, tmp_path):
    done = bench.execute(STUD, None, "step-01")
    assert (done.outcome, done.ok, done.message, done.output) == ("finished", True, None, "ok\n")
    assert structure_from_plain(done.structure).names == ("Stud",)
    assert done.structure["source"]["file"] == ""  # nothing of one run differs from the next
    assert done.scene == Scene(tmp_path / "steps/step-01.blend")
    assert done.scene.blend.is_file()
    assert (tmp_path / "steps/step-01.py").read_text() == STUD
    assert done.isolation == bench.isolation == worker.isolation
    assert 0 < done.seconds < 20
    assert done.cpu > 0 and done.memory > 50 << 20
    assert done.versions["blender"] == ".".join(map(str, bpy.app.version))


def test_one_step_builds_on_another_which_stays(bench):
    first = bench.execute(STUD, None, "step-01")
    before = first.scene.blend.read_bytes()
    second = bench.execute("import bpy\nbpy.data.objects['Stud'].name = 'Post'", first.scene, "b")
    assert structure_from_plain(second.structure).names == ("Post",)
    assert first.scene.blend.read_bytes() == before


def test_code_that_raises_keeps_what_it_built(bench):
    done = bench.execute(STUD + "\nraise ValueError('no ridge')", None, "step-01")
    assert (done.outcome, done.message) == ("raised", "ValueError: no ridge")
    assert 'File "<program>", line 5' in done.traceback
    assert structure_from_plain(done.structure).names == ("Stud",)


def test_halves_of_characters_can_be_written_down(bench):
    done = bench.execute("print('\\ud800')\nraise ValueError('\\udfff')", None, "step-01")
    assert (done.output + done.traceback).encode("utf-8")


def test_what_the_policy_refuses_is_not_run(worker, tmp_path):
    bench = WorkerBench(worker, tmp_path, 20.0, DEFAULT)
    done = bench.execute("import os; os.abort()", None, "step-01")
    assert (done.outcome, done.scene, done.structure) == ("refused", None, None)
    assert done.problems[0].line == 1
    assert (tmp_path / "steps/step-01.py").is_file()
    assert bench.execute(STUD, None, "step-02").ok


@pytest.mark.parametrize(
    ("code", "outcome", "words"),
    [
        ("while True: pass", "timeout", "did not end within 2 s"),
        ("import os; os.abort()", "crashed", "SIGABRT"),
        ("import ctypes; ctypes.string_at(0)", "crashed", "SIGSEGV"),
    ],
)
def test_code_that_does_not_come_back(worker, tmp_path, code, outcome, words):
    bench = WorkerBench(worker, tmp_path, 2.0)
    done = bench.execute(code, None, "step-01")
    assert (done.outcome, done.scene, done.structure) == (outcome, None, None)
    assert words in done.message
    assert done.seconds > 0
    assert bench.execute(STUD, None, "step-02").ok


def test_a_single_crash_is_forgiven(tmp_path):
    """In a process without a box, where a program can leave itself a note."""
    note = tmp_path / "note"
    with BlenderWorker(isolation="process") as worker:
        bench = WorkerBench(worker, tmp_path, 20.0)
        done = bench.execute(DIES_ONCE.format(note=str(note)) + STUD, None, "step-01")
    assert done.ok
    assert note.exists()


def test_what_cannot_be_read_is_said(bench):
    """Something else in place of the scene: the program's word for it isn't taken."""
    forge = """
    import bpy, os, sys
    def forged(path):
        open(path, "wb").write(b"BLENDER-v500" + b"x" * 100)
    for module in list(sys.modules.values()):
        if hasattr(module, "save_blend"):
            module.save_blend = forged
    """
    done = bench.execute(textwrap.dedent(forge), None, "step-01")
    assert done.outcome == "finished"
    assert done.structure is None
    assert not done.ok
    assert "what the program left" in done.unreadable
    assert "/request-" not in done.unreadable


def test_pictures_and_views(bench):
    scene = bench.execute(STUD, None, "step-01").scene
    assert bench.picture(scene, {"checks": []}, "front_right").startswith(b"\x89PNG")
    views = bench.views(scene, scene, ["front", "left"], (64, 64))
    assert list(views) == ["front", "left"]
    assert all(png.startswith(b"\x89PNG") for png in views.values())
    empty = bench.execute("import bpy", None, "step-02").scene
    with pytest.raises(BenchError) as error:
        bench.picture(empty, {"checks": []}, "front_right")
    assert error.value.kind == UNDRAWABLE


def test_faults_of_the_environment_are_no_outcomes(tmp_path):
    for worker, kind in (
        (BlenderWorker(["/nonexistent/blender"]), "no_blender"),
        (BlenderWorker(["/bin/sh", "-c", "exit 3"], isolation="process"), "blender"),
    ):
        with pytest.raises(BenchError) as error:
            WorkerBench(worker, tmp_path, 5.0).execute("x = 1", None, "step-01")
        assert error.value.kind == kind
    assert sorted(os.listdir(tmp_path / "steps")) == ["step-01.py"]
