# SPDX-License-Identifier: GPL-3.0-or-later
"""Node, which runs action files of voxel tasks: installed for the tests of that, where it can be.

Without it those tests are left out and say why, as anybody's run of such a file does.
"""

from __future__ import annotations

import contextlib
import shutil

from plumbline.addon.runs.system import SystemProblem, apt_install


def provide_node() -> list[str]:
    """Path of Node, installed by apt if it isn't here; nothing where it can't be had."""
    with contextlib.suppress(SystemProblem):
        if _node() is None:
            apt_install(["nodejs"], "tests of action files need Node")
    found = _node()
    return [found] if found else []


def _node() -> str | None:
    return shutil.which("node") or shutil.which("nodejs")
