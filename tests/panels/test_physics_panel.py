# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel *Physics* in every state of a simulated scene; drawing changes nothing."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from recording_layout import RecordingLayout

bpy = pytest.importorskip("bpy")
pytestmark = pytest.mark.once


def drawn(name: str) -> RecordingLayout:
    cls = getattr(bpy.types, f"PLUMBLINE_PT_{name}")
    layout = RecordingLayout()
    page = SimpleNamespace(layout=layout)
    if "draw_header_preset" in cls.__dict__:
        cls.__dict__["draw_header_preset"](page, bpy.context)
    cls.__dict__["draw"](page, bpy.context)
    return layout


def shows(name: str) -> bool:
    return bool(getattr(bpy.types, f"PLUMBLINE_PT_{name}").poll(bpy.context))


def says(layout: RecordingLayout) -> str:
    return " ".join(layout.texts())


def fields(layout: RecordingLayout) -> set[str]:
    return {given["property"] for name, given in layout.items if name == "prop"}


def buttons(layout: RecordingLayout) -> list[str]:
    return [given["operator"] for name, given in layout.items if name == "operator"]


def test_from_the_first_look_to_a_playback(registered):
    import tumbling

    _scene, objects = tumbling.tower()
    objects["Free"].location.z = 1.0
    objects["Free"].location.x = 0.6  # within Low and High
    assert "Fifteen probes measure it" in says(drawn("physics"))
    assert shows("probes") and "Nothing is inside another" in says(drawn("probes"))
    bpy.ops.plumbline.run_probes()
    layout = drawn("physics")
    assert "Bodies inside each other" in says(layout) and "1 probe found faults" in says(layout)
    assert "plumbline.show_moment" in buttons(layout)
    assert "Frame 1" in says(layout)
    assert "Nothing here to ask these:" in says(drawn("probes"))
    bpy.ops.plumbline.watch_probes()
    layout = drawn("physics")
    assert buttons(layout)[0] == "plumbline.stop_motion" and "Moments" in says(layout)
    assert not shows("probes") and not shows("what_if")
    assert "shows a motion" in says(drawn("findings")) and "checked" not in says(drawn("findings"))
    assert buttons(drawn("learn")) == ["plumbline.stop_motion"]
    bpy.ops.plumbline.stop_motion()


def test_every_kind_of_change_shows_its_fields(registered):
    import tumbling
    from plumbline.addon.physics_words import CHANGES
    from plumbline.addon.session import interventions_here

    tumbling.tower()
    asked = interventions_here.state(bpy.context)
    asked.compare = True
    for kind in CHANGES:
        asked.third.control = kind
        if kind != "none":
            asked.first.kind = kind
        layout = drawn("what_if")
        assert CHANGES[kind][1].split()[0] in says(layout)
    asked.first.kind, asked.first.amount = "mass", "VALUE"
    assert {"kind", "control", "amount", "mass"} <= fields(drawn("what_if"))
    assert "seconds" not in fields(drawn("what_if"))


def test_what_stands_still_has_its_own_changes(registered, frame):
    from plumbline.addon.physics_words import FALLS
    from plumbline.addon.session import interventions_here

    asked = interventions_here.state(bpy.context)
    for kind in FALLS:
        asked.first.falls = kind
        layout = drawn("what_if")
        assert {"falls", "seconds"} <= fields(layout) and FALLS[kind][1] in says(layout)
    assert not shows("probes")
    assert "plumbline.let_it_fall" in buttons(drawn("physics"))


def test_a_view_s_caption_counts_what_has_moved(registered):
    import numpy as np
    from plumbline.addon.session.motion import Motion, Take, moved_from_start
    from plumbline.panels.physics_captions import counted

    places = np.tile(np.eye(4), (5, 2, 1, 1))
    places[3:, 1, 2, 3] = -1.0
    motion = Motion(("Beam", "Post"), places, 11, 24.0)
    take = Take("Without Sill", motion, moved_from_start(motion))
    assert counted(take, 13) == []
    assert counted(take, 14) == ["1 of 2 moved", "first: Post, frame 14"]
