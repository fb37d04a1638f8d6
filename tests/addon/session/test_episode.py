# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole episodes beside an open file, ticked by a loop: background has no timers."""

from __future__ import annotations

import time

import pytest

bpy = pytest.importorskip("bpy")

pytestmark = pytest.mark.real_blender


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Everything that the window keeps goes into a folder of the test's."""
    monkeypatch.setenv("PLUMBLINE_CACHE", str(tmp_path))
    return tmp_path / "session"


@pytest.fixture
def choose(registered, place):
    """Sets the panel's choices; afterwards nothing runs and nothing is allowed."""
    from plumbline.addon.session import current

    def chosen(**values):
        state, choices = bpy.context.window_manager.plumbline, bpy.context.window_manager
        for name, value in values.items():
            holder = state if name in ("task", "profile") else choices.plumbline_agent
            setattr(holder, name, value)

    chosen(task="timber/cabin", provider="scripted")
    yield chosen
    current.close()


def to_the_end(seconds=120):
    """Tick the episode until it is over."""
    from plumbline.addon.session import current

    found = current.now()
    end = time.monotonic() + seconds
    while not found.job.over or not found.job.main.idle:
        found.tick()
        assert time.monotonic() < end, found.live
        time.sleep(0.005)
    found.tick()
    return found


@pytest.mark.parametrize("where", ["isolated", "session"])
def test_a_known_good_house_lands_and_is_judged(choose, where):
    from plumbline.addon import review
    from plumbline.addon.session.consent import consent

    choose(where=where)
    consent.give()
    assert bpy.ops.plumbline.start_agent() == {"FINISHED"}
    found = to_the_end()
    live = found.live
    assert (live.end, live.verdict) == ("finished", "passed"), live
    (key,) = live.tries
    scene = found.gallery.landed[key].scene
    assert scene.name == "cabin · program" and len(scene.objects) == 199
    assert bpy.context.window.scene == scene
    assert review.of(scene).judgement.verdict == "passed"
    assert scene["plumbline_task"] == "timber/cabin"
    assert live.code.startswith("# SPDX") and (found.job.result.verdict == "passed")


def test_names_that_the_file_has_already_lead_to_the_right_members(choose):
    """The second house can't have its names, yet a finding leads to its members."""
    from plumbline.addon import review
    from plumbline.addon.scene.members import object_of_member

    for _ in range(2):
        bpy.ops.plumbline.start_agent()
        found = to_the_end()
    scene = found.gallery.landed[1].scene
    shown = review.of(scene)
    obj = object_of_member("Joist_01", shown.structure, scene)
    assert obj.name == "Joist_01.001" and scene.objects.get(obj.name) == obj
    assert not shown.stale


def test_without_leave_it_does_not_start(choose):
    choose(where="session")
    with pytest.raises(RuntimeError, match="needs your permission"):
        bpy.ops.plumbline.start_agent()


def test_revoking_ends_an_episode(choose):
    from plumbline.addon.session.consent import consent

    choose(where="session")
    consent.give()
    bpy.ops.plumbline.start_agent()
    bpy.ops.plumbline.revoke_session()
    live = to_the_end().live
    assert (live.end, live.fault) == ("environment", "consent")
    assert bpy.data.scenes.keys() == ["Scene"]


def test_another_file_ends_the_episode_and_the_leave(choose):
    from plumbline.addon.session import current
    from plumbline.addon.session.consent import consent

    consent.give()
    bpy.ops.plumbline.start_agent()
    job = current.now().job
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    assert not consent.given and current.now() is None
    assert job.over or job.join(10)


def test_a_model_needs_a_name_a_key_and_the_network(choose, monkeypatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.delenv("ANTHROPIC_BASE_URL", raising=False)
    choose(provider="anthropic", model=" ")
    with pytest.raises(RuntimeError, match="model's name"):
        bpy.ops.plumbline.start_agent()
    choose(model="claude-x")
    bpy.ops.plumbline.start_agent()
    live = to_the_end().live
    expected = "key" if bpy.app.online_access else "offline"
    assert (live.end, live.fault) == ("environment", expected), live
