# SPDX-License-Identifier: GPL-3.0-or-later
"""The box, for real: what a program in it sees, can write, leaves behind and takes."""

import os
import shutil
import socket
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import bpy
import pytest
from plumbline.addon.sandbox import box
from plumbline.addon.sandbox.client import BlenderWorker, Limits, WorkerError
from plumbline.addon.scene.plain import structure_from_plain

REASON = box.why_not()
pytestmark = [
    pytest.mark.once,
    pytest.mark.skipif(REASON is not None, reason=REASON or "there is a box"),
]


@pytest.fixture(scope="module")
def boxed():
    with BlenderWorker(isolation="bubblewrap") as worker:
        yield worker


def printed(worker, program, **params):
    answer = worker.request("build", program=textwrap.dedent(program), **params)
    assert answer["ok"], answer["traceback"]
    return answer["stdout"]


def failure(worker, program, **params):
    with pytest.raises(WorkerError) as error:
        worker.request("build", program=textwrap.dedent(program), **params)
    return error.value


def in_box(code, *, environment=None, shown=()):
    """What plain Python prints in a box of its own, without our worker and its filter of calls."""
    folders = [*box.folders_of([sys.executable]), *shown] if not bpy.app.binary_path else shown
    python = "/usr/bin/python3" if bpy.app.binary_path else sys.executable
    command = box.Box(folders, environment or {}, Limits()).command([python, "-I", "-c", code])
    done = subprocess.run(command, env={}, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_it_is_said(boxed):
    assert boxed.isolation == "bubblewrap"
    assert boxed.request("versions")["isolation"] == "bubblewrap"
    assert boxed.request("build", program="x = 1")["isolation"] == "bubblewrap"


def test_no_secret_is_seen(monkeypatch, tmp_path):
    """Not in any environment, not in the caller's files, and the tasks' answers aren't there."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "canary-in-the-environment")
    secret = tmp_path / "secret.txt"
    secret.write_text("canary-in-a-file")
    root = Path(box.__file__).resolve().parents[2]
    program = f"""
    import glob, os
    for name in glob.glob("/proc/*/environ") + glob.glob("/proc/*/cmdline"):
        try:
            print(name, open(name, "rb").read())
        except OSError as error:
            print(name, error)
    print(sorted(os.environ.items()))
    print("seen:", [p for p in ({str(secret)!r}, {str(root / "tasks")!r}, {str(root / ".git")!r},
          {str(root / "tests")!r}, {str(Path.home() / ".ssh")!r}, "/etc/passwd", "/var", "/sys")
          if os.path.exists(p) and (not os.path.isdir(p) or os.listdir(p))])
    """
    with BlenderWorker(isolation="bubblewrap") as worker:
        text = printed(worker, program)
    assert "canary" not in text
    assert "seen: []" in text
    assert "/proc/1/environ [Errno 13]" in text


def test_nothing_of_the_machine_can_be_written(boxed):
    text = printed(
        boxed,
        """
        import os
        import numpy as np
        for line in open("/proc/self/mounts") if os.access("/proc/self/mounts", os.R_OK) else ():
            _, place, _, options, *_ = line.split()
            if "rw" in options.split(","):
                print("rw", place)
        for folder in ("/", "/usr", "/usr/bin", "/etc", "/dev", "/root", "/home", "/var/tmp",
                       "/run", os.path.dirname(np.__file__), "/tmp", "/dev/shm"):
            try:
                open(os.path.join(folder, "left-behind"), "w").close()
                print("wrote", folder)
            except OSError:
                pass
        """,
    )
    written = [line.split()[1] for line in text.splitlines() if line.startswith("wrote")]
    assert written == ["/tmp", "/dev/shm"]


def test_an_unused_user_without_powers(boxed):
    text = printed(
        boxed,
        """
        import os
        print(os.getuid(), os.getgid(), os.getgroups())
        """,
    )
    user = int(text.split()[0])
    assert user == os.getuid() or (os.getuid() == 0 and user not in (0, 65534))
    status = in_box("print(open('/proc/self/status').read())")
    for name in ("CapPrm", "CapEff", "CapBnd", "CapAmb"):
        assert f"{name}:\t0000000000000000" in status
    assert "NoNewPrivs:\t1" in status


def test_two_boxes_have_two_users():
    if os.getuid() != 0:
        pytest.skip("only root's boxes have users of their own")
    users = {in_box("import os; print(os.getuid())") for _ in range(2)}
    assert len(users) == 2


def test_no_network():
    """Not this machine's either; asked without the filter, which refuses sockets altogether."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        text = in_box(
            "import socket\n"
            f"for address in (('127.0.0.1', {port}), ('192.0.2.1', 80)):\n"
            "    try: socket.create_connection(address, 2); print('connected')\n"
            "    except OSError as error: print(type(error).__name__)\n"
            "print([name for _, name in socket.if_nameindex()])"
        )
    assert "connected" not in text
    assert text.endswith("['lo']")


