# SPDX-License-Identifier: GPL-3.0-or-later
"""What ordinary programs write (tests/ordinary, and the bundled ones) is never refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from plumbline import tasks
from plumbline.addon.sandbox.policy import vet

ORDINARY = sorted((Path(__file__).parents[2] / "ordinary").glob("*.py"))


@pytest.mark.parametrize("path", ORDINARY, ids=lambda path: path.stem)
def test_what_models_write_passes(path: Path) -> None:
    assert vet(path.read_text(encoding="utf-8")) == ()


def test_there_are_ordinary_programs() -> None:
    assert len(ORDINARY) >= 6


@pytest.mark.parametrize("task", tasks.select(), ids=lambda task: task.id)
def test_bundled_programs_pass(task) -> None:
    programs = {task.id: task.program()}
    programs |= {f"{task.id} [{twin.id}]": twin.program() for twin in task.twins}
    assert {name: found for name, code in programs.items() if (found := vet(code))} == {}
