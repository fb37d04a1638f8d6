# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads ``*.dhpack``: the SQLite file of the released DreamHouse harness, as far as it goes.

Tables (specification, section 3): ``metadata(key, value)``, ``tasks(task_id, style, description,
constraints_json)``, ``images(task_id, view, content)``; in ours also ``plumbline_truth`` (see
:mod:`.dhpack_writing`). The file may come from anybody: nothing in it is run, and a fault in one
place costs that place only.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from functools import lru_cache, partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ...checks.timber.structure import TimberStructure
from ..fields import parse_object, usable_constraints
from ..model import Task, TaskError
from .briefs import checked_brief
from .images import HEAD, TAIL, canonical, fault_of, fault_of_ends
from .origin import PackOrigin
from .pack import NAME, Pack
from .recipe import Recipe, RecipeError, unpack_members

FORMAT = "dreamhouse-dhpack-v1"
#: Our extra table.
TRUTH = "plumbline_truth"
#: Nothing in a pack is longer, bytes: a picture of 512 x 512 takes 1 MB at most.
_LONGEST = 64 << 20

_COLUMNS = {
    "metadata": ("key", "value"),
    "tasks": ("task_id", "style", "description", "constraints_json"),
    "images": ("task_id", "view", "content"),
    TRUTH: ("task_id", "title", "brief_json", "recipe_json", "members"),
}

# Names are texts, but SQLite takes them as bytes as well, and finds neither by the other.
_IS_TASK = "task_id IN (?1, CAST(?1 AS BLOB))"


def read_dhpack(path: Path, thorough: bool = False) -> Pack:
    """The tasks of a pack by id. ``thorough`` reads every byte of the pictures and members, too.

    Raises :class:`TaskError` if nothing at all can be read.
    """
    with _opened(path) as base:
        return _Reading(path, base, thorough).pack()


@lru_cache(maxsize=4)
def read_again(path: Path, size: int, changed: int) -> Pack:
    """:func:`read_dhpack` of a file that is known by its size and time of change, ns."""
    del size, changed
    return read_dhpack(path)


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """The file, to be read only. Raises :class:`TaskError` for whatever SQLite can't read."""
    try:
        with open(path, "rb"):  # SQLite doesn't say why a file can't be read
            pass
    except OSError as error:
        raise TaskError(path, "", f"can't be read ({error.strerror})", "check its rights") from None
    try:
        uri = f"file:{quote(os.fsencode(path.absolute()))}?mode=ro&immutable=1"
        with closing(sqlite3.connect(uri, uri=True)) as base:
            base.text_factory = bytes  # texts of strangers are decoded one by one
            base.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
            base.execute("PRAGMA trusted_schema = OFF")
            # What is left of a file that breaks off; nothing can be written here anyway.
            base.execute("PRAGMA writable_schema = ON")
            yield base
    except sqlite3.Error as error:
        raise TaskError(path, "", f"is no task pack ({error})", "get it again") from None


