# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of faults in an attempt's folder: written, read back, and nothing else of a folder."""

from __future__ import annotations

import json

from plumbline.addon.agent.bench import Scene
from plumbline.addon.runs import evidence_files

FOUND = [
    {
        "check": "energy",
        "subject": "Ball_5",
        "frame": 98,
        "message": "energy rises",
        "pictures": [
            {"file": "evidence-energy-1-before.png", "caption": "Frame 1"},
            {"file": "evidence-energy-1-after.png", "caption": "Frame 98"},
        ],
    }
]


class Drawer:
    """Draws what it is told to: the files of a bench, without a Blender."""

    def __init__(self, pictures):
        self.pictures = pictures
        self.asked = None

    def evidence(self, scene, record, structure=None, rubric=None):
        self.asked = structure, rubric
        return FOUND, self.pictures


def test_what_is_drawn_is_kept_and_read_back(tmp_path):
    names = ["evidence-energy-1-before.png", "evidence-energy-1-after.png", "picture.png"]
    bench = Drawer({name: name.encode() for name in [*names, "../out.png", "run.json"]})
    record = {"kind": "reconstruction", "task": None}
    evidence_files.draw(record, bench, Scene(tmp_path / "scene.blend"), tmp_path, {"a": 1})
    assert bench.asked == ({"a": 1}, None)
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted([*names, "evidence.json"])
    (one,) = evidence_files.read(tmp_path)
    assert (one.check, one.subject) == ("energy", "Ball_5")
    assert one.pictures == (
        ("Frame 1", b"evidence-energy-1-before.png"),
        ("Frame 98", b"evidence-energy-1-after.png"),
    )


def test_odd_lists_read_as_none(tmp_path):
    (tmp_path / "evidence-a-1-after.png").write_bytes(b"x")
    (tmp_path / "secret.png").write_bytes(b"s")
    listing = tmp_path / evidence_files.LIST_FILE
    assert evidence_files.read(tmp_path) == () and evidence_files.read(None) == ()
    for odd in ("", "{", "[]", '{"schema": "other"}', '{"schema": "plumbline.evidence/1"}'):
        listing.write_text(odd)
        assert evidence_files.read(tmp_path) == ()
    for pictures in (None, 3, [{"file": "../secret.png"}, {"file": "secret.png"}, 7, {}]):
        told = {"schema": evidence_files.SCHEMA, "evidence": [{"pictures": pictures}, "x", None]}
        listing.write_text(json.dumps(told))
        assert evidence_files.read(tmp_path) == ()
