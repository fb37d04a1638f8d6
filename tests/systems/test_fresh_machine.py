# SPDX-License-Identifier: GPL-3.0-or-later
"""Set-up where there is nothing: a Debian with Python, apt and root, and no more than that."""

from __future__ import annotations

import json
import time

import pytest
from chroots import Chroot
from provision_blender import SID

pytestmark = pytest.mark.real_blender

#: Its Python refuses pip outside an environment, has no venv module, and none of bpy's libraries.
BARE = Chroot("bookworm", ("ca-certificates", "python3"))


@pytest.fixture(scope="module")
def bare(machine_of):
    return machine_of(BARE, throw_away=True)


@pytest.fixture(scope="module")
def python_3_14(machine_of):
    """A machine with a Python that no bpy module exists for, and a Blender."""
    return machine_of(SID)


def test_set_up_judges_the_bundled_tasks(bare):
    done = bare.run("python3", "run_suite.py", "--setup")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "python3.11-venv is needed" in done.stdout
    assert "libxi6" in done.stdout
    assert "timber/cabin" in done.stdout
    (run,) = (bare.checkout / "runs").iterdir()
    records = [json.loads(line) for line in (run / "results.jsonl").read_text().splitlines()]
    assert len(records) >= 8
    assert {record["verdict"] for record in records} == {"passed"}
    assert (run / "report.html").stat().st_size > 10_000


def test_a_second_set_up_is_quick(bare):
    started = time.monotonic()
    done = bare.run("python3", "run_suite.py", "--setup", "--no-run")
    assert done.returncode == 0, done.stdout + done.stderr
    assert time.monotonic() - started < 10
    assert "is ready" in done.stdout


def test_the_system_python_uses_what_set_up_made(bare):
    done = bare.run("python3", "run_suite.py", "tasks", "list")
    assert done.returncode == 0, done.stderr
    assert "timber/cabin" in done.stdout


def test_the_installed_command_works_from_anywhere(bare):
    done = bare.run("sh", "-c", "cd / && /plumbline/.venv/bin/plumbline tasks list")
    assert done.returncode == 0, done.stderr
    assert "timber/cabin" in done.stdout


def test_an_interrupted_set_up_is_taken_up_again(bare):
    """What it wrote last is gone: everything is looked at again, and nothing made twice."""
    (bare.checkout / ".venv" / "plumbline-setup.json").unlink()
    done = bare.run("python3", "run_suite.py", "--setup", "--no-run")
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_python_without_a_bpy_is_told_what_works(python_3_14):
    done = python_3_14.run("python3", "run_suite.py", "--setup", hide=("/usr/bin/blender",))
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert "no bpy module for Python 3.14" in line
    assert "Python 3.11 or 3.13" in line
    assert "Blender 4.2 or newer" in line


def test_an_installed_blender_does_instead(python_3_14):
    done = python_3_14.run("python3", "run_suite.py", "--setup", "--no-run")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "using /usr/bin/blender 5.2" in done.stdout


def test_without_a_network_it_says_so(machine_of):
    done = machine_of(BARE).run("python3", "run_suite.py", "--setup", network=False)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert "python3.11-venv" in line
    assert "apt-get update" in line
