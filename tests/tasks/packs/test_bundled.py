# SPDX-License-Identifier: GPL-3.0-or-later
"""The bundled pack is listed from one file, holds what its seeds give, and is no smoke suite."""

from __future__ import annotations

from collections import Counter

import pytest
from plumbline import tasks
from plumbline.tasks.packs import bundled
from plumbline.tasks.packs.recipe import fingerprint

PACK = bundled.bundled_tasks()


def test_three_houses_of_each_style():
    assert PACK and bundled.FILE.stat().st_size < 150_000
    assert set(Counter(task.style for task in PACK.values()).values()) == {len(bundled.SEEDS)}
    assert {task.id for task in tasks.select(["timber/[A-Z]*"])} == set(PACK)
    assert not {task.id for task in tasks.select()} & set(PACK)


@pytest.mark.parametrize("name", PACK)
def test_each_comes_out_as_the_same_house(name):
    """If the generator was changed: run tests/tools/bundle_pack.py."""
    task = PACK[name]
    assert task.why_no_truth() is None
    truth = task.truth()
    assert truth is not None and fingerprint(truth) == task.origin.recipe.sha256
    assert task.has_program and task.references() == {} and task.twins == ()


def test_one_is_found_by_its_id_and_by_its_path():
    name, task = next(iter(PACK.items()))
    for asked in (name, task.path, str(task.path)):
        assert tasks.load_task(asked) is task
    assert tasks.select([task.path, name]) == [task]


def test_its_program_builds_it():
    task = next(iter(PACK.values()))
    text = task.program()
    compile(text, task.id, "exec")
    assert all(name.rpartition("_")[0] in text for name in task.truth().names)
