# SPDX-License-Identifier: GPL-3.0-or-later
"""The way in from a checkout: arguments, interpreters and exit codes."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture
def entry(tmp_path):
    """A checkout with nothing in it but the entry, and a command line that does as it is told."""
    shutil.copy(ROOT / "run_suite.py", tmp_path)
    (tmp_path / "addon" / "runs").mkdir(parents=True)
    for folder in ("", "addon", "addon/runs"):
        (tmp_path / folder / "__init__.py").write_text("")
    (tmp_path / "addon" / "runs" / "cli.py").write_text(
        "import os, signal, sys, time\n"
        "def main(arguments):\n"
        "    print(arguments, __name__, flush=True)\n"
        "    return eval(arguments[0]) if arguments else 0\n"
    )

    def run(*arguments: str, **options) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(tmp_path / "run_suite.py"), *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=60, **options)

    run.folder = tmp_path
    return run


@pytest.mark.parametrize(
    ("expression", "code"),
    [
        *(("0", 0), ("3", 3), ("None", 0), ("sys.exit(2)", 2), ("sys.exit()", 0)),
        *(("sys.exit('no')", 1), ("1/0", 70), ("(_ for _ in ()).throw(KeyboardInterrupt)", 130)),
    ],
)
def test_every_end_has_its_code(entry, expression, code):
    done = entry(expression)
    assert done.returncode == code, done.stderr
    assert ("Traceback" in done.stderr) == (code == 70)


def test_the_package_has_its_name_whatever_the_folder_is_called(entry):
    assert "plumbline.addon.runs.cli" in entry().stdout


def test_blenders_separator_is_understood_by_python_too(entry):
    assert entry("--", "0").stdout.startswith("['0']")


def test_the_code_survives_a_bpy_in_the_process(entry):
    (entry.folder / "bpy.py").write_text("import atexit, os\natexit.register(os._exit, 99)\n")
    (entry.folder / "addon" / "runs" / "cli.py").write_text(
        f"import sys\nsys.path.insert(0, {str(entry.folder)!r})\n"
        "def main(arguments):\n    import bpy\n    print('judged')\n    return 3\n"
    )
    done = entry()
    assert (done.returncode, done.stdout) == (3, "judged\n")


def test_ctrl_c_ends_with_130(entry):
    command = [sys.executable, str(entry.folder / "run_suite.py"), "time.sleep(60)"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=20) == 130


@pytest.mark.skipif(os.name != "posix", reason="links and scripts")
def test_what_set_up_made_is_used(entry):
    """A Python without bpy hands over to the environment that has one."""
    python = entry.folder / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\necho handed over: "$@"\nexit 5\n')
    python.chmod(0o755)
    (entry.folder / "numpy.py").write_text("")
    hidden = {**os.environ, "PYTHONPATH": str(entry.folder), "PYTHONNOUSERSITE": "1"}
    bare = [sys.executable, "-S", str(entry.folder / "run_suite.py"), "tasks", "list"]
    unfinished = subprocess.run(bare, capture_output=True, text=True, env=hidden)
    assert "handed over" not in unfinished.stdout
    (entry.folder / ".venv" / "plumbline-setup.json").write_text("{}")
    done = subprocess.run(bare, capture_output=True, text=True, env=hidden)
    assert done.returncode == 5
    assert done.stdout.endswith("run_suite.py tasks list\n")
    named = {**hidden, "PLUMBLINE_BLENDER": "/opt/blender"}
    own = subprocess.run([*bare[:-2], "3"], capture_output=True, text=True, env=named)
    assert (own.returncode, "handed over" in own.stdout) == (3, False)


def test_a_python_without_numpy_is_told_what_to_do(entry):
    bare = [sys.executable, "-S", "-I", str(entry.folder / "run_suite.py")]
    done = subprocess.run(bare, capture_output=True, text=True)
    assert done.returncode == 2
    assert "has no NumPy: run `python3 run_suite.py --setup`" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def _old_pythons() -> list[str]:
    names = [f"python3.{minor}" for minor in (6, 7, 8, 9, 10)]
    found = [shutil.which(name) for name in names]
    versions = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    found += [str(path) for n in (6, 8, 9, 10) for path in versions.glob(f"3.{n}.*/bin/python3")]
    return [path for path in found if path and "shims" not in path]


@pytest.mark.parametrize("python", _old_pythons() or [pytest.param("", marks=pytest.mark.skip)])
def test_an_old_python_is_told_which_ones_work(python, entry):
    done = subprocess.run([python, str(entry.folder / "run_suite.py")], capture_output=True)
    assert done.returncode == 2
    assert b"needs Python 3.11 or newer" in done.stderr
    assert b"--setup" in done.stderr


def test_set_up_says_what_it_takes():
    done = subprocess.run(
        [sys.executable, str(ROOT / "run_suite.py"), "--setup", "--help"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0
    assert "--test" in done.stdout


def test_starting_costs_little(entry):
    started = time.monotonic()
    entry()
    assert time.monotonic() - started < 5.0
