# SPDX-License-Identifier: GPL-3.0-or-later
"""The worker, for real: programs that build, fail, hang and crash, and files of every bad kind."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import bpy
import pytest
from plumbline.addon.sandbox import client, process
from plumbline.addon.sandbox.client import BlenderWorker, Limits, WorkerError, blender_command
from plumbline.addon.scene.plain import structure_from_plain

WALL = textwrap.dedent(
    """
    import bpy
    for i in range(5):
        bpy.ops.mesh.primitive_cube_add(size=1, location=(0.4 * i, 0, 1.2))
        stud = bpy.context.object
        stud.name = f"Stud_{i}"
        stud.scale = (0.038, 0.089, 2.4)
    print("made", len(bpy.data.objects))
    """
)
#: Where real Blenders are provisioned: the tests of ``worker`` run on each of them too.
PROVISIONED = Path.home() / ".cache/plumbline/bin"
BINARIES = sorted(PROVISIONED.glob("blender-*")) if PROVISIONED.is_dir() else []


def commands():
    yield pytest.param(None, id="this Python")
    for binary in BINARIES:
        yield pytest.param(str(binary), id=binary.name, marks=pytest.mark.real_blender)


@pytest.fixture(scope="module", params=commands())
def worker(request):
    command = blender_command(request.param) if request.param else None
    with BlenderWorker(command) as worker:
        yield worker


@pytest.fixture(scope="module")
def here():
    """A worker on this Python's bpy, where a test needs no second Blender."""
    with BlenderWorker() as worker:
        yield worker


@pytest.fixture(scope="module")
def plain():
    """A worker without a box: its programs reach the files of this machine."""
    with BlenderWorker(isolation="process") as worker:
        yield worker


def failure(worker, action, **params):
    with pytest.raises(WorkerError) as error:
        worker.request(action, **params)
    return error.value


def names(answer):
    return structure_from_plain(answer["structure"]).names


def test_versions(worker):
    answer = worker.request("versions")
    assert set(answer) == {"blender", "python", "numpy", "isolation"}
    assert tuple(map(int, answer["blender"].split("."))) >= (4, 2)
    assert answer["isolation"] == worker.isolation


def test_build_save_read(worker, tmp_path):
    path = tmp_path / "wall.blend"
    answer = worker.request("build", program=WALL, save=str(path))
    assert answer["ok"]
    assert answer["traceback"] is None
    assert answer["stdout"] == "made 5\n"
    assert answer["seconds"] > 0
    built = structure_from_plain(answer["structure"])
    assert built.names == tuple(f"Stud_{i}" for i in range(5))
    assert 2 * built.half[0] == pytest.approx([2.4, 0.089, 0.038], abs=1e-6)
    read = structure_from_plain(worker.request("read", path=str(path))["structure"])
    assert read.names == built.names
    assert (read.center == built.center).all()


def test_each_build_starts_clean(worker):
    """No object, handler, unit, driver or loaded module of one program is there for the next."""
    dirty = WALL + textwrap.dedent(
        """
        import sys, types
        bpy.context.scene.unit_settings.scale_length = 0.01
        bpy.app.handlers.depsgraph_update_post.append(lambda *a: bpy.ops.mesh.primitive_cube_add())
        bpy.app.driver_namespace["left"] = 1
        sys.modules["left_behind"] = types.ModuleType("left_behind")
        import math; math.pi = 3
        """
    )
    worker.request("build", program=dirty)
    clean = textwrap.dedent(
        """
        import bpy, math, sys
        assert len(bpy.data.objects) == 0, "objects"
        assert bpy.context.scene.unit_settings.system == "METRIC"
        assert bpy.context.scene.unit_settings.scale_length == 1.0, "units"
        handlers = bpy.app.handlers.depsgraph_update_post
        assert not any("lambda" in str(h) for h in handlers), "handler"
        assert "left" not in bpy.app.driver_namespace, "driver"
        assert "left_behind" not in sys.modules, "module"
        assert math.pi > 3.1, "math"
        """
    )
    answer = worker.request("build", program=clean)
    assert answer["ok"], answer["traceback"]


def test_build_on_a_start_file(here, tmp_path):
    path = tmp_path / "wall.blend"
    here.request("build", program=WALL, save=str(path))
    more = "import bpy\nbpy.data.objects['Stud_0'].name = 'KingStud_0'"
    answer = here.request("build", program=more, start=str(path))
    assert "KingStud_0" in names(answer)
    assert len(names(answer)) == 5


def test_a_program_that_fails_leaves_what_it_built(worker, tmp_path):
    path = tmp_path / "half.blend"
    answer = worker.request("build", program=WALL + "\n1 / 0\n", save=str(path))
    assert not answer["ok"]
    assert 'File "<program>", line 10' in answer["traceback"]
    assert "ZeroDivisionError" in answer["traceback"]
    assert "worker.py" not in answer["traceback"]
    assert len(names(answer)) == 5
    assert path.is_file()


