# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes ``*.dhpack`` files that the released DreamHouse harness serves, with our ground truth.

The extra table ``plumbline_truth`` has, for each task, its title, its brief and its recipe
(parameters of the generator and fingerprint) as JSON, and the members themselves: zlib-compressed
JSON with ``names`` (n), ``center`` (n, 3), ``axes`` (n, 3, 3; unit rows, the length first) and
``half`` (n, 3; half extents), all in m. So they can be used without our generator.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from .dhpack import FORMAT, TRUTH
from .drafts import draft_of
from .entry import Entry
from .images import PUBLISHED, VIEWS

_TABLES = f"""
CREATE TABLE metadata (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE tasks (
    task_id TEXT PRIMARY KEY, style TEXT NOT NULL, description TEXT NOT NULL,
    constraints_json TEXT NOT NULL
);
CREATE TABLE images (
    task_id TEXT NOT NULL, view TEXT NOT NULL, content BLOB NOT NULL, PRIMARY KEY (task_id, view)
);
CREATE TABLE {TRUTH} (
    task_id TEXT PRIMARY KEY, title TEXT NOT NULL, brief_json TEXT NOT NULL,
    recipe_json TEXT NOT NULL, members BLOB NOT NULL
);
"""


def write_dhpack(
    path: Path, entries: Iterable[Entry], about: Mapping[str, str], replace: bool = True
) -> None:
    """Write a pack; readers see the whole of it or what was there before.

    What is there already is replaced, unless ``replace`` is off: then ``FileExistsError``.

    ``about`` goes into the metadata beside the format. The pictures are those of the closed house
    where there are any, else of the frame. The same entries give the same bytes with the same
    SQLite. Raises ``OSError``, and ``ValueError`` for a name that is there twice.
    """
    draft = draft_of(path)
    try:
        with open(draft, "xb"):  # SQLite doesn't say why nothing can be written there
            pass
        with closing(sqlite3.connect(draft)) as base:
            # One writer, a file of its own that is thrown away if anything goes wrong.
            base.execute("PRAGMA journal_mode = OFF")
            base.execute("PRAGMA synchronous = OFF")
            base.executescript(_TABLES)
            base.executemany("INSERT INTO metadata VALUES (?, ?)", _metadata(about))
            for entry in entries:
                _insert(base, entry)
            base.commit()
        with open(draft, "rb") as stream:
            os.fsync(stream.fileno())
        if not replace and os.path.lexists(path):
            raise FileExistsError(f"{path}: was put there meanwhile; name another file")
        os.replace(draft, path)
    except sqlite3.IntegrityError as error:
        raise ValueError(f"a task is there twice ({error})") from None
    except sqlite3.Error as error:  # SQLite has its own words for what the disk refuses
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from error
        raise OSError(str(error)) from error
    finally:
        with contextlib.suppress(OSError):
            draft.unlink()


def _metadata(about: Mapping[str, str]) -> list[tuple[str, str]]:
    return [("format", FORMAT), *sorted(about.items())]


def _insert(base: sqlite3.Connection, entry: Entry) -> None:
    name = entry.name
    base.execute(
        "INSERT INTO tasks VALUES (?, ?, ?, ?)",
        (name, entry.style, entry.description, _json(entry.constraints)),
    )
    pictures = entry.skin or entry.frame
    for view in VIEWS:
        if view in pictures:
            row = (name, PUBLISHED.get(view, view), pictures[view])
            base.execute("INSERT INTO images VALUES (?, ?, ?)", row)
    recipe = _json(entry.recipe.to_mapping())
    base.execute(
        f"INSERT INTO {TRUTH} VALUES (?, ?, ?, ?, ?)",
        (name, entry.title, _json(entry.brief), recipe, entry.members),
    )


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
