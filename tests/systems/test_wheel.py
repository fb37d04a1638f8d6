# SPDX-License-Identifier: GPL-3.0-or-later
"""``pip install .``: the wheel holds the whole package and works far from the checkout."""

from __future__ import annotations

import subprocess
import sys
import zipfile

import pytest
from plumbline.addon.runs.extension import CHECKOUT_ONLY, contents

pytestmark = pytest.mark.real_blender


@pytest.fixture(scope="module")
def wheel(checkout, tmp_path_factory):
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "-w", str(out), str(checkout)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return next(out.glob("*.whl"))


def test_the_wheel_holds_what_the_extension_holds(wheel):
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    expected = {f"plumbline/{name}" for name in [*contents(), *CHECKOUT_ONLY, "run_suite.py"]}
    assert names == expected


def test_the_wheel_works_by_itself(wheel, tmp_path):
    zipfile.ZipFile(wheel).extractall(tmp_path)
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "from plumbline.addon.runs.cli import main; sys.exit(main(['tasks', 'list']))"
    )
    command = [sys.executable, "-I", "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "timber/cabin" in done.stdout


def test_the_command_is_declared(wheel):
    archive = zipfile.ZipFile(wheel)
    (entry,) = (name for name in archive.namelist() if name.endswith("entry_points.txt"))
    assert "plumbline = plumbline.addon.runs.cli:main" in archive.read(entry).decode()
