# SPDX-License-Identifier: GPL-3.0-or-later
"""Ghosts: what is missing, marks on what is extra, arrows to where displaced members belong."""

from __future__ import annotations

import numpy as np
import pytest
from plumbline.addon.palette import PALETTES
from plumbline.addon.pictures.drawing import Subjects
from plumbline.addon.pictures.ghosts import LINES, TONES, ghost_picture, legend
from plumbline.checks.timber.metrics.findings import DIFFERENCES, differences
from plumbline.checks.timber.metrics.topology import topology
from plumbline.checks.timber.structure import TimberStructure
from timber_samples import gable_house

HOUSE = gable_house(160)


def candidate():
    """Two studs gone, a rafter 0.2 m along the ridge, a joist too thin, a post too many."""
    center, half = HOUSE.center.copy(), HOUSE.half.copy()
    center[HOUSE.names.index("Rafter_0003")] += [0.2, 0, 0]
    half[HOUSE.names.index("Joist_0005"), 1] *= 0.7
    keep = [not n.startswith(("Stud_0010", "Stud_0012")) for n in HOUSE.names]
    names = tuple("Post_0001" if n == "Blocking_0001" else n for n in HOUSE.names)
    return TimberStructure(names, HOUSE.explicit_roles, center, HOUSE.axes, half).subset(keep)


BUILT = candidate()
FOUND = differences(topology(HOUSE, BUILT))
SUBJECTS = Subjects(BUILT.names, BUILT.corners, ("",) * len(BUILT))


def kinds(picture):
    return {(f.tone, len(f.solid.points) // 8) for f in picture.faces}


def test_every_kind_is_drawn_in_a_tone_of_its_own():
    here = ghost_picture(FOUND, SUBJECTS)
    missing = sum(f.check == "missing" for f in FOUND)
    assert kinds(here) == {("flow", missing), ("allowed", 1), ("sound", 1), ("related", 1)}
    where, goal = (f.solid.points.mean(axis=0) for f in here.faces if f.tone == "allowed")
    assert sorted(np.abs(goal - where)) == pytest.approx([0, 0, 0.2], abs=1e-6)
    assert all(f.outline == f.tone for f in here.faces)
    arrows = next(line for line in here.lines if line.tone == "allowed")
    way = arrows.points[1] - arrows.points[0]
    assert way == pytest.approx([-0.2, 0, 0], abs=1e-9)
    assert {line.tone for line in here.lines} == {"allowed", "related"}


def test_a_ghost_stands_where_the_target_has_the_member():
    (ghosts,) = [f for f in ghost_picture(FOUND, SUBJECTS).faces if f.tone == "flow"]
    middles = ghosts.solid.points.reshape(-1, 8, 3).mean(axis=1)
    gone = [f.location for f in FOUND if f.check == "missing"]
    assert np.allclose(middles, gone)


def test_of_members_that_have_gone_elsewhere_only_the_place_is_drawn():
    nobody = Subjects((), np.zeros((0, 8, 3)), ())
    here = ghost_picture(FOUND, nobody)
    assert not here.lines
    assert "related" not in {f.tone for f in here.faces}
    assert {"flow", "allowed", "sound"} == {f.tone for f in here.faces}


def test_the_legend_counts_every_difference_once():
    made = legend(FOUND, PALETTES["standard"])
    assert sum(entry.count for entry in made.entries) == len(FOUND)
    assert len({entry.colour for entry in made.entries}) == len(made.entries)
    assert {kind for _, listed in LINES for kind in listed} == set(DIFFERENCES) == set(TONES)
    empty = legend((), PALETTES["standard"], "nothing differs")
    assert empty.entries == () and empty.note == "nothing differs"


def test_nothing_differs_is_an_empty_picture():
    here = ghost_picture((), SUBJECTS)
    assert (here.faces, here.lines, here.flows) == ((), (), ())
