# SPDX-License-Identifier: GPL-3.0-or-later
"""The clock counts what was spent building, whatever lies between; drafts say what they hold."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest
from plumbline.addon.session import by_hand_drafts as drafts
from plumbline.addon.session.by_hand_clock import Clock, clock_words


class Time:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_pauses_are_left_out():
    time = Time()
    clock = Clock(30.0, time)
    time.now += 10
    assert clock.running and clock.seconds == 40.0
    clock.pause()
    time.now += 500
    clock.pause()
    assert not clock.running and clock.seconds == 40.0
    clock.resume()
    clock.resume()
    time.now += 2.5
    assert clock.seconds == 42.5


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.0, "0:00"), (59.9, "0:59"), (725.0, "12:05"), (3725.0, "1:02:05")]
)
def test_the_clock_in_words(seconds, words):
    assert clock_words(seconds) == words


DRAFT = drafts.Draft(
    "timber/cabin", "/somewhere", "One-room cabin", "engineering", "Ada", 12.5, 3, False,
    "2026-01-02T03:04:05+00:00", "2026-01-02T03:05:05+00:00",
)  # fmt: skip


def test_a_draft_is_read_back_as_it_was_written(tmp_path):
    folder = drafts.new_folder(tmp_path, "timber/cabin")
    drafts.write(folder, DRAFT)
    assert drafts.read(folder) is None, "without the scene there is nothing to go on with"
    (folder / drafts.WORK).write_bytes(b"BLENDER")
    assert drafts.read(folder) == drafts.Kept(folder, DRAFT)
    second = drafts.new_folder(tmp_path, "timber/cabin")
    assert second != folder
    assert [kept.folder for kept in drafts.unfinished(tmp_path)] == [folder]
    drafts.drop(folder)
    assert drafts.unfinished(tmp_path) == () == drafts.unfinished(tmp_path / "nowhere")


@pytest.mark.parametrize(
    "change",
    [
        {"seconds": -1}, {"seconds": "12"}, {"seconds": True}, {"seconds": 1e12}, {"tries": -1},
        {"tries": 1.5}, {"person": None}, {"live": 1}, {"schema": "plumbline.draft/2"},
        {"task": ["timber/cabin"]},
    ],
)  # fmt: skip
def test_a_damaged_draft_is_none(tmp_path, change):
    (tmp_path / drafts.WORK).write_bytes(b"BLENDER")
    data = {"schema": drafts.SCHEMA, **asdict(DRAFT), **change}
    (tmp_path / drafts.FILE).write_text(json.dumps(data))
    assert drafts.read(tmp_path) is None
    (tmp_path / drafts.FILE).write_text('{"schema"')
    assert drafts.read(tmp_path) is None
