# SPDX-License-Identifier: GPL-3.0-or-later
"""One windowed Blender a version, the extension installed from its zip, shared by the tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from virtual_display import VirtualDisplay, missing_tools
from windowed_blender import WindowedBlender

VERSIONS = ("4.3", "5.2")


def pytest_collection_modifyitems(config, items):
    """Leave out what ``only_in`` names another Blender for: a window's tests are slow."""
    left_out = []
    for item in items:
        wanted = item.get_closest_marker("only_in")
        version = getattr(item, "callspec", None) and item.callspec.params.get("session")
        if wanted is not None and version is not None and version not in wanted.args:
            left_out.append(item)
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        gone = set(map(id, left_out))
        items[:] = [item for item in items if id(item) not in gone]


@pytest.fixture(scope="session")
def extension_zip(tmp_path_factory) -> Path:
    """The zip that is released; ``PLUMBLINE_EXTENSION_ZIP`` names one that is built already."""
    given = os.environ.get("PLUMBLINE_EXTENSION_ZIP")
    if given:
        return Path(given)
    from plumbline.addon.runs.extension import build_zip

    return build_zip(tmp_path_factory.mktemp("zip"))


@pytest.fixture(scope="session", params=VERSIONS)
def session(request, extension_zip, tmp_path_factory):
    """A windowed Blender of one version, running."""
    from plumbline.addon.runs.system import cache_folder

    binary = cache_folder() / "bin" / f"blender-{request.param}"
    reason = os.environ.get(f"PLUMBLINE_NO_BLENDER_{request.param.replace('.', '_')}")
    if reason or not binary.exists():
        command = f"python3 tests/tools/provision_blender.py {request.param}"
        pytest.skip(
            f"no Blender {request.param} with a window here: {reason or f'`{command}` makes one'}"
        )
    if missing_tools():
        pytest.skip(f"a virtual display needs {', '.join(missing_tools())}")
    with VirtualDisplay() as display:
        blender = WindowedBlender(binary, tmp_path_factory.mktemp("window"), display)
        blender.version = request.param
        try:
            blender.install(
                extension_zip, "8" if os.environ.get("PLUMBLINE_PHOTOGRAPHS") else "OFF"
            )
            blender.start()
            yield blender
        finally:
            blender.kill()


@pytest.fixture
def blender(session):
    """That Blender with a new file and our tab open; a new one where a test has ended the last."""
    if not session.alive:
        session.start()
    session.run("bpy.ops.wm.read_homefile(use_factory_startup=True)")
    session.run("open_tab()")
    return session
