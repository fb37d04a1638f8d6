# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that a few pure tests ask: installed for them, where they can be had.

Node runs action files of voxel tasks, CalculiX is the independent solver that stresses are compared
with. Without one the tests of it are left out and say why.
"""

from __future__ import annotations

import contextlib
import shutil

from plumbline.addon.runs.system import SystemProblem, apt_install

#: Names of a program -> Debian's package, and what it is for.
_WANTED = {
    ("node", "nodejs"): ("nodejs", "tests of action files need Node"),
    ("ccx",): ("calculix-ccx", "tests of stresses compare them with CalculiX"),
}


def provide_programs() -> list[str]:
    """Paths of those that are here after apt has installed what was missing."""
    for names, (package, why) in _WANTED.items():
        if _found(names) is None:
            with contextlib.suppress(SystemProblem):
                apt_install([package], why)
    return [path for names in _WANTED if (path := _found(names)) is not None]


def _found(names: tuple[str, ...]) -> str | None:
    return next(filter(None, map(shutil.which, names)), None)
