# SPDX-License-Identifier: GPL-3.0-or-later
"""How steps of an episode are called for people."""

from __future__ import annotations

import pytest
from plumbline.addon.session.labels import doing, spoken


@pytest.mark.parametrize(
    ("label", "words"),
    [
        ("step-03-walls-try-2", ["walls", "try 2"]),
        ("try-01", ["try 1"]),
        ("try-02-floor", ["try 2", "floor"]),
        ("edit-11", ["edit 11"]),
        ("program", ["program"]),
        ("start", ["start"]),
        ("launch", ["launch"]),
        ("07", ["program"]),
        ("", ["program"]),
    ],
)
def test_labels_in_words(label, words):
    assert spoken(label) == words


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("step-03-walls-try-1: drawing the faults", "walls, try 1: drawing the faults"),
        ("plan-try-1: waiting for the model", "plan, try 1: waiting for the model"),
        ("making the target", "making the target"),
        ("reply 3: check", "reply 3: check"),
    ],
)
def test_what_an_agent_does_in_words(said, shown):
    assert doing(said) == shown
