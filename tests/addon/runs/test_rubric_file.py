# SPDX-License-Identifier: GPL-3.0-or-later
"""Rubrics from files: read through once, and every fault told with its place and the remedy."""

from __future__ import annotations

import json

import pytest
from plumbline.addon.runs.judging import InputError
from plumbline.addon.runs.rubric_file import read_rubric
from plumbline.tasks import select

GOOD = {"criteria": [{"id": "A", "probes": ["gravity"]}]}


def test_a_rubric_is_read(tmp_path):
    file = tmp_path / "rubric.json"
    file.write_text("\ufeff" + json.dumps(GOOD), encoding="utf-8")
    assert read_rubric(file) == GOOD


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is no JSON"),
        ('{"limits": {"energy_rise": NaN}}', "is no JSON"),
        ("[]", "rubric: must be an object"),
        ('{"criterion": []}', "criterion"),
        ('{"criteria": [{"id": "A"}]}', "needs probes or a counterfactual"),
        ('{"criteria": [{"id": "A", "probes": ["gravitation"]}]}', "no probe 'gravitation'"),
        ('{"limits": {"energy": 1}}', "no limit 'energy'"),
    ],
)
def test_what_is_wrong_is_one_sentence_with_the_file(tmp_path, text, said):
    file = tmp_path / "rubric.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as told:
        read_rubric(file)
    assert said in str(told.value) and str(file) in str(told.value)
    assert "\n" not in str(told.value)


def test_a_task_is_no_rubric_and_says_where_it_belongs():
    task = select(["reconstruction/*"])[0]
    with pytest.raises(InputError, match="--task"):
        read_rubric(task.path / "task.json")


def test_what_is_not_there_is_told(tmp_path):
    with pytest.raises(InputError, match=r"none\.json: no such file; check the path"):
        read_rubric(tmp_path / "none.json")
