# SPDX-License-Identifier: GPL-3.0-or-later
"""The registry of probes: who is offered for what, and what their values may be."""

from __future__ import annotations

import numpy as np
import pytest
from plumbline.addon.simulation import probes
from plumbline.addon.simulation.probes import Outcome, Parameter, Probe, Trajectory


def nothing(_stage, _values):
    yield 1, 1
    return Outcome("Nothing.")


HEIGHT = Parameter("height", "Height", "m", 1.0, 0.5, 2.0, "From how high")


@pytest.fixture
def mine():
    """A probe of two kinds, registered."""
    probe = Probe("test_mine", "Mine", "Asks nothing", ("timber", "voxel"), nothing, (HEIGHT,))
    probes.register(probe)
    yield probe
    probes.unregister(probe.id)


def test_a_probe_is_offered_to_its_kinds_only(mine):
    assert mine in probes.probes_for("timber") and mine in probes.probes_for("voxel")
    assert mine not in probes.probes_for("assembly")
    assert probes.find("test_mine") is mine and mine in probes.every()
    probes.unregister("test_mine")
    assert probes.find("test_mine") is None and mine not in probes.probes_for("timber")
    probes.unregister("test_mine")


def test_two_probes_of_one_id_are_refused(mine):
    with pytest.raises(ValueError, match="'test_mine' already"):
        probes.register(mine)


def test_who_listens_hears_of_each(mine):
    heard = []
    listener = lambda: heard.append(len(probes.every()))  # noqa: E731
    probes.listeners.append(listener)
    try:
        before = len(probes.every())
        probes.unregister("test_mine")
        probes.register(mine)
    finally:
        probes.listeners.remove(listener)
    assert heard == [before - 1, before]


@pytest.mark.parametrize(
    ("given", "taken"), [(1.5, 1.5), (9.0, 2.0), (-1.0, 0.5), (float("nan"), 1.0)]
)
def test_values_stay_within_their_ends(mine, given, taken):
    assert mine.values({"height": given, "other": 3.0}) == {"height": taken}
    assert mine.values({}) == {"height": 1.0}


def test_a_motion_needs_a_matrix_for_each_body_and_frame():
    Trajectory(("a", "b"), np.zeros((3, 2, 4, 4), np.float32), 24.0)
    with pytest.raises(ValueError, match="2 bodies need"):
        Trajectory(("a", "b"), np.zeros((3, 1, 4, 4), np.float32), 24.0)
