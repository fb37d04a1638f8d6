# SPDX-License-Identifier: GPL-3.0-or-later
"""The extension's zip in real Blenders, by the command line that Blender has for it."""

from __future__ import annotations

from pathlib import Path

import pytest
from plumbline.addon.runs.extension import build_zip

pytestmark = pytest.mark.real_blender

_LOOK = """
import addon_utils, bpy, importlib, sys
name = "bl_ext.user_default.plumbline"
assert addon_utils.check(name) == (True, True), addon_utils.check(name)
assert hasattr(bpy.types, "PLUMBLINE_PT_findings")
judge = importlib.import_module(name).judge
assert judge.__module__.startswith(name), judge.__module__
assert "plumbline" not in sys.modules
print("ENABLED")
"""
_GONE = """
import bpy
assert not hasattr(bpy.types, "PLUMBLINE_PT_findings")
print("GONE")
"""


@pytest.fixture(scope="module")
def extension(tmp_path_factory) -> Path:
    return build_zip(tmp_path_factory.mktemp("zip"))


def _expression(blender, text: str):
    return blender("-b", "--python-exit-code", "3", "--python-expr", text)


def test_it_is_valid_installs_and_goes_away(blender, extension):
    done = blender("--command", "extension", "validate", str(extension))
    assert done.returncode == 0, done.stdout + done.stderr
    install = ("install-file", "-r", "user_default", "--enable", str(extension))
    done = blender("--command", "extension", *install)
    assert done.returncode == 0, done.stdout + done.stderr
    done = _expression(blender, _LOOK)
    assert "ENABLED" in done.stdout, done.stdout + done.stderr
    assert "Warning" not in done.stdout + done.stderr
    done = blender("--command", "extension", "remove", "plumbline")
    assert done.returncode == 0, done.stdout + done.stderr
    done = _expression(blender, _GONE)
    assert "GONE" in done.stdout, done.stdout + done.stderr