class _Reading:
    """One pass over a pack."""

    def __init__(self, path: Path, base: sqlite3.Connection, thorough: bool) -> None:
        self.path = path
        self.base = base
        self.thorough = thorough
        self.left_out: list[str] = []
        self.named: set[str] = set()
        self.tables = {name: self._is_there(name) for name in _COLUMNS}

    def pack(self) -> Pack:
        """All of it."""
        if not self.tables["tasks"]:
            raise TaskError(self.path, "", "has no table of tasks", "get the pack again")
        self._check_format()
        self._check_finished()
        truths = self._truths()
        views = self._views()
        tasks = sorted(self._tasks(truths, views), key=lambda task: task.id)
        for name in sorted((set(truths) | set(views)) - self.named):
            problem = "has pictures or a truth, but is not among the tasks"
            self._leave(f"task {name}"[:120], problem, "they were left out")
        if not tasks and self.left_out:
            raise TaskError(self.path, "", "holds no task that can be read", self.left_out[0])
        return Pack(tuple(tasks), tuple(self.left_out))

    def _leave(self, place: str, problem: str, remedy: str) -> None:
        self.left_out.append(str(TaskError(self.path, place, problem, remedy)))

    def _is_there(self, table: str) -> bool:
        """Whether it is a plain table: a view or a virtual table would run what somebody wrote."""
        row = self.base.execute(
            "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?", (table,)
        ).fetchone()
        sql = row[0] if row is not None else None
        if not isinstance(sql, bytes) or not sql.upper().startswith(b"CREATE TABLE"):
            if table in ("metadata", "images"):
                self._leave(f"table {table}", "there is none", "the tasks were read without it")
            return False
        if any(column[6] for column in self.base.execute(f"PRAGMA table_xinfo({table})")):
            self._leave(f"table {table}", "has columns that are computed", "it was not read")
            return False
        return True

    def _rows(self, table: str, columns: str) -> Iterator[tuple[Any, ...]]:
        """Rows of a table up to the first place that SQLite can't read, which is then said."""
        if not self.tables[table]:
            return
        cursor = None
        try:
            cursor = self.base.execute(f"SELECT {columns} FROM {table}")
            yield from cursor
        except sqlite3.Error as error:
            self._leave(f"table {table}", f"breaks off ({error})", "what comes after was left out")

    def _check_format(self) -> None:
        found = [value for key, value in self._rows("metadata", "key, value") if key == b"format"]
        stated = _text(found[0]) if found else None
        if self.tables["metadata"] and stated != FORMAT:
            says = f"says {stated!r}" if found else "says nothing"
            self._leave("metadata: format", f"{says}, not {FORMAT!r}", "it was read all the same")

    def _check_finished(self) -> None:
        """Rows that a writer has put aside in another file are not seen."""
        aside = self.path.with_name(f"{self.path.name}-wal")
        if aside.is_file() and aside.stat().st_size:
            problem = f"{aside.name} lies beside it with rows that were not written into it yet"
            self._leave("", problem, "close the program that writes it; they were left out")

    def _tasks(
        self, truths: Mapping[str, _Truth], views: Mapping[str, tuple[str, ...]]
    ) -> Iterator[Task]:
        folded: dict[str, str] = {}
        for number, row in enumerate(self._rows("tasks", ", ".join(_COLUMNS["tasks"])), 1):
            name = _text(row[0])
            place = f"task {name}" if name else f"row {number} of tasks"
            if name is None or not NAME.fullmatch(name):
                problem = f"{row[0]!r} is no name of a task"[:160]
                self._leave(place, problem, "the row was left out")
            elif name in self.named:
                self._leave(place, "is there twice", "the second was left out")
            elif folded.setdefault(name.casefold(), name) != name:
                # Folders of its attempts would be those of the other one on many disks.
                problem = f"differs from task {folded[name.casefold()]} in case only"
                self.named.add(name)
                self._leave(place, problem, "the second was left out; rename it")
            else:
                self.named.add(name)
                task = self._task(name, row, truths.get(name), views.get(name, ()))
                if task is not None:
                    yield task

    def _task(
        self, name: str, row: tuple[Any, ...], truth: _Truth | None, views: tuple[str, ...]
    ) -> Task | None:
        place = f"task {name}"
        style, description = _text(row[1]), _text(row[2])
        if not (style and style.strip() and description and description.strip()):
            self._leave(place, "has no style or no description", "the task was left out")
            return None
        title = truth.title if truth else f"{style} {name}"
        origin = PackOrigin(
            place=f"{self.path}: {place}",
            recipe=truth.recipe if truth else None,
            members=partial(_members, self.path, name) if truth and truth.stored else None,
            pictures=partial(_pictures, self.path, name) if views else dict,
        )
        return Task(
            id=f"timber/{name}",
            kind="timber",
            title=title,
            style=style,
            description=description,
            constraints=self._constraints(place, row[3]),
            brief=truth.brief if truth else {},
            path=self.path / name,
            origin=origin,
        )

    def _constraints(self, place: str, value: Any) -> dict[str, Any]:
        text = _text(value)
        try:
            if text is None:
                raise TaskError(self.path, "", "no text", "write a JSON object")
            good, faults = usable_constraints(Path(place), parse_object(Path(place), text))
        except TaskError as error:
            self._leave(f"{place}: constraints", error.problem, "it was read without them")
            return {}
        self.left_out += [f"{self.path}: {fault}" for fault in faults]
        return good

    def _views(self) -> dict[str, tuple[str, ...]]:
        """The views of each task whose pictures begin and end as a PNG does."""
        found: dict[str, dict[str, None]] = {}
        ends = f"substr(content, 1, {HEAD}), substr(content, -{TAIL})"
        columns = "task_id, view, " + ("content, content" if self.thorough else ends)
        for task, name, head, tail in self._rows("images", columns):
            view = canonical(_text(name) or "")
            known = _text(task) or ""
            place = f"image {_text(name)!r} of task {known}"
            if not isinstance(head, bytes) or not isinstance(tail, bytes):
                fault: str | None = "is no picture"
            else:
                fault = fault_of(head) if self.thorough else fault_of_ends(head, tail)
            if view is None:
                self._leave(place, "is none of the five views", "the picture was left out")
            elif fault is not None:
                self._leave(place, fault, "the picture was left out")
            elif view in found.setdefault(known, {}):
                self._leave(place, "is there twice", "the second was left out")
            else:
                found[known][view] = None
        return {task: tuple(views) for task, views in found.items() if views}

    def _truths(self) -> dict[str, _Truth]:
        """What our extra table knows."""
        found: dict[str, _Truth] = {}
        columns = "task_id, title, brief_json, recipe_json, length(members)"
        columns += ", members" if self.thorough else ", NULL"
        for row in self._rows(TRUTH, columns):
            name = _text(row[0]) or ""
            try:
                found[name] = _truth(row)
            except (RecipeError, TaskError) as error:
                what = getattr(error, "problem", str(error))
                self._leave(f"truth of task {name}", what, "the task was read without it")
        return found


