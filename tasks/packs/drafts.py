# SPDX-License-Identifier: GPL-3.0-or-later
"""Drafts of packs: written beside their place, so that readers never see a half."""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from pathlib import Path

#: A draft that nobody has touched for so long belongs to a program that was killed, s.
_ABANDONED = 600.0


def draft_of(path: Path) -> Path:
    """Where this process writes what will be ``path``; nothing is there.

    Drafts that killed processes have left of the same pack are removed.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    _remove(draft)
    with contextlib.suppress(OSError):  # they are in nobody's way
        for other in draft.parent.iterdir():
            if _is_draft(other.name, path.name) and time.time() - _touched(other) > _ABANDONED:
                _remove(other)
    return draft


def take_place(draft: Path, path: Path) -> None:
    """Put a folder where it belongs; if that fails, what was there before comes back.

    Raises ``OSError``.
    """
    old = path.with_name(f".{path.name}.{os.getpid()}.old")
    try:
        with contextlib.suppress(FileNotFoundError):
            os.replace(path, old)
        os.replace(draft, path)
    except BaseException:
        if old.exists() and not os.path.lexists(path):
            os.replace(old, path)
        raise
    finally:
        shutil.rmtree(old, ignore_errors=True)


def _is_draft(name: str, pack: str) -> bool:
    begin, end = f".{pack}.", ".part"
    number = name[len(begin) : -len(end)]
    return name.startswith(begin) and name.endswith(end) and number.isascii() and number.isdigit()


def _touched(path: Path) -> float:
    """When it was last written to, s: a folder whenever a task was added."""
    return path.lstat().st_mtime


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with contextlib.suppress(FileNotFoundError):
            path.unlink()
