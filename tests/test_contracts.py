# SPDX-License-Identifier: GPL-3.0-or-later
"""What may import what. The rooms are those of the design; this file is what holds them apart."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from imports import PACKAGE, Import, graph, modules

pytestmark = pytest.mark.once

ROOT = Path(__file__).parents[1]
IMPORTS = graph(ROOT)

#: A room may import from rooms of its own height and below.
HEIGHT = {"checks": 0, "tasks": 1, "addon": 2, "operators": 3, "panels": 4}
#: Puts everything into Blender, so it alone sees all of it.
COMPOSITION = "plumbline.addon.registration"

BLENDER = {
    *("addon_utils", "bgl", "bl_ui", "blf", "bmesh", "bpy", "bpy_extras", "bpy_types"),
    *("freestyle", "gpu", "gpu_extras", "imbuf", "mathutils", "rna_prop_ui", "rna_keymap_ui"),
}
BLENDER_ROOMS = (
    *("plumbline.addon.scene.", "plumbline.addon.simulation.", "plumbline.addon.session."),
    *("plumbline.addon.sandbox.worker", "plumbline.addon.sandbox.actions"),
    *("plumbline.addon.preferences", "plumbline.addon.properties", "plumbline.addon.i18n"),
    COMPOSITION,
    *("plumbline.addon.task_choice", "plumbline.addon.keymap"),
    *("plumbline.operators", "plumbline.panels"),
)
#: Third-party packages by the rooms that may use them; the longest prefix counts.
THIRD_PARTY = {
    "plumbline": set(),
    "plumbline.checks": {"numpy", "scipy"},
    "plumbline.checks.timber": {"numpy"},
    "plumbline.checks.timber.metrics.matching": {"numpy", "scipy"},
    "plumbline.tasks": {"numpy"},
    "plumbline.addon": {"numpy"},
    "plumbline.addon.agent": {"numpy", "openai", "anthropic"},
    "plumbline.addon.scene": {"numpy", "scipy"},
    "plumbline.addon.scene.ifc": {"numpy", "ifcopenshell"},
    "plumbline.addon.scene.ifc_solids": {"numpy", "ifcopenshell"},
    "plumbline.operators": {"numpy"},
    "plumbline.panels": {"numpy"},
}
#: A program of its own in another process, where it registers the package by that name.
OWN_PROGRAM = "plumbline.addon.sandbox.worker"
#: Runs before anything is installed, on whatever Python there is.
BARE = tuple(
    f"addon/runs/{name}" for name in ("setup", "system", "interpreters", "extension", "wheels")
)


def _all() -> list[Import]:
    return [found for name in sorted(IMPORTS) for found in IMPORTS[name]]


def _room(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else ""


def test_every_room_is_read():
    assert set(HEIGHT) == {_room(name) for name in IMPORTS} - {""}
    assert sum(len(found) for found in IMPORTS.values()) > 300


def test_imports_go_one_way():
    wrong = [
        str(found)
        for found in _all()
        if found.target.startswith(PACKAGE + ".")
        and found.importer not in (PACKAGE, COMPOSITION)
        and HEIGHT[_room(found.target)] > HEIGHT[_room(found.importer)]
    ]
    assert not wrong, "\n".join(wrong)


def test_bpy_stays_in_its_rooms():
    wrong = [
        str(found)
        for found in _all()
        if found.target.split(".")[0] in BLENDER and not found.importer.startswith(BLENDER_ROOMS)
    ]
    assert not wrong, "\n".join(wrong)


def test_every_other_package_is_allowed_where_it_is_used():
    wrong = []
    for found in _all():
        top = found.target.split(".")[0]
        if top == PACKAGE or top in sys.stdlib_module_names or top in BLENDER:
            continue
        rooms = [room for room in THIRD_PARTY if f"{found.importer}.".startswith(f"{room}.")]
        if top not in THIRD_PARTY[max(rooms, key=len)]:
            wrong.append(str(found))
    assert not wrong, "\n".join(wrong)


def test_imports_within_the_package_are_relative():
    """As an extension the package is called ``bl_ext.<repository>.plumbline``."""
    known = modules(ROOT)
    known.pop(OWN_PROGRAM)
    wrong = []
    for name, path in known.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [node.module or ""]
            if {part.split(".")[0] for part in names} & {PACKAGE, *HEIGHT}:
                wrong.append(f"{name}:{node.lineno}")
    assert not wrong, "\n".join(wrong)


def test_loading_the_root_imports_nothing():
    assert all(found.lazy for found in IMPORTS[PACKAGE])


@pytest.mark.parametrize("name", ["plumbline.addon", "plumbline.addon.runs"])
def test_packages_above_set_up_are_empty(name):
    assert IMPORTS[name] == []


@pytest.mark.parametrize("name", [*BARE, "run_suite"])
def test_what_runs_before_set_up_needs_nothing(name):
    path = ROOT / f"{name}.py"
    known = {f"plumbline.{bare.replace('/', '.')}" for bare in BARE}
    for found in IMPORTS.get(f"plumbline.{name.replace('/', '.')}", []):
        assert found.target in known or found.target.split(".")[0] in sys.stdlib_module_names
    oldest = (3, 6) if name == "run_suite" else (3, 8)
    ast.parse(path.read_text(encoding="utf-8"), feature_version=oldest)


def test_judging_needs_no_blender_and_no_scipy():
    """In a process where neither can be imported, whatever is installed."""
    rooms = ("checks", "tasks", "addon.runs", "addon.agent")
    names = [
        name
        for name in modules(ROOT)
        if name.startswith(tuple(f"{PACKAGE}.{room}" for room in rooms))
    ]
    blocked = [*sorted(BLENDER), "scipy", "ifcopenshell", "openai", "anthropic", "jsonschema"]
    program = f"""
import importlib, importlib.util, sys
for name in {blocked}:
    sys.modules[name] = None
spec = importlib.util.spec_from_file_location(
    "plumbline", {str(ROOT / "__init__.py")!r}, submodule_search_locations=[{str(ROOT)!r}]
)
sys.modules["plumbline"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sys.modules["plumbline"])
for name in {names}:
    importlib.import_module(name)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("folder", ["addon", "checks", "operators", "panels", "tasks", "tests"])
def test_every_file_states_the_licence(folder):
    silent = [
        str(path.relative_to(ROOT))
        for path in (ROOT / folder).rglob("*.py")
        if "SPDX-License-Identifier: GPL-3.0-or-later" not in path.read_text("utf-8")[:200]
    ]
    assert not silent, "\n".join(silent)


def test_no_package_in_tests():
    """pytest's importlib mode would import the checkout again under another name."""
    assert not list((ROOT / "tests").rglob("__init__.py"))
    assert not (ROOT / "conftest.py").exists()
