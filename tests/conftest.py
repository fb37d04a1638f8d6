# SPDX-License-Identifier: GPL-3.0-or-later
"""What every test stands on: the checkout as package ``plumbline``, and a Blender of its own.

The checkout is registered by hand, whatever is installed, so that tests always see the code beside
them. Blender's user folder is a temporary one: no test reads or writes the settings of the person
who runs it. Tests that touch ``bpy`` get the marker ``blender`` by themselves.

Environment: ``PLUMBLINE_REQUIRE_BPY`` (such as ``5.0.1``) makes the run fail unless that very bpy
is here, so that a matrix entry can't pass by skipping everything.
"""

from __future__ import annotations

import atexit
import contextlib
import importlib.util
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "plumbline"
_MENTIONS_BPY = re.compile(
    r"""^\s*(?:import|from)\s+(?:bpy|bmesh|mathutils|addon_utils)\b|importorskip\(\s*["']bpy["']""",
    re.MULTILINE,
)


def _give_blender_a_home() -> None:
    """Point Blender and everything it starts at a throw-away user folder.

    The cache folder stays: shader caches and provisioned Blenders lie there, and no settings.
    """
    home = tempfile.mkdtemp(prefix="plumbline-tests-")
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    for name in ("BLENDER_USER_RESOURCES", "XDG_CONFIG_HOME"):
        folder = Path(home, name.lower())
        folder.mkdir()
        os.environ[name] = str(folder)


def _register_checkout() -> None:
    """Make ``import plumbline`` mean this checkout, even beside an editable install."""
    loaded = sys.modules.get(PACKAGE)
    if loaded is not None and Path(loaded.__file__ or "").parent == ROOT:
        return
    for name in [n for n in sys.modules if n == PACKAGE or n.startswith(PACKAGE + ".")]:
        del sys.modules[name]
    spec = importlib.util.spec_from_file_location(
        PACKAGE, ROOT / "__init__.py", submodule_search_locations=[str(ROOT)]
    )
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[PACKAGE] = module
    spec.loader.exec_module(module)


_give_blender_a_home()
_register_checkout()


def _bpy_version() -> str | None:
    """The version of the bpy in this Python, or ``None``; importing it is the only sure test."""
    try:
        import bpy
    except ImportError:
        return None
    return ".".join(map(str, bpy.app.version))


def pytest_configure(config: pytest.Config) -> None:
    wanted = os.environ.get("PLUMBLINE_REQUIRE_BPY")
    if wanted and _bpy_version() != wanted:
        raise pytest.UsageError(
            f"this run needs bpy {wanted}, but this Python ({sys.executable}) has "
            f"{_bpy_version() or 'none'}"
        )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark tests that touch Blender, and skip them, with the reason, where there is none."""
    mentions: dict[Path, bool] = {}
    for item in items:
        if item.path not in mentions:
            text = item.path.read_text(encoding="utf-8") if item.path.suffix == ".py" else ""
            mentions[item.path] = bool(_MENTIONS_BPY.search(text))
        own_blender = item.get_closest_marker("window") or item.get_closest_marker("real_blender")
        if mentions[item.path] and not own_blender:
            item.add_marker(pytest.mark.blender)
    if any(item.get_closest_marker("blender") for item in items) and _bpy_version() is None:
        reason = "no bpy in this Python; `python3 run_suite.py --setup --test` brings it"
        for item in items:
            if item.get_closest_marker("blender"):
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture
def empty_scene():
    """An empty factory scene in metres; yields ``bpy``. Keeps an enabled extension enabled."""
    bpy = pytest.importorskip("bpy")
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    yield bpy
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)


@pytest.fixture
def somebody_else():
    """Inside the returned context this process has no more rights than an ordinary user.

    Root, whom no rights stop, becomes user 65534 for that long; anybody else stays who he is.
    """

    @contextlib.contextmanager
    def become():
        if not hasattr(os, "geteuid"):
            pytest.skip("this system has no rights of this kind")
        if os.geteuid() != 0:
            yield
            return
        os.seteuid(65534)
        try:
            yield
        finally:
            os.seteuid(0)

    return become


@pytest.fixture
def open_folder():
    """A folder that everybody may look into, unlike pytest's own."""
    folder = Path(tempfile.mkdtemp(prefix="plumbline-test-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)
