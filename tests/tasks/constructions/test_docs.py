# SPDX-License-Identifier: GPL-3.0-or-later
"""The page on block tasks lists the flawed twins and the dimensions that there are."""

from __future__ import annotations

import re
from pathlib import Path

from plumbline import tasks
from plumbline.addon.scene.block_api import NAMES
from plumbline.tasks.constructions import FILES
from plumbline.tasks.constructions.generate import dimensions


def rows(root: Path, heading: str) -> list[list[str]]:
    """Rows of the table under a heading, as stripped cells."""
    page = (root / "docs" / "constructions.md").read_text(encoding="utf-8")
    part = page.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    lines = [line.strip().strip("|") for line in part.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)] for line in lines[2:]]


def test_every_twin_is_listed_and_nothing_else(root: Path) -> None:
    assert rows(root, "The flawed twins") == [
        [
            f"`{task.id.removeprefix('voxel/')}`",
            f"`{twin.id}`",
            twin.defect,
            f"`{twin.expectation.root.check}`",
        ]
        for task in tasks.select(["voxel/*"])
        for twin in task.twins
    ]


def test_every_dimension_is_listed(root: Path) -> None:
    listed = [row[0].strip("`") for row in rows(root, "Other wordings")]
    assert sorted(listed) == sorted({name for file in FILES for name in dimensions(file)})


def test_every_function_is_listed(root: Path) -> None:
    listed = [row[0].strip("`").partition("(")[0] for row in rows(root, "Programs")]
    assert sorted(listed) == sorted(NAMES)


def test_every_selector_finds_something(root: Path) -> None:
    for row in rows(root, "Which tasks"):
        for selector in re.findall(r"`((?:voxel/|lite:)[^`]*)`", row[0]):
            assert "FOLDER" in selector or tasks.select([selector]), selector
