# SPDX-License-Identifier: GPL-3.0-or-later
"""The page on bundled tasks says what is bundled."""

from __future__ import annotations

import re
from pathlib import Path

from plumbline import tasks


def rows(root: Path) -> set[tuple[str, ...]]:
    """Rows of all tables of the page, as stripped cells."""
    page = (root / "docs" / "tasks.md").read_text(encoding="utf-8")
    lines = (line.strip().strip("|") for line in page.splitlines() if line.startswith("|"))
    return {tuple(cell.strip() for cell in line.split("|")) for line in lines}


def test_every_house_and_twin_is_listed(root: Path) -> None:
    listed = rows(root)
    names = {row[0].strip("`") for row in listed}
    for task in tasks.select():
        assert task.id in names
        for twin in task.twins:
            check = twin.expectation.root.check
            name = task.id.split("/")[1]
            assert (f"`{name}`", f"`{twin.id}`", twin.defect, f"`{check}`") in listed


def test_nothing_else_is_listed(root: Path) -> None:
    twins = {f"`{twin.id}`" for task in tasks.select() for twin in task.twins}
    listed = {row[1] for row in rows(root) if len(row) == 4 and re.fullmatch(r"`\w+`", row[1])}
    assert listed == twins