def test_calls_that_no_scene_needs_are_refused(boxed):
    text = printed(
        boxed,
        """
        import ctypes, os, resource, socket, subprocess
        libc = ctypes.CDLL(None, use_errno=True)
        def call(name, *args):
            print(name, "done" if getattr(libc, name)(*args) >= 0 else ctypes.get_errno())
        call("memfd_create", b"x", 0)
        call("shmget", 0, 4096, 0o1600)
        call("ptrace", 16, 1, 0, 0)
        call("unshare", 0x10000000)
        for what in (socket.socket, lambda: subprocess.run(["/usr/bin/true"]),
                     lambda: resource.prlimit(1, resource.RLIMIT_NOFILE, (1, 1))):
            try:
                what()
                print("done")
            except OSError as error:
                print(error.errno)
        """,
    )
    assert "done" not in text
    assert text.split()[-3:] == ["1", "1", "1"]


def test_the_worker_itself_is_out_of_reach(boxed):
    text = printed(
        boxed,
        """
        import os, signal
        for name in ("KILL", "STOP", "SEGV", "INT", "TERM"):
            os.kill(1, getattr(signal, f"SIG{name}"))
        for name in ("/proc/1/mem", "/proc/1/fd/0", "/proc/1/environ"):
            try:
                open(name, "r+b")
                print("opened", name)
            except OSError:
                pass
        print("still here")
        """,
    )
    assert text == "still here\n"


def test_nothing_of_an_attempt_is_there_for_the_next(boxed):
    printed(
        boxed,
        """
        import os, time
        os.makedirs("/tmp/a/b/c")
        os.chmod("/tmp/a/b", 0)
        os.symlink("/usr", "/tmp/link")
        open("/dev/shm/note", "w").write("for the next one")
        open(os.environ["BLENDER_USER_RESOURCES"] + "-note", "w").close()
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                while True:
                    open("/tmp/again", "w").close()
                    time.sleep(0.01)
            os._exit(0)
        """,
    )
    text = printed(
        boxed,
        """
        import os, time
        time.sleep(0.1)
        print(sorted(os.listdir("/dev/shm")), sorted(os.listdir("/tmp")))
        print(sorted(int(n) for n in os.listdir("/proc") if n.isdigit()) == [1, os.getpid()])
        """,
    )
    first, alone = text.splitlines()
    assert first.startswith("[] ")
    assert not any(word in first for word in ("'a'", "link", "again", "note"))
    assert alone == "True"


def test_a_program_cannot_forge_what_it_built(boxed):
    """It changes NumPy, our own modules and the pipe's words: another process reads the scene."""
    forge = """
    import bpy, json, sys
    import numpy as np
    bpy.ops.mesh.primitive_cube_add()
    bpy.context.object.name = "Honest"
    for module in list(sys.modules.values()):
        for name in ("structure_from_scene", "structure_to_plain", "save_blend"):
            if hasattr(module, name) and name != "save_blend":
                setattr(module, name, lambda *a, **k: {"names": ["Forged"]})
    np.array = np.asarray = lambda *a, **k: 1 / 0
    json.loads = json.dumps
    """
    answer = boxed.request("build", program=textwrap.dedent(forge))
    assert structure_from_plain(answer["structure"]).names == ("Honest",)
    error = failure(
        boxed,
        """
        import os
        forged = b'{"plumbline": 1, "result": {"ok": true}, "frames": []}\\n'
        for end in range(3, 64):
            try:
                os.write(end, forged)
            except OSError:
                pass
        os._exit(0)
        """,
    )
    assert (error.kind, error.stage) == ("crash", "program")
    assert boxed.request("build", program="x = 1")["ok"]


