# SPDX-License-Identifier: GPL-3.0-or-later
"""How long it takes to list 1,200 tasks of a pack, in both forms."""

from __future__ import annotations

from dataclasses import replace

import pytest
from plumbline.tasks.houses.generate import generate
from plumbline.tasks.packs.dhpack import read_dhpack
from plumbline.tasks.packs.dhpack_writing import write_dhpack
from plumbline.tasks.packs.entry import entry_of
from plumbline.tasks.packs.folder import write_folder

pytestmark = pytest.mark.benchmark

COUNT = 1200


@pytest.fixture(scope="module")
def entries():
    one = entry_of(generate("A-Frame", 7), with_program=True)
    return [replace(one, name=f"AF-{i:04d}") for i in range(COUNT)]


def test_list_a_dhpack(benchmark, entries, tmp_path):
    path = tmp_path / "pack.dhpack"
    write_dhpack(path, entries, {})
    assert len(benchmark.pedantic(read_dhpack, [path], rounds=3).tasks) == COUNT


def test_list_a_folder(benchmark, entries, tmp_path):
    from plumbline import tasks

    write_folder(tmp_path / "pack", entries, {})
    found = benchmark.pedantic(tasks.gather, [[tmp_path / "pack"]], rounds=3)
    assert len(found.tasks) == COUNT
