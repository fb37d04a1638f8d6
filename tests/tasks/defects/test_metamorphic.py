# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes that must not matter: what they do to a structure, and that it is judged the same."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from plumbline.checks.result import Finding
from plumbline.checks.timber import judge
from plumbline.checks.timber.roles import resolve
from plumbline.tasks.defects.metamorphic import VARIANTS, differences
from plumbline.tasks.houses.generate import generate


@pytest.fixture(scope="module")
def house():
    return generate("Shotgun", 3)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_sound_house_stays_sound(house, variant: str) -> None:
    changed = VARIANTS[variant].apply(house.structure, Random(variant))
    judgement = judge(changed.structure, house.brief)
    assert [f.message for f in judgement.findings] == []
    assert judgement.verdict == "passed"


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_changes_and_what_stays(house, variant: str) -> None:
    old = house.structure
    changed = VARIANTS[variant].apply(old, Random(variant))
    new = changed.structure
    again = VARIANTS[variant].apply(old, Random(variant)).structure
    np.testing.assert_array_equal(again.corners, new.corners)
    assert sorted(map(str, resolve(new).role)) == sorted(map(str, resolve(old).role))
    # Every box is where the turn and the shift say, whatever its axes and its name are.
    places = old.corners.mean(axis=1) @ changed.turn.T + changed.shift
    for axis in range(3):
        np.testing.assert_allclose(
            np.sort(new.center[:, axis]), np.sort(places[:, axis]), atol=1e-5
        )
    volumes = np.sort(new.half.prod(axis=1))
    np.testing.assert_allclose(volumes, np.sort(old.half.prod(axis=1)), rtol=1e-4)
    differs = new.names != old.names or not np.array_equal(new.center, old.center)
    assert differs or variant == "other_axes"


def test_findings_are_compared_where_they_are_now(house) -> None:
    changed = VARIANTS["translated"].apply(house.structure, Random(1))
    spot = np.array([1.0, 2.0, 3.0])
    before = Finding("clash", "A", "", location=(1.0, 2.0, 3.0))
    there = tuple(map(float, spot + changed.shift))
    after = Finding("clash", "B", "", location=there)
    assert differences([before], [after], changed) == ((), ())
    other = Finding("bearing", "B", "", location=there)
    assert differences([before], [other], changed) == ((before,), (other,))
    assert differences([before], [before], changed) == ((before,), (before,))