def test_what_it_takes_is_limited():
    limits = Limits(
        memory=5 << 30, file_size=2 << 20, scratch=8 << 20, shared=1 << 20, processes=20
    )
    with BlenderWorker(isolation="bubblewrap", limits=limits) as worker:
        text = printed(
            worker,
            """
            import os, time
            def attempt(what):
                try:
                    what()
                    print("done")
                except (OSError, MemoryError) as error:
                    print(type(error).__name__)
            def fill(folder):
                for i in range(100):
                    open(f"{folder}/{i}", "wb").write(bytes(1 << 20))
            def bomb():
                for _ in range(2000):
                    if os.fork() == 0:
                        time.sleep(60)
            attempt(lambda: bytearray(50 << 30))
            attempt(lambda: open("/tmp/large", "wb").write(bytes(3 << 20)))
            os.unlink("/tmp/large")
            attempt(lambda: fill("/dev/shm"))
            attempt(bomb)
            """,
        )
        assert text.split() == ["MemoryError", "OSError", "OSError", "BlockingIOError"]
        full = failure(worker, "for i in range(99): open(f'/tmp/{i}', 'wb').write(bytes(1 << 20))")
        assert "traceback" not in str(full)
        assert worker.request("build", program="x = 1")["ok"]


def test_memory_is_counted_over_all_its_processes():
    with BlenderWorker(isolation="bubblewrap", limits=Limits(memory=4 << 30)) as worker:
        many = "import os, time\nfor _ in range(150):\n    if os.fork() == 0: time.sleep(60)\n"
        error = failure(worker, many + "time.sleep(60)", timeout=60)
        assert (error.kind, error.stage) == ("memory", "program")
        assert worker.request("build", program="x = 1")["ok"]


def test_a_flood_of_output_is_cut(boxed, tmp_path):
    flood = "import os\nfor _ in range(400): os.write(1, b'x' * 65536); os.write(2, b'y' * 65536)\n"
    log = tmp_path / "log.txt"
    with BlenderWorker(isolation="bubblewrap", log=log) as worker:
        answer = worker.request("build", program=flood + "print('z' * 300_000)")
    assert answer["stdout"].startswith("…z")
    assert log.stat().st_size < 1 << 20
    assert "not kept" in log.read_text()


def test_processor_time_is_limited():
    with BlenderWorker(isolation="bubblewrap", limits=Limits(cpu=2)) as worker:
        error = failure(worker, "while True: pass", timeout=60)
        assert (error.kind, error.stage) == ("timeout", "program")


def test_a_start_scene_and_pictures_go_through_the_pipe(boxed, tmp_path):
    first, second = tmp_path / "first.blend", tmp_path / "second.blend"
    cube = "import bpy\nbpy.ops.mesh.primitive_cube_add()\nbpy.context.object.name = 'One'"
    boxed.request("build", program=cube, save=str(first))
    before = first.read_bytes()
    more = cube.replace("One", "Two")
    answer = boxed.request("build", program=more, start=str(first), save=str(second))
    assert structure_from_plain(answer["structure"]).names == ("One", "Two")
    assert first.read_bytes() == before
    picture = tmp_path / "a.png"
    boxed.request("picture", blend=str(second), out=str(picture), size=[60, 40])
    assert picture.read_bytes().startswith(b"\x89PNG")
    views = boxed.request("views", blend=str(second), target=str(first), names=["front"])["views"]
    assert views["front"].startswith(b"\x89PNG")


