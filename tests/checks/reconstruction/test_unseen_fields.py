# SPDX-License-Identifier: GPL-3.0-or-later
"""Force fields that nobody sees are no admitted mover of what feels them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from falling_bodies import ball, fallen, recorded
from plumbline.checks.reconstruction import ForceField, ReconstructionBrief
from plumbline.checks.reconstruction.probes import PROBES


@pytest.mark.parametrize(
    ("values", "status"),
    [
        ({}, "failed"),
        ({"visible": True}, "passed"),
        ({"strength": 0.0}, "passed"),
        ({"bodies": ("another",)}, "passed"),
        ({"bodies": ("ball",)}, "failed"),
    ],
)
def test_a_field_that_is_hidden(values, status):
    made = recorded((ball("ball"), fallen((0, 0, 3))), (ball("another"), (5, 0, 0)))
    given = {"name": "push", "kind": "FORCE", "strength": 9.0, "visible": False, **values}
    made = replace(made, fields=(ForceField(**given),))
    brief = ReconstructionBrief.from_mapping({"core": ["ball"]})
    told = PROBES["prescribed_motion"](made, brief, brief.limits)
    assert told.status == status
    if status == "failed":
        assert "a force field that nobody sees (push)" in told.findings[0].message
        open_brief = ReconstructionBrief.from_mapping(
            {"core": ["ball"], "admitted": {"ball": ["force_field"]}}
        )
        assert PROBES["prescribed_motion"](made, open_brief, brief.limits).status == "passed"
