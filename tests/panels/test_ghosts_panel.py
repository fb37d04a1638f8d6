# SPDX-License-Identifier: GPL-3.0-or-later
"""Ghosts of the target: made once by a second Blender, told in the panel, withheld from pupils."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

bpy = pytest.importorskip("bpy")
pytestmark = pytest.mark.once


@pytest.fixture
def twin(registered, tmp_path, monkeypatch):
    """The shed without one of its rafters, built and checked, with ghosts turned on."""
    from plumbline.addon import bundled, review
    from plumbline.addon.session import checking, place

    monkeypatch.setattr(place, "own_folder", lambda name: tmp_path / name)
    state = bpy.context.window_manager.plumbline
    state.task, state.variant = "timber/shed_roof", "missing_rafter"
    bpy.ops.plumbline.build_task()
    scene = bpy.context.window.scene
    assert scene[bundled.TASK_KEY] == "timber/shed_roof"
    bpy.context.window_manager.plumbline_view.target = True
    with bpy.context.temp_override(scene=scene):
        checking.check(scene, "engineering")
        yield SimpleNamespace(scene=scene, review=lambda: review.of(scene))


def drawn(scene):
    from plumbline.panels.view import PLUMBLINE_PT_colours
    from recording_layout import RecordingLayout

    layout = RecordingLayout()
    PLUMBLINE_PT_colours.draw(SimpleNamespace(layout=layout), bpy.context)
    return " ".join(given.get("text", "") for name, given in layout.items if name == "label")


def test_what_is_missing_is_told_and_listed(twin, monkeypatch):
    from plumbline.addon.session import by_hand_session, ghosts, quizzing

    assert "Comparing with the target" in drawn(twin.scene)
    with pytest.raises(RuntimeError, match="turn on Ghosts"):
        bpy.ops.plumbline.list_differences()
    ghosts.ask(twin.scene)
    known = ghosts.of(twin.review())
    assert known.why is None
    assert known.by_role == {"missing": {"Rafter": 1}}
    assert known.values["C"] < 1.0 and known.values["T"] > 0.9
    (finding,) = known.findings
    said = drawn(twin.scene)
    assert "1 member is missing" in said and "1 Rafter" in said
    assert bpy.ops.plumbline.list_differences() == {"FINISHED"}
    (text,) = [t for t in bpy.data.texts if "differences" in t.name]
    assert finding.message in text.as_string()

    # Kept: another comparison needs no second Blender.
    monkeypatch.setattr(ghosts, "WorkerSeat", None)
    ghosts.detach()
    ghosts.ask(twin.scene)
    assert ghosts.of(twin.review()).by_role == known.by_role

    # Withheld from a pupil, and from who builds it by hand.
    with monkeypatch.context() as pupil:
        pupil.setattr(quizzing, "now", lambda: object())
        assert "Not in a lesson" in drawn(twin.scene)
        with pytest.raises(RuntimeError, match="Not in a lesson"):
            bpy.ops.plumbline.list_differences()
    session = SimpleNamespace(uid=bpy.context.scene.session_uid)
    with monkeypatch.context() as builder:
        builder.setattr(by_hand_session, "now", lambda: session)
        assert "hand it in first" in drawn(twin.scene)


def test_a_target_that_cannot_be_made_is_a_sentence(twin, monkeypatch):
    from plumbline.addon.session import ghosts
    from plumbline.tasks import Task, TaskError

    def broken(self):
        raise TaskError("build.py", "", "can't be read", "check its rights")

    monkeypatch.setattr(Task, "program", broken)
    ghosts.ask(twin.scene)
    assert "check its rights" in ghosts.of(twin.review()).why
    assert "check its rights" in drawn(twin.scene)
