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
from typing import Any

from ...checks.voxel.brief import BriefError, CheckCall, VoxelBrief
from ...checks.voxel.structure import Action, VoxelStructure
from .. import strict_json
from .blocks import BlocksError, Run, not_whole, replay, tell_cut, within_reach

SCHEMA = "plumbline.blocks/1"


def read_lines(text: str, source: str, faults: list[str]) -> tuple[Run, ...]:
    """The problems of a log; what is wrong with a line is told, and the line left out.

    Raises :class:`~.blocks.BlocksError` where no line can be read.
    """
    runs: dict[int, dict[int, tuple[str, dict[str, Any]]]] = {}
    for count, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        place = f"line {count}"
        try:
            record = _record(line)
            turns = runs.setdefault(record["run_idx"], {})
            if record["turn_idx"] in turns:
                raise BlocksError("it gives a turn that was given before")
            turns[record["turn_idx"]] = (place, record)
        except (BlocksError, ValueError) as error:
            faults.append(f"{place}: {error}; the line is left out")
    if not any(runs.values()):
        raise BlocksError(faults[0] if faults else "it holds no turn; each needs a line of JSON")
    return tuple(
        _run(number, turns, source, faults) for number, turns in sorted(runs.items()) if turns
    )


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
    for name in ("run_idx", "turn_idx"):
        value = record.setdefault(name, 0)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 10**6:
            raise BlocksError(f"{name} must be a whole number from 0")
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
    missing = next((turn for turn in range(max(turns)) if turn not in turns), None)
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
        _brief(records, faults),
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


def _brief(records: list[tuple[str, dict[str, Any]]], faults: list[str]) -> VoxelBrief | None:
    """The checks of all turns, if every one of them has some."""
    turns = []
    for place, record in records:
        checks = record.get("checks")
        if not isinstance(checks, list) or not checks:
            return None
        try:
            turns.append(
                tuple(
                    CheckCall.from_mapping(value, f"check {count}")
                    for count, value in enumerate(checks, 1)
                )
            )
        except BriefError as error:
            faults.append(f"{place}: {error}; its checks are left out")
            return None
    return VoxelBrief(tuple(turns))
