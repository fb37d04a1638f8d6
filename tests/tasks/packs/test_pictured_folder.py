# SPDX-License-Identifier: GPL-3.0-or-later
"""Folders of the released harness, which hold pictures and perhaps constraints, are tasks too."""

from __future__ import annotations

import json
import os

import numpy as np
import pytest
from plumbline import tasks
from plumbline.addon.scene.pixels import png_bytes
from plumbline.tasks import TaskError

BARE = png_bytes(np.full((16, 16, 4), 0.2, np.float32))
CLOSED = png_bytes(np.full((16, 16, 4), 0.8, np.float32))


@pytest.fixture
def folder(tmp_path):
    """A task with three pictures, one of them in both forms."""
    place = tmp_path / "houses" / "SB_01_0004"
    place.mkdir(parents=True)
    (place / "front.png").write_bytes(BARE)
    (place / "SB_01_0004_skin_front.png").write_bytes(CLOSED)
    (place / "SB_01_0004_skin_front_right.png").write_bytes(CLOSED)
    (place / "top.png").write_bytes(BARE)
    (place / "other_skin_left.png").write_bytes(CLOSED)
    (place / "notes.txt").write_text("nothing")
    return place


def test_pictures_alone_are_a_task(folder):
    task = tasks.load_task(folder)
    assert (task.id, task.style, task.constraints) == ("timber/SB_01_0004", "Saltbox", {})
    assert dict(task.references()) == {"front": CLOSED, "front_right": CLOSED}
    assert not task.has_program and task.truth() is None
    for selector in (folder, folder.parent):
        assert tasks.gather([selector]) == tasks.Pack((task,))


def test_constraints_are_read_as_far_as_they_go(folder):
    file = folder / "constraints.json"
    file.write_text(json.dumps({"style": "Hall", "stories": 2, "wings": -1, "config": "x"}))
    found = tasks.gather([folder.parent])
    assert found.tasks[0].style == "Hall" and found.tasks[0].constraints == {"stories": 2}
    assert "constraints.wings: -1 is no such value" in found.left_out[0]
    file.write_text("{")
    found = tasks.gather([folder.parent])
    assert found.tasks[0].constraints == {} and found.tasks[0].style == "Saltbox"
    assert "not JSON" in found.left_out[0] and len(found.left_out) == 1


def test_what_is_no_picture_is_left_out(folder):
    (folder / "SB_01_0004_skin_front.png").write_bytes(b"none")
    (folder / "SB_01_0004_skin_front_right.png").unlink()
    (folder / "back.png").mkdir()
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / "left.png")
    found = tasks.gather([folder.parent])
    assert dict(found.tasks[0].references()) == {"front": BARE, "front_right": BARE}
    assert len(found.left_out) == (3 if hasattr(os, "mkfifo") else 2)
    assert all("the picture was left out" in sentence for sentence in found.left_out)


def test_a_name_that_no_task_has_is_said(folder):
    folder.rename(folder.with_name("my house"))
    with pytest.raises(TaskError, match=r"selects no task; .*'my house' is no name of a task"):
        tasks.gather([folder.parent])


def test_a_folder_without_pictures_is_no_task(tmp_path):
    (tmp_path / "pack" / "empty").mkdir(parents=True)
    (tmp_path / "pack" / "empty" / "constraints.json").write_text("{}")
    with pytest.raises(TaskError, match="selects no task; bundled are"):
        tasks.gather([tmp_path / "pack"])
    with pytest.raises(TaskError, match="neither a bundled task"):
        tasks.load_task(tmp_path / "pack" / "empty")
