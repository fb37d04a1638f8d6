# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes problems as files of the benchmark's own format, which others read as well as we do.

What the format has no field for stands under names that begin with an underscore, which it takes
for comments: of an item ``_item`` and ``_parameters``, of its prompts ``_wordings`` and ``_words``
(one a sequence), and ``_seed``. Items and wordings are counted from 1, as in ids.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..packs.drafts import draft_of, take_place
from .problem import Problem

#: Beside the files of a folder that we wrote: only such a folder is ever replaced.
MARK = "plumbline.lists"
FORMAT = "plumbline-voxel-lists-v1"
#: What the system prompt of an arm is in.
SYSTEM_PROMPT = "system_prompt.txt"


@dataclass(frozen=True)
class Lists:
    """The files of one folder: ``name`` within what is written (``""``: itself)."""

    problems: tuple[Problem, ...]
    name: str = ""
    system_prompt: str | None = None


def items_of(problems: Iterable[Problem]) -> dict[str, list[dict[str, Any]]]:
    """The items of each file as they are written, by the file's name."""
    files: dict[str, dict[int, dict[str, Any]]] = {}
    for problem in sorted(problems, key=lambda p: (p.file, p.item, p.wording)):
        items = files.setdefault(problem.file, {})
        item = items.setdefault(problem.item, _item(problem))
        item["prompts"].append(list(problem.prompts))
        item["_wordings"].append(problem.wording + 1)
        item["_words"].append(dict(problem.words))
    return {name: list(items.values()) for name, items in files.items()}


def _item(problem: Problem) -> dict[str, Any]:
    """An item still without its prompts."""
    return {
        "prompts": [],
        "checks": [
            [{"fn": call.fn, "args": dict(call.args)} for call in turn] for turn in problem.checks
        ],
        "_item": problem.item + 1,
        "_parameters": dict(problem.parameters),
        "_wordings": [],
        "_words": [],
        "_seed": problem.seed,
    }


def may_replace(path: Path) -> bool:
    """Whether nothing is lost if our files take this place: files of ours, or nothing at all."""
    if not os.path.lexists(path):
        return True
    if path.is_symlink() or not path.is_dir():
        return False
    if not os.listdir(path):
        return True
    try:
        mark = json.loads((path / MARK).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(mark, dict) and mark.get("format") == FORMAT


def write_lists(
    path: Path, lists: Iterable[Lists], about: Mapping[str, Any], replace: bool = True
) -> None:
    """Write a folder of files; readers see the whole of it or what was there before.

    Raises ``OSError`` and, for a folder that holds something else, ``FileExistsError``.
    """
    draft = draft_of(path)
    try:
        draft.mkdir(parents=True)
        for one in lists:
            _write(draft / one.name, one)
        _write_json(draft / MARK, {"format": FORMAT, **about})
        if os.path.lexists(path) and not (replace and may_replace(path)):
            raise FileExistsError(f"{path}: holds something else; name another folder")
        take_place(draft, path)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _write(folder: Path, lists: Lists) -> None:
    folder.mkdir(exist_ok=True)
    for name, items in items_of(lists.problems).items():
        _write_json(folder / f"{name}.json", items)
    if lists.system_prompt is not None:
        (folder / SYSTEM_PROMPT).write_text(lists.system_prompt + "\n", encoding="utf-8")


def _write_json(file: Path, value: Any) -> None:
    file.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
