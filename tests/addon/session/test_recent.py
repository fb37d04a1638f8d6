# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs that were opened lately, and which folders of this window are kept."""

from __future__ import annotations

import pytest

pytest.importorskip("bpy")

from plumbline.addon.runs.runfolder import RUN_FILE
from plumbline.addon.session import place, recent

pytestmark = pytest.mark.ends


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_CACHE", str(tmp_path / "cache"))


def run(folder):
    folder.mkdir(parents=True)
    (folder / RUN_FILE).write_text("{}")
    return folder


def test_the_newest_first_each_once_and_none_that_is_gone(tmp_path):
    runs = [run(tmp_path / f"run-{number}") for number in range(recent.KEPT + 3)]
    for path in (*runs, runs[4]):
        recent.add(path)
    found = recent.runs()
    assert len(found) == recent.KEPT and found[:2] == (runs[4], runs[-1])
    (runs[-1] / RUN_FILE).unlink()
    assert runs[-1] not in recent.runs()
    assert recent.shown() == ((), ()) or runs[4] not in recent.shown()[0], "looked at on request"
    recent.look()
    assert recent.shown()[0][0] == runs[4]


@pytest.mark.parametrize("content", ["", "{", "3", '[3, null, "/nowhere"]'])
def test_a_damaged_list_is_an_empty_one(content):
    (place.own_folder("runs") / "recent.json").write_text(content)
    assert recent.runs() == ()


def test_episodes_and_what_was_built_by_hand_are_offered():
    one = run(place.own_folder("episodes") / "20260101-cabin")
    two = run(place.own_folder("by-hand") / "20260102-shed")
    (place.own_folder("episodes") / "20260103-no-run").mkdir()
    assert recent.episodes() == (two, one)


def test_old_episodes_go_but_none_that_somebody_has_annotated():
    parent = place.own_folder("episodes")
    for number in range(place.EPISODES_KEPT + 5):
        run(parent / f"2020010{number // 10}-{number % 10}")
    (parent / "20200100-0" / "annotations").mkdir()
    new = place.new_episode("timber/cabin scripted")
    left = sorted(path.name for path in parent.iterdir())
    assert "20200100-0" in left and "20200100-1" not in left and new.name in left
    assert len(left) == place.EPISODES_KEPT + 1
