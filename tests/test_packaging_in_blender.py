# SPDX-License-Identifier: GPL-3.0-or-later
"""The extension in the hands of Blender's own tools: valid, built the same, installed, removed."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from plumbline.addon.runs.extension import build_zip

bpy = pytest.importorskip("bpy")

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def extension(tmp_path_factory) -> Path:
    return build_zip(tmp_path_factory.mktemp("zip"))


@pytest.fixture(scope="module")
def tool() -> Path:
    """Blender's command line for extensions: plain Python, which needs no Blender."""
    scripts = Path(bpy.utils.system_resource("SCRIPTS"))
    return scripts / "addons_core" / "bl_pkg" / "cli" / "blender_ext.py"


def _run(tool: Path, *arguments: str) -> str:
    done = subprocess.run([sys.executable, str(tool), *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_blender_finds_the_manifest_valid(tool, extension):
    _run(tool, "validate", str(ROOT))
    _run(tool, "validate", str(extension))


def test_blender_builds_the_same_zip(tool, extension, tmp_path):
    _run(tool, "build", "--source-dir", str(ROOT), "--output-dir", str(tmp_path))
    built = zipfile.ZipFile(tmp_path / extension.name).namelist()
    assert sorted(built) == zipfile.ZipFile(extension).namelist()


# In a process of its own: the package must come in under the extension's name only, and whatever
# is left behind must not reach other tests.
_INSTALL = """
import bpy, importlib, sys
import addon_utils

def handlers():
    lists = {name: getattr(bpy.app.handlers, name) for name in dir(bpy.app.handlers)}
    return {name: len(found) for name, found in lists.items() if isinstance(found, list)}

def traces():
    types = [name for name in dir(bpy.types) if "PLUMBLINE" in name.upper()]
    owners = (bpy.types.Scene, bpy.types.WindowManager, bpy.types.Object)
    props = [name for owner in owners for name in dir(owner) if "plumbline" in name]
    return types + props + [name for name in dir(bpy.ops) if name == "plumbline"]

before = handlers()
name = "bl_ext.user_default.plumbline"
bpy.ops.extensions.package_install_files(
    filepath=sys.argv[-1], repo="user_default", enable_on_install=True)
assert addon_utils.check(name)[1], "it was not enabled"
assert hasattr(bpy.types, "PLUMBLINE_PT_findings"), traces()
assert callable(importlib.import_module(name).judge)
assert bpy.ops.plumbline.check_scene.poll() in (True, False)
addon_utils.disable(name)
assert handlers() == before, (handlers(), before)
assert [name for name in traces() if name != "plumbline"] == []
print("INSTALLED")
"""


@pytest.mark.skipif(bool(bpy.app.binary_path), reason="binaries have a command line for this")
def test_the_zip_installs_into_bpy_and_leaves_no_trace(extension, tmp_path, monkeypatch):
    monkeypatch.setenv("BLENDER_USER_RESOURCES", str(tmp_path))
    command = [sys.executable, "-c", _INSTALL, str(extension)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert "INSTALLED" in done.stdout, done.stdout + done.stderr
    installed = tmp_path / "extensions" / "user_default" / "plumbline"
    names = {p.relative_to(installed).as_posix() for p in installed.rglob("*") if p.is_file()}
    shipped = set(zipfile.ZipFile(extension).namelist())
    assert {name for name in names if "__pycache__" not in name} == shipped
