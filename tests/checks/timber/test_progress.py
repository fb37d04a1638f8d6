# SPDX-License-Identifier: GPL-3.0-or-later
"""Judging tells which check begins, and whoever is told can end it."""

from __future__ import annotations

import pytest
import timber_samples
from plumbline.checks.timber.profiles import PROFILES, judge


@pytest.mark.parametrize("profile", PROFILES)
def test_every_check_is_told_once_before_it_begins(profile):
    told = []
    structure = timber_samples.gable_house(200)
    judgement = judge(structure, None, profile, progress=lambda *step: told.append(step))
    named = [name for name, _, _ in told if name]
    assert sorted(named) == sorted(c.id for c in judgement.checks)
    assert [done for _, done, _ in told] == list(range(len(told)))
    assert {total for _, _, total in told} == {len(told)}


@pytest.mark.parametrize("profile", PROFILES)
def test_what_is_raised_ends_the_judging(profile):
    def stop(name, done, total):
        if done == 3:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        judge(timber_samples.gable_house(200), None, profile, progress=stop)
