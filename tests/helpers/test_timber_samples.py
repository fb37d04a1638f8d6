# SPDX-License-Identifier: GPL-3.0-or-later
"""The sample houses are what they say."""

import numpy as np
import pytest
import timber_samples


@pytest.mark.parametrize("members", [140, 333, 673, 1548, 4000])
def test_exact_number_of_members(members):
    house = timber_samples.gable_house(members)
    assert len(house) == len(set(house.names)) == members


def test_too_small_a_house_is_refused():
    with pytest.raises(ValueError, match="at least"):
        timber_samples.gable_house(20)


def test_submission_says_the_same_three_times():
    house = timber_samples.gable_house(140)
    for k, member in enumerate(timber_samples.as_submission(house)["members"]):
        corners = np.array(member["bbox_world_corners"])
        matrix = np.array(member["matrix_world"])
        local = (corners - matrix[:3, 3]) @ matrix[:3, :3]
        assert np.ptp(local, axis=0) == pytest.approx(member["dimensions"], abs=1e-9)
        assert corners.mean(axis=0) == pytest.approx(house.center[k], abs=1e-9)
