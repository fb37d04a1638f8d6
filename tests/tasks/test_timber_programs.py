# SPDX-License-Identifier: GPL-3.0-or-later
"""Every bundled program, run in Blender and judged: sound houses pass, twins are told as expected.

The programs run here as they run anywhere: a fresh scene, the source as ``__main__``, nothing else.
"""

from __future__ import annotations

import numpy as np
import pytest
from plumbline import tasks
from plumbline.checks.timber import TimberBrief, TimberStructure, judge
from plumbline.checks.timber.roles import resolve

HOUSES = tasks.select(tasks.SMOKE)
TWINS = [(house, twin) for house in HOUSES for twin in house.twins]


def build(program: str) -> TimberStructure:
    """What a program leaves in a fresh scene."""
    import bpy
    from plumbline.addon.scene.members import structure_from_scene

    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    exec(compile(program, "program", "exec"), {"__name__": "__main__"})
    return structure_from_scene()


@pytest.fixture(scope="module")
def structures() -> dict[str, TimberStructure]:
    """Every sound house, built once."""
    return {house.id: build(house.program()) for house in HOUSES}


@pytest.fixture(params=HOUSES, ids=lambda house: house.id)
def house(request: pytest.FixtureRequest) -> tasks.Task:
    return request.param


def test_size(house: tasks.Task, structures) -> None:
    assert 60 <= len(structures[house.id]) <= 800
    assert len(house.program().splitlines()) <= 260


def test_reading_is_exact(house: tasks.Task, structures) -> None:
    structure = structures[house.id]
    assert structure.notes == ()
    assert not structure.skipped
    assert not structure.findings
    assert not any("." in name for name in structure.names), "every member has a name of its own"


def test_names_resolve_the_same_in_both_conventions(house: tasks.Task, structures) -> None:
    engineering = resolve(structures[house.id], "engineering")
    paper = resolve(structures[house.id], "paper")
    assert None not in engineering.role
    assert engineering.role == paper.role


def test_footprint_is_what_the_task_says(house: tasks.Task, structures) -> None:
    low, high = structures[house.id].aabb
    roles = resolve(structures[house.id])
    walls = roles.mask("TopPlate", "BottomPlate", "RimJoist", "Beam")
    size = (high[walls].max(axis=0) - low[walls].min(axis=0))[:2]
    wanted = [house.constraints["footprint_x"], house.constraints["footprint_y"]]
    np.testing.assert_allclose(size, wanted, atol=0.005)


def test_pitch_is_what_the_task_says(house: tasks.Task, structures) -> None:
    structure = structures[house.id]
    rafters = resolve(structure).mask("Rafter")
    rise = np.abs(structure.axes[rafters, 0, 2])
    np.testing.assert_allclose(
        np.degrees(np.arcsin(rise)), house.constraints["roof_pitch"], atol=0.1
    )


@pytest.mark.parametrize("profile", ["engineering", "paper"])
def test_sound_house_passes(house: tasks.Task, structures, profile: str) -> None:
    brief = TimberBrief.from_mapping(house.brief)
    judgement = judge(structures[house.id], brief, profile)
    told = [f"{finding.key}: {finding.message}" for finding in judgement.findings]
    assert told == []
    assert judgement.verdict == "passed"
    undecided = [c.id for c in judgement.checks if c.status in ("not_run", "inconclusive")]
    assert undecided == []


def test_program_is_deterministic(house: tasks.Task, structures) -> None:
    again, first = build(house.program()), structures[house.id]
    assert again.names == first.names
    np.testing.assert_array_equal(again.corners, first.corners)


@pytest.mark.once
@pytest.mark.parametrize(
    ("house", "twin"), TWINS, ids=[f"{house.id}:{twin.id}" for house, twin in TWINS]
)
def test_twin_is_told_as_expected(house: tasks.Task, twin: tasks.Twin) -> None:
    judgement = judge(build(twin.program()), TimberBrief.from_mapping(house.brief))
    assert twin.expectation.differences(judgement.findings, judgement.verdict) == []


def turned(degrees: float) -> np.ndarray:
    """Rotation about the vertical."""
    a = np.radians(degrees)
    return np.array([[np.cos(a), -np.sin(a), 0.0], [np.sin(a), np.cos(a), 0.0], [0.0, 0.0, 1.0]])


WAYS = {
    "turned by 30 degrees": (turned(30), (0, 0, 0)),
    "turned by 90 degrees": (turned(90), (0, 0, 0)),
    "mirrored": (np.diag([1.0, -1.0, 1.0]), (0, 0, 0)),
    "half a kilometre away": (turned(45), (400, -300, 0)),
}


@pytest.mark.once
@pytest.mark.parametrize("way", WAYS)
def test_where_a_house_stands_does_not_matter(house: tasks.Task, structures, way: str) -> None:
    turn, shift = WAYS[way]
    sound = structures[house.id]
    moved = TimberStructure.from_boxes(
        sound.names,
        (sound.center @ turn.T + shift).astype(np.float32),
        (sound.axes @ turn.T).astype(np.float32),
        2 * sound.half,
    )
    shuffled = moved.subset(np.random.default_rng(7).permutation(len(moved)))
    judgement = judge(shuffled, TimberBrief.from_mapping(house.brief))
    assert [finding.message for finding in judgement.findings] == []
    assert judgement.verdict == "passed"


def test_every_check_has_a_twin() -> None:
    """The checks that a single defect can fail first are each failed first by some twin."""
    roots = {twin.expectation.root.check for _, twin in TWINS}
    assert roots >= {
        "completeness",
        "load_path",
        "bearing",
        "clear_span",
        "spacing",
        "section",
        "orientation",
        "clash",
        "notching",
        "dual_end_connection",
        "opening_header",
        "point_load",
        "cantilever",
    }
