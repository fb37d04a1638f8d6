# SPDX-License-Identifier: GPL-3.0-or-later
"""What a person has built so far, on the disk: so that no crash and no other file loses it.

A draft is a folder with the scene and what is known of the attempt. It goes once the attempt is
stored as a run. No ``bpy``.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from .. import strict_json
from ..runs.storage import write_whole

WORK = "work.blend"
FILE = "draft.json"
SCHEMA = "plumbline.draft/1"


@dataclass(frozen=True)
class Draft:
    """An attempt that isn't over.

    ``task`` is its id, ``path`` the folder that it was read from, ``seconds`` what the clock said,
    ``tries`` how often it was checked (``None``: not counted), ``live`` whether it was checked
    all the time, ``started`` and ``saved`` moments (ISO 8601).
    """

    task: str
    path: str
    title: str
    profile: str
    person: str
    seconds: float
    tries: int | None
    live: bool
    started: str
    saved: str


@dataclass(frozen=True)
class Kept:
    """A draft that lies in ``folder``."""

    folder: Path
    draft: Draft

    @property
    def blend(self) -> Path:
        """The scene as it was kept last."""
        return self.folder / WORK


def new_folder(parent: Path, task: str) -> Path:
    """A new folder for a draft, named after the moment and the task. Raises ``OSError``."""
    stem = time.strftime("%Y%m%d-%H%M%S-") + task.replace("/", "-")
    for number in range(1, 1000):
        folder = parent / (stem if number == 1 else f"{stem}-{number}")
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            continue
        return folder
    raise OSError(f"{parent} holds a thousand drafts of this second")


def write(folder: Path, draft: Draft) -> None:
    """Write what is known of the attempt. Raises ``OSError``."""
    text = json.dumps({"schema": SCHEMA, **asdict(draft)}, indent=2)
    write_whole(folder / FILE, text + "\n")


def read(folder: Path) -> Kept | None:
    """The draft in a folder, ``None`` if there is none that can be taken up."""
    try:
        data = strict_json.loads((folder / FILE).read_bytes())
    except (OSError, ValueError):
        return None
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        return None
    draft = _draft(data)
    return Kept(folder, draft) if draft and (folder / WORK).is_file() else None


def _draft(data: Mapping[str, Any]) -> Draft | None:
    """What was read as a draft, ``None`` if a field is missing or of another type."""
    known = {f.name: data.get(f.name) for f in fields(Draft)}
    texts = ("task", "path", "title", "profile", "person", "started", "saved")
    seconds, tries = known["seconds"], known["tries"]
    sound = (
        all(isinstance(known[name], str) for name in texts)
        and isinstance(seconds, (int, float))
        and not isinstance(seconds, bool)
        and 0 <= seconds < 1e9
        and (tries is None or (type(tries) is int and tries >= 0))
        and isinstance(known["live"], bool)
    )
    return Draft(**known) if sound else None  # type: ignore[arg-type]


def unfinished(parent: Path) -> tuple[Kept, ...]:
    """Every draft in a folder of drafts that can be taken up, the newest first."""
    try:
        folders = sorted((p for p in parent.iterdir() if p.is_dir()), reverse=True)
    except OSError:
        return ()
    found = (read(folder) for folder in folders)
    return tuple(kept for kept in found if kept is not None)


def drop(folder: Path) -> None:
    """Remove a draft whose attempt is stored elsewhere."""
    shutil.rmtree(folder, ignore_errors=True)