class _Truth:
    """A row of our table."""

    def __init__(self, title: str, brief: Mapping[str, Any], recipe: Recipe, stored: bool) -> None:
        self.title = title
        self.brief = brief
        self.recipe = recipe
        self.stored = stored


def _truth(row: tuple[Any, ...]) -> _Truth:
    """Raises :class:`RecipeError` or :class:`TaskError`."""
    name, title, brief, recipe = map(_text, row[:4])
    if not (name and title and brief and recipe):
        raise RecipeError("has a field that is no text")
    here = Path(name)
    found = Recipe.from_mapping(parse_object(here, recipe))
    if row[5] is not None:
        unpack_members(row[5])
    return _Truth(title, checked_brief(here, parse_object(here, brief)), found, bool(row[4]))


def _members(path: Path, name: str) -> TimberStructure:
    """The stored members of a task. Raises :class:`RecipeError`."""
    try:
        with _opened(path) as base:
            row = base.execute(f"SELECT members FROM {TRUTH} WHERE {_IS_TASK}", (name,)).fetchone()
    except TaskError as error:
        raise RecipeError(error.problem) from None
    if row is None or not isinstance(row[0], bytes):
        raise RecipeError("its members are gone")
    return unpack_members(row[0])


def _pictures(path: Path, name: str) -> Mapping[str, bytes]:
    """Pictures of a task that are whole, by canonical view. Raises :class:`TaskError`."""
    found: dict[str, bytes] = {}
    with _opened(path) as base:
        for named, content in base.execute(
            f"SELECT view, content FROM images WHERE {_IS_TASK}", (name,)
        ):
            view = canonical(_text(named) or "")
            if view is None or view in found or not isinstance(content, bytes):
                continue
            if fault_of(content) is None:
                found[view] = content
    return found


def _text(value: Any) -> str | None:
    """A text of SQLite, ``None`` for what is none."""
    if not isinstance(value, bytes):
        return None
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return None
