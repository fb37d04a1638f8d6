# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs that were opened in the window, the newest first, and the episodes of this window.

A short list in a file of ours; a run that is gone from the disk is left out.
"""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path

from .. import strict_json
from ..runs.runfolder import RUN_FILE
from ..runs.storage import write_whole
from . import place

#: Runs that are remembered.
KEPT = 12
_FILE = "recent.json"
#: Folders in which this window keeps runs, and how many of them a menu shows.
OWN, OWN_SHOWN = ("episodes", "by-hand"), 15

# What a menu shows: no file is read while it is drawn.
_shown: list[tuple[Path, ...]] = []


def runs() -> tuple[Path, ...]:
    """Runs that were opened lately and are still there."""
    try:
        names = strict_json.loads(_file().read_bytes())
    except (OSError, ValueError):
        return ()
    if not isinstance(names, list):
        return ()
    return tuple(p for p in map(Path, (n for n in names if isinstance(n, str))) if is_run(p))


def episodes() -> tuple[Path, ...]:
    """Run folders of this window, of agents and of the person's own hand, the newest first."""
    found: list[Path] = []
    for name in OWN:
        with contextlib.suppress(OSError):
            found += [path for path in place.own_folder(name).iterdir() if is_run(path)]
    return tuple(sorted(found, key=lambda path: path.name, reverse=True))[:OWN_SHOWN]


def add(run: Path) -> None:
    """Note that a run was opened; a disk that takes no note of it is no reason to stop."""
    path = run.resolve()
    names = [str(path), *(str(p) for p in runs() if p != path)][:KEPT]
    try:
        write_whole(_file(), json.dumps(names, indent=1) + "\n")
    except OSError:
        return


def look() -> None:
    """Read what :func:`shown` gives out."""
    _shown[:] = [runs(), episodes()]


def shown() -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """What was opened lately, and episodes of this window, as of the last :func:`look`."""
    return (_shown[0], _shown[1]) if _shown else ((), ())


def is_run(path: Path) -> bool:
    """Whether this looks like a run folder."""
    return os.path.isfile(path / RUN_FILE)


def _file() -> Path:
    return place.own_folder("runs") / _FILE
