# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the benchmark's own task files from a folder: what is faulty is said, the rest is read.

A file is a JSON list of items. An item has ``prompts``, a list of sequences with one text a turn,
and ``checks``, a list with one list of ``{"fn": ..., "args": {...}}`` a turn; names that begin with
an underscore are comments. Every sequence is a problem. In files that we wrote the comments say
which place in the grid and which words they are of, see :mod:`.writing`.
"""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...checks.voxel import arguments
from ...checks.voxel.brief import UNREADABLE, BriefError, CheckCall
from ...checks.voxel.registry import GRADERS
from . import own
from .problem import Problem, Turn

# The largest published file has 40 kB; one of this size holds no task list.
_LARGEST_FILE = 32 << 20  # bytes


class ReadingError(ValueError):
    """A file or folder of which nothing can be read; one sentence."""


@dataclass(frozen=True)
class Loaded:
    """Problems that could be read, and one sentence for each fault.

    A check that isn't known, or whose arguments are wrong, stays with its problem: judging says so
    and judges by the others.
    """

    problems: tuple[Problem, ...]
    faults: tuple[str, ...] = ()


def read_folder(path: str | Path) -> Loaded:
    """The problems of all ``*.json`` of a folder, in the order of the files' names.

    Raises :class:`ReadingError` if there is no such folder or nothing in it can be read.
    """
    folder = Path(path)
    try:
        files = sorted(file for file in folder.iterdir() if file.suffix == ".json")
    except OSError as error:
        raise ReadingError(f"{folder}: can't be read ({error.strerror}); check the path") from None
    problems: list[Problem] = []
    faults: list[str] = []
    for file in files:
        try:
            read = read_file(file)
        except ReadingError as error:
            faults.append(str(error))
            continue
        problems += read.problems
        faults += read.faults
    if not problems:
        found = faults[0] if faults else f"{folder}: holds no .json file; name the benchmark's own"
        raise ReadingError(found)
    return Loaded(tuple(problems), tuple(faults))


def read_file(path: str | Path) -> Loaded:
    """The problems of one file. Raises :class:`ReadingError` if nothing of it can be read."""
    file = Path(path)
    faults: list[str] = []
    items = _json(file, faults)
    if not isinstance(items, list):
        raise ReadingError(f"{file}: must be a list of items, each with prompts and checks")
    problems: list[Problem] = []
    for index, item in enumerate(items):
        place = f"{file}: item {index + 1}"
        try:
            problems += _problems(file.stem, index, item, place, faults)
        except ReadingError as error:
            faults.append(str(error))
    return Loaded(own.placed(problems, items), tuple(faults))


def _json(file: Path, faults: list[str]) -> Any:
    """The value in a file; names that an object gives twice go into ``faults``."""
    twice: dict[str, None] = {}
    try:
        status = file.stat()
        if not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):  # it may never end
            raise ReadingError(f"{file}: is a pipe or a device; name a file")
        if status.st_size > _LARGEST_FILE:
            raise ReadingError(f"{file}: is larger than any task list (32 MiB); name another file")
        value = json.loads(
            file.read_text(encoding="utf-8-sig"),
            parse_constant=_refuse,
            object_pairs_hook=lambda pairs: _object(pairs, twice),
        )
        faults += (
            f"{file}: an object has the name {_short(repr(name))} twice; the last one counts"
            for name in twice
        )
        return value
    except OSError as error:
        raise ReadingError(f"{file}: can't be read ({error.strerror}); check the path") from None
    except UnicodeDecodeError as error:
        raise ReadingError(f"{file}: byte {error.start} isn't UTF-8; save it as UTF-8") from None
    except json.JSONDecodeError as error:
        raise ReadingError(
            f"{file}: line {error.lineno} isn't JSON ({error.msg}); mend that line"
        ) from None
    except ReadingError:
        raise
    except ValueError as error:
        many = "int_max_str_digits" in str(error)  # a remedy of Python's own, for programmers
        why = "a number has too many digits" if many else str(error)
        raise ReadingError(f"{file}: isn't JSON ({why}); mend it") from None
    except RecursionError:
        raise ReadingError(f"{file}: is nested too deeply; name a task list") from None


def _object(pairs: list[tuple[str, Any]], twice: dict[str, None]) -> dict[str, Any]:
    """An object, the names that stand in it more than once (but for comments) noted."""
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen and not name.startswith("_"):
                twice[name] = None
            seen.add(name)
    return found


def _refuse(word: str) -> Any:
    raise ValueError(f"{word} is no number")


def _problems(stem: str, index: int, item: Any, place: str, faults: list[str]) -> Iterator[Problem]:
    """The problems of one item; what is wrong with its checks goes into ``faults``."""
    if not isinstance(item, dict):
        raise ReadingError(f"{place}: must be an object with prompts and checks")
    for name in ("prompts", "checks"):
        if not isinstance(item.get(name), list) or not item[name]:
            raise ReadingError(f"{place}: {name} must be a list that isn't empty")
    checks = _checks(item["checks"], place, faults)
    for number, sequence in enumerate(item["prompts"]):
        where = f"{place}, prompts {number + 1}"
        texts = isinstance(sequence, list) and all(isinstance(text, str) for text in sequence)
        if not texts or not sequence:
            faults.append(f"{where}: must be a list with one text for each turn; it is left out")
        elif len(sequence) != len(checks):
            faults.append(
                f"{where}: {_turns(len(sequence))} of prompts but {_turns(len(checks))} of checks; "
                "it is left out"
            )
        else:
            yield Problem(stem, index, number, tuple(sequence), checks)


def _turns(number: int) -> str:
    return f"{number} turn{'' if number == 1 else 's'}"


def _checks(turns: list[Any], place: str, faults: list[str]) -> tuple[Turn, ...]:
    """Check calls, a tuple a turn."""
    read = []
    for number, turn in enumerate(turns):
        where = f"{place}, turn {number + 1}"
        if not isinstance(turn, list):
            raise ReadingError(f"{where}: checks must be a list with a list for each turn")
        calls = []
        for count, value in enumerate(turn):
            spot = f"{where}, check {count + 1}"
            try:
                call = CheckCall.from_mapping(value, spot)
            except BriefError as error:
                faults.append(f"{_short(str(error))}; it will not be run")
                calls.append(CheckCall(UNREADABLE))
                continue
            calls.append(call)
            faults += _call_faults(call, spot)
        read.append(tuple(calls))
    return tuple(read)


def _call_faults(call: CheckCall, place: str) -> Iterator[str]:
    """What keeps a call from being run."""
    if call.fn not in GRADERS:
        yield f"{place}: there is no check {arguments.told(call.fn)}; it will not be run"
        return
    wrong = wrong_arguments(call)
    if wrong is not None:
        yield f"{place}: {call.fn}: {wrong}; it will not be run"


def wrong_arguments(call: CheckCall) -> str | None:
    """Why the arguments of a known check keep it from being run; ``None`` if they don't."""
    try:
        arguments.read(GRADERS[call.fn].parameters, call.args)
    except arguments.BadArguments as error:
        return str(error)
    return None


def _short(text: str) -> str:
    """A text from a file, no longer than a sentence."""
    return text if len(text) <= 200 else f"{text[:197]}..."
