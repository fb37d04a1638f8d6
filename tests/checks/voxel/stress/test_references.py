# SPDX-License-Identifier: GPL-3.0-or-later
"""The layouts behind the published references."""

import math
import sys

import pytest
from plumbline.checks.voxel.stress import sph
from plumbline.checks.voxel.stress.references import (
    FLAT_BRIDGE,
    REFERENCES,
    own,
    published,
)


def test_layout_gives_its_published_reference_rounded_up():
    """A two-layer roof stands in test_sph, the other five in the benchmarks."""
    layout = REFERENCES["arch_3_3"]
    assert math.ceil(sph.solve(layout.structure()).von_mises.max()) == layout.published


def test_layouts_have_the_blocks_that_their_tasks_count():
    counts = {name: len(r.structure()) for name, r in REFERENCES.items() if not r.is_arch}
    assert counts == {"roof_1_5": 140, "roof_1_4": 132, "roof_2_5": 240, "roof_2_4": 232}
    assert len(REFERENCES["arch_2_2"].structure()) == 30


def test_arches_may_stand_against_the_flat_bridge_of_the_paper():
    assert published("arch_2_2") == published("arch_2_2", "paper") == 3887
    assert published("arch_2_2", "flat_bridge") == FLAT_BRIDGE
    assert published("roof_1_5", "flat_bridge") == 62e6
    with pytest.raises(KeyError):
        published("dome")


def test_arch_of_figure_3_beats_its_flat_bridge_by_finite_elements_too():
    assert own("bridge_arch") < own("flat_bridge")


def test_own_references_order_roofs_as_statics_does():
    """Kilopascals, not the megapascals of the artefact; a fifth column helps, as it must."""
    stress = {name: own(name) for name in REFERENCES}
    assert all(5e4 < value < 1e6 for value in stress.values())
    assert stress["roof_1_5"] < stress["roof_1_4"]
    assert stress["roof_2_5"] < stress["roof_2_4"]


def test_own_reference_needs_no_scipy(monkeypatch):
    usual = own("arch_2_2")
    monkeypatch.setitem(sys.modules, "scipy", None)
    monkeypatch.setitem(sys.modules, "scipy.sparse", None)
    assert own.__wrapped__("arch_2_2") == pytest.approx(usual, rel=1e-6)
