# SPDX-License-Identifier: GPL-3.0-or-later
"""Our own log: JSON lines, one a turn, with what was placed and removed in order.

::

    {"schema": "plumbline.blocks/1", "run_idx": 0, "turn_idx": 0, "n_turns": 1,
     "prompt": "Build a wall ...", "checks": [{"fn": "...", "args": {...}}],
     "actions": [["place", 0, 0, 0, "stone"], ["remove", 0, 0, 0]],
     "model": "anthropic/...", "ts": "2026-11-30T12:00:00Z"}

Only ``run_idx``, ``turn_idx`` and ``actions`` are needed. In place of ``actions`` a line may have
``coords``, all blocks that stand after the turn in placement order: ``[[0, 0, 0, "stone"], ...]``
or ``[{"x": 0, "y": 0, "z": 0, "material": "stone"}, ...]``. Where both are missing or null,
nothing was recorded, and the blocks of the turn before go on standing, as published.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from ...checks.voxel.brief import UNREADABLE, BriefError, CheckCall, VoxelBrief
from ...checks.voxel.structure import Action, VoxelStructure
from .. import strict_json
from .blocks import BlocksError, Run, not_whole, replay, tell_cut, within_reach

SCHEMA = "plumbline.blocks/1"
# Problems of a file, and turns of a problem; those of the benchmark have up to 723 and 5.
_MOST = {"run_idx": 10**6, "turn_idx": 1000}


def read_lines(text: str, source: str, faults: list[str]) -> tuple[Run, ...]:
    """The problems of a log; what is wrong with a line is told, and the line left out.

    ``faults`` gets all of it, each problem its own and those of lines that may be of any problem.
    Raises :class:`~.blocks.BlocksError` where no line can be read.
    """
    runs: dict[int, dict[int, tuple[str, dict[str, Any]]]] = {}
    own: dict[int, list[str]] = {}
    for count, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        place = f"line {count}"
        try:
            record = _record(line)
            turns = runs.setdefault(record["run_idx"], {})
            if record["turn_idx"] in turns:
                fault = f"{place}: it gives a turn that was given before; the line is left out"
                own.setdefault(record["run_idx"], []).append(fault)
                continue
            turns[record["turn_idx"]] = (place, record)
        except json.JSONDecodeError as error:
            what = f"{error.msg} at column {error.colno}"
            faults.append(f"{place} isn't JSON ({what}): mend or remove it")
        except (BlocksError, ValueError) as error:
            faults.append(f"{place}: {error}; the line is left out")
    if not any(runs.values()):
        raise BlocksError(faults[0] if faults else "it holds no turn; each needs a line of JSON")
    anybodys = tuple(faults)
    found = []
    for number, turns in sorted(runs.items()):
        if turns:
            mine = own.get(number, [])
            run = _run(number, turns, source, mine)
            found.append(replace(run, faults=(*anybodys, *mine)))
            faults += mine
    return tuple(found)


def dump_turn(
    actions: Iterable[Action],
    run_idx: int = 0,
    turn_idx: int = 0,
    n_turns: int = 1,
    prompt: str = "",
    checks: Iterable[CheckCall] = (),
    model: str | None = None,
    ts: str | None = None,
) -> str:
    """One line of the log, without its line end. ``ts`` is a time as ISO 8601."""
    rows = [[a.kind, a.x, a.y, a.z, *((a.material,) if a.kind == "place" else ())] for a in actions]
    record = {
        "schema": SCHEMA,
        "run_idx": run_idx,
        "turn_idx": turn_idx,
        "n_turns": n_turns,
        "prompt": prompt,
        "checks": [{"fn": call.fn, "args": dict(call.args)} for call in checks],
        "actions": rows,
        "model": model,
        "ts": ts,
    }
    return json.dumps(record, allow_nan=False)


def _record(line: str) -> dict[str, Any]:
    """One line, its own fields checked."""
    record = strict_json.loads(line)
    if not isinstance(record, dict):
        raise BlocksError("it must be an object")
    if record.setdefault("schema", SCHEMA) != SCHEMA:
        raise BlocksError(f"it is no {SCHEMA}")
    for name, most in _MOST.items():
        if not _is_count(record.setdefault(name, 0), most):
            raise BlocksError(f"{name} must be a whole number from 0 to {most - 1}")
    for name in ("actions", "coords"):
        if record.get(name) is not None and not isinstance(record[name], list):
            raise BlocksError(f"{name} must be a list")
    return record


def _run(
    number: int,
    turns: Mapping[int, tuple[str, dict[str, Any]]],
    source: str,
    faults: list[str],
) -> Run:
    """The blocks after each turn of one problem."""
    stands: list[VoxelStructure] = []
    records = [turns[turn] for turn in sorted(turns)]
    missing = next((turn for turn in range(_turns(turns)) if turn not in turns), None)
    if missing is not None:
        faults.append(f"run {number}: turn {missing} is missing; the others are read")
    for place, record in records:
        previous = stands[-1] if stands else None
        if record.get("actions") is not None:
            actions = within_reach(_actions(record["actions"], place, faults), faults)
            stands.append(replay(previous, actions, source))
        elif record.get("coords") is not None:
            actions = within_reach(_coords(record["coords"], place, faults), faults)
            stands.append(replay(None, actions, source))
        else:
            faults.append(f"{place}: nothing was recorded; the blocks of the turn before stand")
            stands.append(
                VoxelStructure.empty(source={"file": source}) if previous is None else previous
            )
    prompts = tuple(str(record.get("prompt") or "") for _, record in records)
    model = records[-1][1].get("model")
    return Run(
        tuple(stands),
        number,
        prompts,
        _brief(turns, faults),
        model if isinstance(model, str) else None,
    )


def _actions(rows: list[Any], place: str, faults: list[str]) -> Iterator[tuple[str, Action]]:
    """Rows of what was placed and removed."""
    cut = 0
    for count, row in enumerate(rows, 1):
        spot = f"{place}, action {count}"
        fits = isinstance(row, list) and 4 <= len(row) <= 5 and _is_name(row[4:])
        action = Action.read(*row) if fits else None
        if action is None:
            faults.append(
                f'{spot}: must be ["place", x, y, z, material] or ["remove", x, y, z]; it is left '
                "out"
            )
            continue
        cut += not_whole(row[1:4])
        yield spot, action
    tell_cut(cut, faults)


def _coords(rows: list[Any], place: str, faults: list[str]) -> Iterator[tuple[str, Action]]:
    """Rows of blocks that stand."""
    cut = 0
    for count, row in enumerate(rows, 1):
        spot = f"{place}, block {count}"
        if isinstance(row, dict):
            row = [row.get(name) for name in ("x", "y", "z", "material")]
        fits = isinstance(row, list) and len(row) in (3, 4) and _is_name(row[3:])
        action = Action.read("place", *row) if fits else None
        if action is None:
            faults.append(f"{spot}: must be [x, y, z, material]; it is left out")
            continue
        cut += not_whole(row[:3])
        yield spot, action
    tell_cut(cut, faults)


def _is_name(rest: list[Any]) -> bool:
    """Whether what follows the coordinates is a material, or none."""
    return all(value is None or isinstance(value, str) for value in rest)


def _is_count(value: Any, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < most


def _turns(turns: Mapping[int, tuple[str, dict[str, Any]]]) -> int:
    """How many turns a problem has, by its lines and by what they say."""
    most = _MOST["turn_idx"]
    said = [record.get("n_turns", 0) for _, record in turns.values()]
    return max(max(turns) + 1, *(n if _is_count(n, most + 1) else 0 for n in said))


def _brief(turns: Mapping[int, tuple[str, dict[str, Any]]], faults: list[str]) -> VoxelBrief | None:
    """The checks of all turns, ``None`` where no line has any."""
    if not any(record.get("checks") for _, record in turns.values()):
        return None
    lost = (CheckCall(UNREADABLE),)
    return VoxelBrief(
        tuple(
            _calls(*turns[turn], faults) if turn in turns else lost for turn in range(_turns(turns))
        )
    )


def _calls(place: str, record: Mapping[str, Any], faults: list[str]) -> tuple[CheckCall, ...]:
    """The checks of one turn."""
    checks = record.get("checks") or []
    calls = []
    for count, value in enumerate(checks if isinstance(checks, list) else [checks], 1):
        try:
            calls.append(CheckCall.from_mapping(value, f"check {count}"))
        except BriefError as error:
            faults.append(f"{place}: {error}; it can't be run")
            calls.append(CheckCall(UNREADABLE))
    return tuple(calls)
