# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiled shaders for boxes: a box keeps nothing, and compiling costs seconds each time.

They are compiled once, outside, by a process that has seen no one's scene, into a folder of their
own for each Blender. What draws in a box gets a copy; what it adds to that is lost with the box.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

#: Files of them are handed over under this name.
PREFIX = "shaders/"
# Written last, so that a folder that lacks it is not finished.
_MARK = "compiled"
# More than this, bytes, is not the few shaders that we draw with.
_MOST = 64 << 20


def shader_cache() -> Path:
    """A lasting folder for compiled shaders."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base, "plumbline", "shaders")


def compiled(command: Sequence[str], draw: Callable[[Path, Path], bool]) -> dict[str, bytes]:
    """The shaders of the Blender that ``command`` starts, as files to hand over; may be empty.

    ``draw(shaders, picture)`` is called where there are none yet: it draws something into
    ``picture`` with the compiled shaders kept in the folder ``shaders``, and says whether it could.
    """
    digest = hashlib.sha256("\0".join(command).encode("utf-8", "surrogateescape")).hexdigest()
    folder = shader_cache() / f"box-{digest[:16]}"
    with contextlib.suppress(OSError):  # without them a picture takes longer, no more
        if not (folder / _MARK).exists():
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(prefix="plumbline-shaders-") as other:
                if draw(folder, Path(other, "stud.png")):
                    (folder / _MARK).touch()
        files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
        if sum(path.stat().st_size for path in files) <= _MOST:
            return {PREFIX + p.relative_to(folder).as_posix(): p.read_bytes() for p in files}
    return {}


def one_stud() -> dict[str, Any]:
    """The plain structure of a single stud: the least that can be drawn."""
    from ...checks.timber.structure import TimberStructure
    from ..scene.plain import structure_to_plain

    axes = [[(1, 0, 0), (0, 1, 0), (0, 0, 1)]]
    stud = TimberStructure.from_boxes(["Stud"], [(0, 0, 1.2)], axes, [(0.038, 0.089, 2.4)])
    return structure_to_plain(stud)
