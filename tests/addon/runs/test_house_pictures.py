# SPDX-License-Identifier: GPL-3.0-or-later
"""A worker draws generated houses for packs, and says what it can't draw."""

from __future__ import annotations

import pytest
from plumbline.addon.runs import cli
from plumbline.addon.runs.house_pictures import HousePictures
from plumbline.tasks.houses.generate import generate
from plumbline.tasks.packs.entry import entry_of
from plumbline.tasks.packs.images import VIEWS, fault_of

pytestmark = [pytest.mark.once, pytest.mark.blender]


def test_one_blender_draws_house_after_house():
    entry = entry_of(generate("A-Frame", 1))
    with HousePictures() as pictures:
        bare, closed = (pictures.draw(entry, skin) for skin in (False, True))
    for views in (bare, closed):
        assert set(views) == set(VIEWS) and not any(map(fault_of, views.values()))
    assert all(bare[view] != closed[view] for view in VIEWS)


def test_a_blender_that_is_not_there_is_one_sentence(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("PLUMBLINE_BLENDER", str(tmp_path / "blender"))
    pack = tmp_path / "pack.dhpack"
    asked = ["tasks", "generate", "--style", "AF", "--count", "1", "--images", "frame"]
    assert cli.main([*asked, "--out", str(pack)]) == 3
    told = capsys.readouterr().err
    assert "no pictures can be drawn" in told and "--images none makes the pack without" in told
    assert list(tmp_path.iterdir()) == []
