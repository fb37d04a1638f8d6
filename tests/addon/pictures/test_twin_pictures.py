# SPDX-License-Identifier: GPL-3.0-or-later
"""Every finding of every flawed twin has a picture of its own kind, under every profile.

The twins are Blender programs; what is drawn for them is the same in every Blender.
"""

from __future__ import annotations

import numpy as np
import pytest
from plumbline import tasks
from plumbline.addon.pictures.drawing import Shown
from plumbline.addon.pictures.timber.book import MAKERS, PICTURES
from plumbline.checks.timber import TimberBrief, judge

pytestmark = pytest.mark.once

TWINS = [(house, twin) for house in tasks.select(["timber/*"]) for twin in house.twins]


def build(program: str):
    """What a program leaves in a fresh scene."""
    import bpy
    from plumbline.addon.scene.members import structure_from_scene

    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    exec(compile(program, "program", "exec"), {"__name__": "__main__"})
    return structure_from_scene()


def length(pair) -> float:
    return float(np.linalg.norm(np.subtract(pair[1], pair[0])))


@pytest.mark.parametrize(("house", "twin"), TWINS, ids=[f"{h.id}-{t.id}" for h, t in TWINS])
def test_twins(house, twin):
    structure, brief = build(twin.program()), TimberBrief.from_mapping(house.brief)
    subjects = PICTURES.subjects(structure)
    for profile in ("engineering", "paper", "release"):
        judgement = judge(structure, brief, profile)
        explained = PICTURES.explain(structure, brief, judgement)
        for finding in judgement.findings:
            shown = Shown(structure, judgement, brief, explained, finding, subjects)
            picture = PICTURES.picture(shown)
            assert picture.faces or picture.lines, finding
            if profile == "engineering":
                own = MAKERS[finding.check](shown)
                assert own is not None, f"{finding.key} has no picture of its own"
                _check_figures(finding, own)


def _check_figures(finding, picture):
    """What a dimension shows is what was measured, and arrows start where loads do."""
    tones = {"allowed": 0.0, "fault": 0.0}
    for line in picture.lines:
        if line.tone in tones and len(line.points) == 2 and not line.dashed:
            tones[line.tone] += length(line.points)
    if finding.check in ("clear_span", "cantilever", "notching"):
        assert tones["allowed"] == pytest.approx(finding.limit, abs=2e-3)
        assert sum(tones.values()) == pytest.approx(finding.measured, abs=2e-3)
    if finding.check == "spacing":
        assert sum(tones.values()) == pytest.approx(finding.measured, abs=0.03)
    if finding.check == "load_path" and picture.flows:
        arrows = np.concatenate([flow.arrows for flow in picture.flows])
        assert np.linalg.norm(arrows[:, 1] - arrows[:, 0], axis=1).min() > 1e-6
