# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures that came with a task are shown to models; nothing is measured by them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from episodes import QUIET, WHOLE, ListProvider, hut_task, program, run_episode
from plumbline.addon.agent.agents import Assignment, Limits, Target, shown_views
from plumbline.addon.agent.bench import Scene
from plumbline.addon.agent.messages import Picture, Text
from plumbline.addon.agent.outside_folder import write_views
from plumbline.addon.agent.tools.agent import task_message
from plumbline.addon.agent.tools.box import Budgets
from plumbline.addon.runs.targets import Targets, measured
from plumbline.addon.scene.pixels import png_bytes
from plumbline.tasks.packs.origin import PackOrigin

PNG = png_bytes(np.full((32, 32, 4), 0.5, np.float32))
THEIRS = {"front": PNG, "front_right": PNG}
OWN = {"front": b"drawn by us"}


@dataclass(frozen=True)
class NoSeat:
    """Nothing may be built for a task that has no program."""

    def versions(self):
        raise AssertionError("nobody is asked")


@pytest.fixture
def task():
    return replace(hut_task(), origin=PackOrigin("theirs.dhpack", pictures=lambda: THEIRS))


def test_the_tasks_own_pictures_come_first(task, tmp_path):
    target = Target(Scene(tmp_path / "scene.blend"), {}, OWN)
    assert shown_views(task, None) == shown_views(task, target) == THEIRS
    assert shown_views(hut_task(), target) == OWN and shown_views(hut_task(), None) == {}


def test_pictures_are_no_target(task, tmp_path):
    told = []
    target = Targets(tmp_path, told.append)(Assignment(task, "null"), NoSeat())
    assert target is None and told == []
    assert measured(None, None, None, True) == ({}, None), "S is absent, not nought"


@pytest.mark.parametrize("protocol", ["atomic", "managed", "reactive"])
def test_a_protocol_shows_them_and_says_what_is_not_known(task, tmp_path, protocol):
    provider = ListProvider([program(WHOLE)] * 9)
    options = replace(QUIET, pictures=True)
    run_episode(tmp_path, provider, protocol, options, task=task, limits=Limits(attempts=1))
    first = provider.requests[0].messages[-1]
    shown = [part for part in first.parts if isinstance(part, Picture)]
    assert [part.data for part in shown] == [PNG, PNG]
    words = " ".join(part.text for part in first.parts if isinstance(part, Text))
    assert "What their cameras were is not known" in " ".join(words.split())
    assert "orthographic" not in words


def test_tools_and_working_folders_have_them(task, tmp_path):
    message = task_message(task, "engineering", Budgets(), False, shown_views(task, None))
    assert [p.data for p in message.parts if isinstance(p, Picture)] == [PNG, PNG]
    files = write_views(tmp_path / "reference", shown_views(task, None))
    assert [path.name for path in files] == ["front.png", "front_right.png"]