def test_a_program_that_ends_in_edit_mode(here):
    program = "import bpy\nbpy.ops.mesh.primitive_cube_add()\nbpy.ops.object.mode_set(mode='EDIT')"
    assert len(names(here.request("build", program=program))) == 1


def test_a_program_that_hangs_is_ended_in_time(worker):
    start = time.monotonic()
    error = failure(worker, "build", program="while True: pass", timeout=1.0)
    assert error.kind == "timeout"
    assert "build took longer than 1 s" in str(error)
    assert time.monotonic() - start < 60
    assert worker.request("versions")["blender"]


@pytest.mark.once
@pytest.mark.skipif(os.name != "posix", reason="looks for a process by its number")
def test_what_a_hanging_program_started_is_ended_too(plain, tmp_path):
    """Even what left the process group and whose own parent has ended."""
    note = tmp_path / "pid"
    program = f"""
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        open({str(note)!r}, "w").write(str(os.getpid()))
        time.sleep(600)
    os._exit(0)
time.sleep(600)
"""
    assert failure(plain, "build", program=program, timeout=5.0).kind == "timeout"
    pid = int(note.read_text())
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        except OSError:
            return
        if state == "Z":
            return
        time.sleep(0.05)
    pytest.fail("the program's child still runs")


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("import ctypes; ctypes.string_at(0)", "SIGSEGV"),
        ("import os; os._exit(7)", "exit code 7"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "SIGKILL"),
        ("import os; os.abort()", "SIGABRT"),
    ],
)
def test_a_crash_is_a_result(worker, program, words):
    error = failure(worker, "build", program=program)
    assert error.kind == "crash"
    assert words in str(error)
    assert worker.request("versions")["blender"]


def test_programs_cannot_disturb_the_pipes(worker):
    program = """
import os, sys
os.write(1, b'{"plumbline": 1, "id": 0, "result": {"forged": true}}\\n' * 3)
print(sys.stdin.read() == "")
sys.__stdout__.write("raw")
os.close(0)
"""
    answer = worker.request("build", program=program)
    assert answer["ok"]
    assert answer["stdout"] == "True\n"


def test_no_secrets_and_a_folder_of_its_own(worker, monkeypatch):
    program = "import os\nprint(sorted(os.environ))\nprint(os.getcwd())\nprint(os.environ['HOME'])"
    monkeypatch.setenv("ANTHROPIC_API_KEY", "canary")
    worker.close()
    answer = worker.request("build", program=program)
    variables, folder, home = answer["stdout"].splitlines()
    assert "ANTHROPIC_API_KEY" not in variables
    assert folder == "/tmp" if worker.isolation == "bubblewrap" else "plumbline-worker-" in folder
    assert home == folder
    assert folder != os.getcwd()


def test_sets_are_walked_in_the_same_order_each_time(worker):
    program = "print(list({'Stud', 'Sill', 'Rafter', 'Joist', 'Ridge'}))"
    answers = set()
    for _ in range(2):
        worker.close()
        answers.add(worker.request("build", program=program)["stdout"])
    assert len(answers) == 1


def test_scripts_in_a_file_do_not_run(plain, tmp_path):
    path, trace = tmp_path / "armed.blend", tmp_path / "trace"
    arm = f"""
import bpy
text = bpy.data.texts.new("boot.py")
text.write("open({str(trace)!r}, 'w')")
text.use_module = True
bpy.ops.mesh.primitive_cube_add()
"""
    plain.request("build", program=arm, save=str(path))
    assert len(names(plain.request("read", path=str(path)))) == 1
    assert not trace.exists()


def test_missing_libraries_are_said(plain, tmp_path):
    library, house = tmp_path / "parts.blend", tmp_path / "house.blend"
    plain.request("build", program=WALL, save=str(library))
    link = f"""
import bpy
with bpy.data.libraries.load({str(library)!r}, link=True) as (there, here):
    here.objects = ["Stud_0", "Stud_1"]
for obj in here.objects:
    bpy.context.scene.collection.objects.link(obj)
bpy.ops.mesh.primitive_cube_add()
"""
    answer = plain.request("build", program=link, save=str(house))
    assert len(names(answer)) == 3
    library.unlink()
    structure = structure_from_plain(plain.request("read", path=str(house))["structure"])
    assert len(structure) == 1
    assert any("parts.blend" in note and "missing" in note for note in structure.notes)


def test_only_the_open_scene_is_read_and_that_is_said(here, tmp_path):
    path = tmp_path / "two.blend"
    program = WALL + textwrap.dedent(
        """
        other = bpy.data.scenes.new("Other house")
        other.collection.objects.link(bpy.data.objects["Stud_0"])
        """
    )
    here.request("build", program=program, save=str(path))
    notes = here.request("read", path=str(path))["structure"]["notes"]
    assert any("Other house" in note for note in notes)


