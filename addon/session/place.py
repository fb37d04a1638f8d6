# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the window keeps what it makes: copies of files, and the folders of episodes."""

from __future__ import annotations

import contextlib
import shutil
import time
from pathlib import Path

import bpy

from ..annotations.files import FOLDER as ANNOTATIONS
from ..preferences import PACKAGE
from ..runs.system import cache_folder

#: Folders of episodes that are kept, the newest.
EPISODES_KEPT = 20


def own_folder(name: str) -> Path:
    """A lasting folder of ours: Blender's for the extension, else in the cache of the suite.

    Where no disk takes it (a home that can't be written to) it is named all the same: who only
    looks into it finds nothing there, and who writes is told by the writing.
    """
    try:
        folder = Path(bpy.utils.extension_path_user(PACKAGE, path=name, create=False))
    except (AttributeError, ValueError):  # we run as a library, not as an extension
        folder = Path(cache_folder(), "session", name)
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    return folder


def checkpoints() -> Path:
    """Where copies of the person's files lie."""
    return own_folder("checkpoints")


def new_episode(title: str) -> Path:
    """A new folder for an episode; the oldest ones go, unless somebody has annotated them."""
    parent = own_folder("episodes")
    for old in sorted(p for p in parent.iterdir() if p.is_dir())[: -(EPISODES_KEPT - 1)]:
        if not (old / ANNOTATIONS).exists():
            shutil.rmtree(old, ignore_errors=True)
    words = "".join(c if c.isalnum() or c in "-_" else "-" for c in title)
    stem = f"{time.strftime('%Y%m%d-%H%M%S')}-{words}"
    number = 1
    while (folder := parent / (stem if number == 1 else f"{stem}-{number}")).exists():
        number += 1
    folder.mkdir()
    return folder
