# SPDX-License-Identifier: GPL-3.0-or-later
"""What is shipped: the same package as wheel and as extension, whole, and nothing beside it."""

from __future__ import annotations

import fnmatch
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from imports import PACKAGE, graph, modules, reachable
from plumbline.addon.runs import versions
from plumbline.addon.runs.extension import CHECKOUT_ONLY, build_zip, contents
from plumbline.addon.runs.interpreters import BPY_FOR_PYTHON

pytestmark = pytest.mark.once

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
MANIFEST = tomllib.loads((ROOT / "blender_manifest.toml").read_text("utf-8"))
SETUPTOOLS = PROJECT["tool"]["setuptools"]
#: Where anything begins: Blender's loading, the library's door, the command line, the worker, what
#: people who script may call, and a package that only holds data.
DOORS = (
    *(PACKAGE, "plumbline.addon.registration", "plumbline.addon.runs.judging"),
    *("plumbline.addon.runs.cli", "plumbline.addon.sandbox.worker"),
    *("plumbline.addon.scene.state", "plumbline.tasks.lessons", "plumbline.tasks.timber"),
    "plumbline.tasks.reconstruction",
    *("plumbline.addon.harness.validator", "plumbline.addon.harness.answer"),
    "plumbline.addon.scene.house_objects",  # for people who script: docs/houses.md
    "plumbline.checks.reconstruction.schema",  # the same: docs/checks-reconstruction.md
)


@pytest.fixture(scope="module")
def extension(tmp_path_factory) -> Path:
    return build_zip(tmp_path_factory.mktemp("zip"))


# --- Lists that must agree with the tree ----------------------------------------------------------


def test_the_package_list_is_the_tree():
    packages = {name for name, path in modules(ROOT).items() if path.name == "__init__.py"}
    assert set(SETUPTOOLS["packages"]) == packages


def test_every_shipped_data_file_belongs_to_a_pattern():
    """What the extension carries must be in the wheel as well."""
    code = {path.relative_to(ROOT).as_posix() for path in modules(ROOT).values()}
    homeless = []
    for name in set(contents()) - code:
        claimed = False
        for package, patterns in SETUPTOOLS["package-data"].items():
            folder = "/".join(package.split(".")[1:])
            inside = name[len(folder) + 1 :] if folder else name
            if not folder or name.startswith(folder + "/"):
                claimed |= any(_matches(inside, pattern) for pattern in patterns)
        homeless += [] if claimed else [name]
    assert not homeless, "\n".join(sorted(homeless))


def _matches(name: str, pattern: str) -> bool:
    """setuptools' glob: ``*`` stays in its folder, ``**/`` is any number of folders."""
    if pattern.startswith("**/"):
        return fnmatch.fnmatch(name.rpartition("/")[2], pattern[3:])
    return name.count("/") == pattern.count("/") and fnmatch.fnmatch(name, pattern)


def test_one_version():
    assert MANIFEST["version"] == PROJECT["project"]["version"] == versions.plumbline()
    assert f"## {MANIFEST['version']}\n" in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_one_bpy_for_each_python():
    pins = dict(re.findall(r'bpy==([\d.]+); python_version == "([\d.]+)"', _constraints()))
    extra = " ".join(PROJECT["project"]["optional-dependencies"]["headless"])
    extras = dict(re.findall(r"bpy==([\d.]+); python_version == '([\d.]+)'", extra))
    wanted = {bpy: python for python, bpy in BPY_FOR_PYTHON.items()}
    assert pins == extras == wanted


def test_everything_that_set_up_installs_is_pinned():
    pinned = {re.split("[=;]", line)[0].lower() for line in _constraints().splitlines()}
    extras = PROJECT["project"]["optional-dependencies"]
    for extra in ("headless", "agent", "ifc", "test"):
        for requirement in extras[extra]:
            assert re.split(r"[=<>;\[ ]", requirement)[0].lower() in pinned, requirement


def _constraints() -> str:
    return (ROOT / "constraints.txt").read_text("utf-8")


# --- The extension's zip --------------------------------------------------------------------------


def test_the_zip_holds_everything_imported_and_no_other_module(extension):
    names = set(zipfile.ZipFile(extension).namelist())
    known = modules(ROOT)
    needed = {known[name] for name in reachable(list(DOORS), graph(ROOT))}
    needed = {path.relative_to(ROOT).as_posix() for path in needed}
    assert sorted(needed - names) == []
    shipped = {path.relative_to(ROOT).as_posix() for path in known.values()} & names
    assert sorted(shipped - needed) == []


def test_the_zip_holds_nothing_of_the_workshop(extension):
    names = zipfile.ZipFile(extension).namelist()
    assert names == contents()
    for name in names:
        parts = Path(name).parts
        assert parts[0] not in {"tests", "docs", "build", "dist", "runs", ".venv", ".git"}
        assert not any(part.startswith((".", "__pycache__")) for part in parts)
        assert name not in CHECKOUT_ONLY


def test_stray_files_do_not_get_in(tmp_path):
    for name in contents():
        target = tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((ROOT / name).read_bytes())
    for stray in (".venv/lib/x.py", "tests/test_x.py", "addon/.secret/x.py", "addon/notes.md~"):
        (tmp_path / stray).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / stray).write_text("stray")
    assert contents(tmp_path) == contents()


def test_the_same_files_give_the_same_bytes(extension, tmp_path):
    assert build_zip(tmp_path).read_bytes() == extension.read_bytes()


def test_the_unpacked_zip_works_by_itself(extension, tmp_path):
    """Tasks, schema and page come along: a process sees nothing but what was unpacked."""
    folder = tmp_path / "plumbline"
    zipfile.ZipFile(extension).extractall(folder)
    program = f"""
import sys
sys.path.insert(0, {str(tmp_path)!r})
import plumbline
from plumbline.addon.runs import cli
assert plumbline.__file__.startswith({str(folder)!r})
sys.exit(cli.main(["tasks", "validate", *(str(p.parent) for p in __import__("pathlib").Path(
    {str(folder / "tasks")!r}).rglob("task.json"))]))
"""
    command = [sys.executable, "-I", "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
