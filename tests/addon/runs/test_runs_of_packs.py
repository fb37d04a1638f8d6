# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs of packs: what of them can't be run is said, and never as a fault of ours."""

from __future__ import annotations

import io
from dataclasses import replace

from plumbline import tasks
from plumbline.addon.agent.scripted import Scripted
from plumbline.addon.runs.asked import Asked
from plumbline.addon.runs.console import Console
from plumbline.addon.runs.run_command import _assignments
from plumbline.addon.runs.verdicts import internal_sentence
from plumbline.tasks import TaskError
from plumbline.tasks.houses.generate import generate
from plumbline.tasks.packs.dhpack_writing import write_dhpack
from plumbline.tasks.packs.entry import entry_of

ENTRY = entry_of(generate("A-Frame", 11))


def assigned(*packs):
    """The tasks of a run of these packs, whether some are missing, and what was said."""
    said = io.StringIO()
    asked = Asked(tasks=tuple(map(str, packs)))
    once, missing = _assignments(Scripted(), asked, Console(io.StringIO(), said, {}))
    return [one.task.path for one in once], missing, said.getvalue()


def test_two_packs_with_the_same_ids(tmp_path):
    one, two = tmp_path / "one.dhpack", tmp_path / "two.dhpack"
    write_dhpack(one, [ENTRY], {})
    write_dhpack(two, [ENTRY, replace(ENTRY, name="AF-0012")], {})
    paths, missing, said = assigned(one, two, one)
    assert paths == [one.resolve() / "AF-0011", two.resolve() / "AF-0012"] and missing
    assert f"{two.resolve()}/AF-0011: has the id of {one.resolve()}/AF-0011 and was left" in said
    assert said.count("\n") == 1
    assert assigned(one, one) == ([one.resolve() / "AF-0011"], False, "")


def test_a_house_that_comes_out_as_another_is_no_fault_of_ours(tmp_path):
    path = tmp_path / "pack.dhpack"
    write_dhpack(path, [replace(ENTRY, recipe=replace(ENTRY.recipe, sha256="0" * 64))], {})
    try:
        tasks.load_task(path / "AF-0011").program()
    except TaskError as error:
        said = internal_sentence(error)
    assert said.startswith("the task can't be used: ") and "generate the pack" in said
    assert "bug" not in said and "bug of Plumbline" in internal_sentence(KeyError("x"))
