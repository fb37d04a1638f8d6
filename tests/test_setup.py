# SPDX-License-Identifier: GPL-3.0-or-later
"""Set-up before anything is installed: what it finds, what it installs, what it says."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from plumbline.addon.runs import interpreters, setup, system
from plumbline.addon.runs.interpreters import Interpreter
from plumbline.addon.runs.system import SystemProblem

posix = pytest.mark.skipif(os.name != "posix", reason="shell scripts stand for programs here")


def script(path: Path, body: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


# --- Pythons and Blenders -------------------------------------------------------------------------


def test_this_python_answers():
    found = interpreters.probe([sys.executable])
    assert found is not None
    assert found.version == sys.version_info[:3]


@posix
@pytest.mark.parametrize("body", ["exit 1", "echo 3.11", "echo '[1]'", "exec /nowhere"])
def test_a_shim_without_a_python_behind_it_is_no_python(tmp_path, body):
    assert interpreters.probe([str(script(tmp_path / "python3", body))]) is None


def test_a_file_that_is_not_there_is_no_python(tmp_path):
    assert interpreters.probe([str(tmp_path / "python3")]) is None


def _pythons(monkeypatch, *found: tuple[tuple[int, int, int], bool]) -> None:
    listed = [Interpreter(Path(f"/{n}"), version, venv) for n, (version, venv) in enumerate(found)]
    monkeypatch.setattr(interpreters, "find_pythons", lambda: iter(listed))


@pytest.mark.parametrize(
    ("found", "chosen"),
    [
        ([((3, 12, 1), True), ((3, 13, 0), True), ((3, 11, 7), True)], "/1"),
        ([((3, 11, 2), False), ((3, 13, 0), True)], "/1"),  # one that can make environments
        ([((3, 11, 2), False), ((3, 12, 0), True)], "/0"),
    ],
)
def test_the_first_python_with_a_bpy_is_taken(monkeypatch, found, chosen):
    _pythons(monkeypatch, *found)
    assert interpreters.find_python().path == Path(chosen)


def test_no_python_with_a_bpy(monkeypatch):
    _pythons(monkeypatch, ((3, 12, 1), True), ((3, 14, 0), True), ((2, 7, 18), False))
    assert interpreters.find_python() is None


@posix
@pytest.mark.parametrize(
    ("said", "version"),
    [
        ("Blender 4.3.2", (4, 3, 2)),
        ("Color management: using fallback mode\nBlender 5.2.2 LTS", (5, 2, 2)),
        ("Blender 3.4.1", None),
        ("no display", None),
    ],
)
def test_a_blender_on_the_path_is_new_enough_or_not_there(tmp_path, monkeypatch, said, version):
    found = script(tmp_path / "blender", f"printf '{said}\\n'")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert interpreters.find_blender() == ((str(found), version) if version else None)


def test_a_python_without_a_bpy_is_told_what_works(monkeypatch, tmp_path):
    monkeypatch.setattr(setup, "find_python", lambda: None)
    monkeypatch.setattr(setup, "find_blender", lambda: None)
    monkeypatch.setattr(setup, "ROOT", tmp_path)
    monkeypatch.setattr(setup, "fingerprint", lambda: "x")
    with pytest.raises(setup.NoPython) as refused:
        setup.prepare(setup.EXTRAS)
    sentence = str(refused.value)
    assert "3.11 or 3.13" in sentence
    assert "Blender 4.2 or newer" in sentence


def test_a_blender_stands_in_for_a_python(monkeypatch, tmp_path):
    monkeypatch.setattr(setup, "find_python", lambda: None)
    monkeypatch.setattr(setup, "find_blender", lambda: ("/opt/blender", (4, 5, 1)))
    monkeypatch.setattr(setup, "ROOT", tmp_path)
    monkeypatch.setattr(setup, "fingerprint", lambda: "x")
    assert setup.prepare(setup.EXTRAS) == [
        *("/opt/blender", "-b", "--python", str(tmp_path / "run_suite.py"), "--")
    ]


# --- Environments and pip -------------------------------------------------------------------------


def test_an_environment_of_a_python_without_a_bpy_is_left_alone(monkeypatch, tmp_path):
    environment = setup.Environment(tmp_path)
    environment.python.parent.mkdir(parents=True)
    environment.python.write_text("")
    other = Interpreter(environment.python, (3, 12, 1), True)
    monkeypatch.setattr(setup, "probe", lambda command: other)
    with pytest.raises(SystemProblem, match=r"Python 3\.12.*move that folder away"):
        setup.choose_python(tmp_path)


@pytest.mark.parametrize("text", ["", "{", "[1]", '"x"'])
def test_a_damaged_note_means_unfinished(tmp_path, text):
    environment = setup.Environment(tmp_path)
    environment.note.write_text(text)
    assert environment.state() == {}


def test_a_note_is_read_back(tmp_path):
    environment = setup.Environment(tmp_path)
    environment.finish({"fingerprint": "abc", "extras": ["headless"]})
    assert environment.state() == {"fingerprint": "abc", "extras": ["headless"]}


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("OSError: [Errno 28] No space left on device", "the disk is full"),
        ("Retrying (Retry(total=0)) after connection broken by 'NewConn", "can't be reached"),
        ("ERROR: No matching distribution found for bpy==5.0.1", "no bpy module for this kind"),
        ("PermissionError: [Errno 13] Permission denied: '/x/.venv'", "can't be written"),
    ],
)
def test_the_usual_failures_get_a_sentence(said, expected):
    assert expected in setup.explain_failure(said)


def test_an_unreachable_index_comes_before_its_consequence():
    said = (
        "connection broken by 'NewConnectionError'\nERROR: No matching distribution found for bpy"
    )
    assert "network" in setup.explain_failure(said)


def test_an_unusual_failure_is_quoted():
    said = "2026-01-01T00:00:00,1 Collecting x\n2026-01-01T00:00:01,2 ERROR: the moon is full\nbye"
    assert setup.explain_failure(said) is None
    assert setup.last_line(said) == "the moon is full"


def test_pip_without_an_index_says_so(tmp_path, monkeypatch):
    """The real pip, pointed at a port where nobody listens."""
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "0")
    environment = setup.Environment(tmp_path / "venv")
    if not interpreters.probe([sys.executable]).has_venv:
        pytest.skip("this Python can't make environments")
    environment.make(Path(sys.executable))
    with pytest.raises(SystemProblem, match="index can't be reached"):
        environment.pip_install(["plumbline-is-not-there"], cwd=tmp_path)


# --- The machine ----------------------------------------------------------------------------------


def test_room_is_asked_for_before_it_is_used(tmp_path):
    system.require_room(tmp_path / "not" / "there" / "yet", 0.001, "a test")
    with pytest.raises(SystemProblem, match=r"a test needs about 1000000\.0 GB"):
        system.require_room(tmp_path, 1e6, "a test")


@posix
def test_missing_libraries_are_named_with_their_packages(tmp_path, monkeypatch):
    lines = "libX11.so.6 => not found\n libc.so.6 => /lib/libc.so.6\n libOdd.so.1 => not found"
    script(tmp_path / "ldd", f"printf '\\t{lines}\\n'")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr(system, "LOADED_LATER", ("libNoSuchThing.so.1",))
    missing = system.missing_libraries([tmp_path / "bpy.so"])
    assert missing == ["libNoSuchThing.so.1", "libOdd.so.1", "libX11.so.6"]
    assert system.packages_for(missing) == ["libgl1-mesa-dri", "libx11-6"]


def test_packages_are_installed_by_root_only(monkeypatch):
    monkeypatch.setattr(system, "is_root", lambda: False)
    monkeypatch.setattr(system.shutil, "which", lambda name: "/usr/bin/" + name)
    with pytest.raises(SystemProblem) as refused:
        system.apt_install(["libxi6", "libgl1"], "Blender's module needs libraries")
    assert str(refused.value) == (
        "Blender's module needs libraries: "
        "sudo apt-get install -y --no-install-recommends libgl1 libxi6"
    )


def test_the_cache_goes_where_it_is_told(monkeypatch, tmp_path):
    monkeypatch.setenv("PLUMBLINE_CACHE", str(tmp_path / "here"))
    assert system.cache_folder() == tmp_path / "here"
    monkeypatch.delenv("PLUMBLINE_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert system.cache_folder() == tmp_path / "plumbline"


def test_a_lock_holds_until_its_process_is_dead(tmp_path):
    path = tmp_path / "x.lock"
    program = f"""
import sys, time
sys.path.insert(0, {str(Path(system.__file__).parent)!r})
import system, pathlib
with system.lock(pathlib.Path({str(path)!r})):
    print("held", flush=True)
    time.sleep(60)
"""
    holder = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert holder.stdout.readline() == "held\n"
    started = time.monotonic()
    killer = subprocess.Popen(
        [sys.executable, "-c", f"import os, time; time.sleep(0.5); os.kill({holder.pid}, 9)"]
    )
    with system.lock(path):
        assert time.monotonic() - started > 0.4
    killer.wait()
    holder.wait()