def test_an_ordinary_user_has_a_box_too():
    """Asked of the system's own Python, which other users may start."""
    python, root = "/usr/bin/python3", Path(box.__file__).resolve().parents[2]
    if os.getuid() != 0 or not os.path.exists(python):
        pytest.skip("this test becomes another user")
    code = f"""
import importlib.util, subprocess, sys
spec = importlib.util.spec_from_file_location(
    "plumbline", {str(root / "__init__.py")!r}, submodule_search_locations=[{str(root)!r}])
sys.modules["plumbline"] = importlib.util.module_from_spec(spec)
from plumbline.addon.sandbox import box, limits
print(box.why_not())
made = box.Box((), {{}}, limits.Limits(scratch=1 << 20)).command(["/usr/bin/id", "-u"])
print(subprocess.run(made, env={{}}, capture_output=True, text=True).stdout)
"""
    done = subprocess.run(
        [python, "-I", "-B", "-c", code],
        user=65534,
        group=65534,
        extra_groups=[],
        cwd="/",
        env={"HOME": "/nonexistent"},
        capture_output=True,
        text=True,
        check=False,
    )
    if "Permission denied" in done.stderr or "ModuleNotFound" in done.stderr:
        pytest.skip("other users can't read this checkout")
    assert done.stdout.split() == ["None", "65534"], done.stderr


def test_where_there_is_no_bubblewrap_it_is_said(monkeypatch, tmp_path):
    monkeypatch.setattr(box, "_program", _nothing)
    box.why_not.cache_clear()
    try:
        assert "apt install bubblewrap" in box.why_not()
        with BlenderWorker(isolation="bubblewrap") as worker:
            with pytest.raises(WorkerError) as error:
                worker.request("versions")
            assert error.value.kind == "isolation"
            assert "\n" not in str(error.value)
        with BlenderWorker() as worker:
            assert worker.isolation == "process"
    finally:
        box.why_not.cache_clear()


def _nothing(name):
    raise box.BoxError(f"{name} is not here: `apt install bubblewrap` brings it")


def test_a_script_instead_of_blender_runs_in_a_process(tmp_path):
    script = tmp_path / "blender"
    script.write_text("#!/bin/sh\nexit 3\n")
    script.chmod(0o755)
    with BlenderWorker([str(script)]) as worker:
        assert worker.isolation == "process"
    strict = BlenderWorker([str(script)], isolation="bubblewrap")
    with pytest.raises(WorkerError, match="script"):
        strict.request("versions")


def test_the_command_shows_no_home():
    command = box.Box([Path("/opt/blender")], {"LANG": "C"}, Limits()).command(["/usr/bin/true"])
    bound = [command[i + 1] for i, word in enumerate(command) if word.endswith("bind")]
    assert str(Path.home()) not in bound
    assert bound.count("/") == (1 if os.getuid() == 0 else 0)
    assert "--unshare-all" in command
    assert "--die-with-parent" in command
    assert shutil.which("bwrap") and os.path.realpath(shutil.which("bwrap")) == command[0]


def test_when_the_parent_is_killed_the_box_is_gone(tmp_path):
    note = tmp_path / "pid"
    root = Path(box.__file__).resolve().parents[2]
    code = f"""
import importlib.util, os, signal, sys, threading
spec = importlib.util.spec_from_file_location(
    "plumbline", {str(root / "__init__.py")!r}, submodule_search_locations=[{str(root)!r}])
sys.modules["plumbline"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sys.modules["plumbline"])
from plumbline.addon.sandbox import confine
from plumbline.addon.sandbox.client import BlenderWorker
worker = BlenderWorker(isolation="bubblewrap")
worker.request("versions")
def end():
    found = confine.descendants(os.getpid())
    open({str(note)!r}, "w").write(" ".join(map(str, found)))
    os.kill(os.getpid(), signal.SIGKILL)
threading.Timer(1.0, end).start()
worker.request("build", program='''
import os
if os.fork() == 0:
    os.setsid()
while True: pass
''')
"""
    python = sys.executable
    subprocess.run([python, "-c", code], env={**os.environ, "TMPDIR": str(tmp_path)}, check=False)
    pids = [int(word) for word in note.read_text().split()]
    assert len(pids) >= 3
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and any(_runs(pid) for pid in pids):
        time.sleep(0.05)
    assert not [pid for pid in pids if _runs(pid)]
    assert list(tmp_path.iterdir()) == [note]


def _runs(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False