@pytest.fixture(scope="module")
def blend(worker, tmp_path_factory):
    """A file of this worker's Blender, not compressed."""
    path = tmp_path_factory.mktemp("files") / "wall.blend"
    program = WALL + "bpy.context.preferences.filepaths.use_file_compression = False"
    answer = worker.request("build", program=program, save=str(path))
    assert answer["ok"], answer["traceback"]
    return path.read_bytes()


def test_damaged_files_are_refused_in_one_sentence(worker, blend, tmp_path):
    new = blend.startswith(b"BLENDER17")
    newer = b"BLENDER17-01v0999" + blend[17:] if new else b"BLENDER-v999" + blend[12:]
    bad = {
        "cut.blend": (blend[: len(blend) // 2], "is cut off"),
        "short.blend": (blend[:-50], "is cut off"),
        "empty.blend": (b"", "is empty"),
        "text.blend": (b"not a blend file", "is no .blend file"),
        "newer.blend": (newer, "or newer"),
    }
    for name, (content, words) in bad.items():
        path = tmp_path / name
        path.write_bytes(content)
        error = failure(worker, "read", path=str(path))
        assert error.kind == "refused", name
        assert words in str(error)
        assert str(path) in str(error)
        assert "\n" not in str(error)
    assert failure(worker, "read", path=str(tmp_path)).kind == "refused"
    assert "doesn't exist" in str(failure(worker, "read", path=str(tmp_path / "no.blend")))


def test_compressed_file_cut_short(plain, tmp_path):
    path = tmp_path / "wall.blend"
    program = WALL + f"bpy.ops.wm.save_as_mainfile(filepath={str(path)!r}, compress=True)"
    assert plain.request("build", program=program)["ok"]
    path.write_bytes(path.read_bytes()[:-2000])
    error = failure(plain, "read", path=str(path))
    assert (error.kind, "cut off or damaged" in str(error)) == ("refused", True)


def test_where_nothing_can_be_saved(here, tmp_path):
    for place in (tmp_path / "no" / "a.blend", tmp_path):
        error = failure(here, "build", program=WALL, save=str(place))
        assert error.kind == "refused"
        assert str(tmp_path) in str(error)


def test_relative_paths_are_the_callers(here, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    here.request("build", program=WALL, save="wall.blend")
    assert (tmp_path / "wall.blend").is_file()
    assert len(names(here.request("read", path="wall.blend"))) == 5


def test_unknown_action(here):
    error = failure(here, "paint")
    assert error.kind == "refused"
    assert "versions, read, " in str(error)


def test_picture_of_a_file_and_of_a_structure(worker, tmp_path):
    path = tmp_path / "wall.blend"
    structure = worker.request("build", program=WALL, save=str(path))["structure"]
    colours = {"Stud_2": [0.86, 0.1, 0.08, 1.0]}
    for number, what in enumerate(({"blend": str(path)}, {"structure": structure})):
        out = tmp_path / f"{number}.png"
        answer = worker.request("picture", out=str(out), size=[90, 60], colours=colours, **what)
        assert answer == {"out": str(out)}
        assert out.read_bytes().startswith(b"\x89PNG")
    error = failure(worker, "picture", structure=structure, out=str(out), view="top")
    assert error.kind == "refused"
    assert failure(worker, "picture", out=str(out)).kind == "refused"


# ---- without a worker per Blender ----------------------------------------------------------------


@pytest.mark.once
def test_memory_is_limited():
    with BlenderWorker(limits=Limits(memory=5 << 30)) as worker:
        answer = worker.request("build", program="x = bytearray(20 << 30)")
        assert "MemoryError" in answer["traceback"]


def test_where_no_surface_can_be_drawn_on_cycles_draws(monkeypatch, tmp_path):
    variable = "__EGL_VENDOR_LIBRARY_FILENAMES"
    monkeypatch.setattr(process, "_INHERITED", (*process._INHERITED, variable))
    monkeypatch.setenv(variable, "/nonexistent")
    with BlenderWorker() as worker:
        structure = worker.request("build", program=WALL)["structure"]
        out = tmp_path / "a.png"
        assert worker.request("picture", structure=structure, out=str(out), size=[60, 40])
        assert out.is_file()


def test_log_holds_what_blender_prints(tmp_path):
    log = tmp_path / "log.txt"
    with BlenderWorker(log=log) as worker:
        worker.request("build", program="import os\nos.write(2, b'from the depths\\n')")
    assert "from the depths" in log.read_text()


@pytest.mark.once
def test_a_full_disk_for_the_log_does_not_end_the_work():
    if not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full here")
    with BlenderWorker(log="/dev/full") as worker:
        assert worker.request("build", program="import os\nos.write(2, b'x\\n')")["ok"]
        assert worker.request("versions")


@pytest.mark.once
def test_an_interrupt_ends_the_process():
    worker = BlenderWorker()
    worker.request("versions")
    process = worker._process._popen

    def interrupt(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.alarm(1)
    try:
        with pytest.raises(KeyboardInterrupt):
            worker.request("build", program="import time; time.sleep(60)")
    finally:
        signal.signal(signal.SIGALRM, before)
    assert process.poll() is not None
    assert worker.request("versions")
    worker.close()


@pytest.mark.once
def test_nothing_is_left_behind(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    with BlenderWorker(isolation="process") as worker:
        worker.request("versions")
        assert len(list(tmp_path.glob("plumbline-worker-*"))) == 1
        worker.request("build", program=WALL)
    assert not list(tmp_path.iterdir())


@pytest.mark.once
@pytest.mark.skipif(os.name != "posix", reason="kills by signal")
@pytest.mark.parametrize("busy", [False, True])
def test_a_parent_that_is_killed_leaves_nothing_behind(tmp_path, busy):
    """Where there is no box, whose own end is tested beside the box."""
    root = client.WORKER.parents[2]
    code = f"""
import importlib.util, os, signal, sys, threading
spec = importlib.util.spec_from_file_location(
    "plumbline", {str(root / "__init__.py")!r}, submodule_search_locations=[{str(root)!r}])
sys.modules["plumbline"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sys.modules["plumbline"])
from plumbline.addon.sandbox.client import BlenderWorker
worker = BlenderWorker(isolation="process")
worker.request("versions")
threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGKILL)).start()
if {busy}:
    worker.request("build", program="import os; os.fork() or os.setsid()\\nwhile True: pass")
"""
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    parent = subprocess.run([sys.executable, "-c", code], env=environment, check=False)
    assert parent.returncode == -signal.SIGKILL
    deadline = time.monotonic() + 10
    while list(tmp_path.iterdir()) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("command", "kind", "words"),
    [
        (["/nonexistent/blender"], "no_blender", "can't be started"),
        ([sys.executable, "-c", "pass"], "crash", "exit code 0"),
        (
            [sys.executable, "-c", "raise SystemExit('libGL is missing')"],
            "crash",
            "libGL is missing",
        ),
        (
            [sys.executable, "-c", 'print(\'{"plumbline": 1, "ready": false, "message": "old"}\')'],
            "no_blender",
            "old",
        ),
    ],
)
def test_what_is_no_blender(command, kind, words):
    error = failure(BlenderWorker(command), "versions")
    assert error.kind == kind
    assert words in str(error)


def test_the_command(monkeypatch, tmp_path):
    if not bpy.app.binary_path:
        assert blender_command() == [sys.executable, "-P", str(client.WORKER)]
    binary = tmp_path / "blender"
    binary.write_text("#!/bin/sh\n")
    binary.chmod(0o755)
    command = blender_command(str(binary))
    assert command[0] == str(binary)
    assert {"--background", "--factory-startup", "--disable-autoexec"} <= set(command)
    assert command[-3:] == ["--python", str(client.WORKER), "--"]
    monkeypatch.setenv(client.BLENDER_VARIABLE, str(binary))
    assert blender_command()[0] == str(binary)
    monkeypatch.setenv(client.BLENDER_VARIABLE, str(tmp_path / "none"))
    with pytest.raises(WorkerError, match="no program that can be started"):
        blender_command()


def test_without_any_blender_the_way_to_one_is_said(monkeypatch, tmp_path):
    monkeypatch.delenv(client.BLENDER_VARIABLE, raising=False)
    monkeypatch.setattr(client, "_bpy_installed", lambda: False)
    monkeypatch.setitem(sys.modules, "bpy", None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(WorkerError) as error:
        blender_command()
    assert error.value.kind == "no_blender"
    assert "run_suite.py --setup" in str(error.value)


def test_the_client_imports_no_bpy():
    """Asked in a fresh Python: the client must work where there is no bpy at all."""
    root = client.WORKER.parents[2]
    code = f"""
import importlib.util, sys
spec = importlib.util.spec_from_file_location(
    "plumbline", {str(root / "__init__.py")!r}, submodule_search_locations=[{str(root)!r}])
sys.modules["plumbline"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sys.modules["plumbline"])
import plumbline.addon.sandbox.client
import plumbline.addon.scene.submission, plumbline.addon.scene.plain, plumbline.addon.scene.ifc
assert not [m for m in sys.modules if m.split(".")[0] in ("bpy", "bmesh", "mathutils")]
"""
    subprocess.run([sys.executable, "-c", code], check=True)
