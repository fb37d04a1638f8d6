# SPDX-License-Identifier: GPL-3.0-or-later
"""What pictures cost beside the judging that they explain, 5,000 members.

Figures of interest: getting ready for pictures is a few per cent of judging (it uses what judging
found out), and the way of one load takes less than 5 ms.
"""

from __future__ import annotations

import itertools
import sys
from pathlib import Path

import pytest
from plumbline.addon.pictures.timber.book import PICTURES
from plumbline.checks.timber import judge

sys.path.insert(0, str(Path(__file__).parents[1] / "helpers"))
import timber_samples

pytestmark = pytest.mark.benchmark


@pytest.fixture(scope="module")
def house():
    return timber_samples.gable_house(5000)


@pytest.fixture(scope="module")
def judgement(house):
    return judge(house)


@pytest.mark.benchmark(group="pictures, 5000 members")
def test_judging(benchmark, house):
    result = benchmark.pedantic(judge, (house,), rounds=3)
    assert any(check.measures for check in result.checks)


@pytest.mark.benchmark(group="pictures, 5000 members")
def test_getting_ready(benchmark, house, judgement):
    explained = benchmark(PICTURES.explain, house, None, judgement)
    assert explained is not None


@pytest.mark.benchmark(group="pictures, 5000 members")
def test_the_way_of_one_load(benchmark, house, judgement):
    """Another member each time: a way that was asked for is kept."""
    explained, subjects = PICTURES.explain(house, None, judgement), PICTURES.subjects(house)
    names = itertools.cycle(house.names[::11])
    picture = benchmark.pedantic(
        lambda: PICTURES.path(explained, subjects, next(names)), rounds=len(house.names[::11])
    )
    assert picture is not None and picture.flows
