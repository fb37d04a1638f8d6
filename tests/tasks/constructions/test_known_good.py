# SPDX-License-Identifier: GPL-3.0-or-later
"""Every problem can be solved: what is known to be good passes all its checks, and only its own."""

from __future__ import annotations

from collections import Counter

import pytest
from plumbline.checks.voxel import VoxelBrief, VoxelStructure, judge
from plumbline.checks.voxel.stress.references import REFERENCES
from plumbline.checks.voxel.structure import merge
from plumbline.tasks.constructions import Problem, generate, read_file
from plumbline.tasks.constructions.known_good import solve

ITEMS = [p for p in generate() if p.wording == 0]
STRESS = "structural_stability.stress_score"  # its layouts have tests of their own
BELLY = "shape.is_bottom_surface_concave"


def stands(problem: Problem) -> list[VoxelStructure]:
    """The blocks after each turn."""
    found: list[VoxelStructure] = []
    for actions in solve(problem):
        found.append(merge(found[-1] if found else None, actions))
    return found


def failures(problem: Problem, blocks: VoxelStructure, turn: int, profile: str) -> set[str]:
    calls = tuple(call for call in problem.checks[turn] if call.fn != STRESS)
    checks = judge(blocks, VoxelBrief((calls,)), profile).checks
    return {check.id for check in checks if check.status != "passed" or (check.score or 0) < 1}


@pytest.mark.parametrize("file", sorted({p.file for p in ITEMS}))
def test_every_item_is_solved_in_every_turn(file: str) -> None:
    for problem in (p for p in ITEMS if p.file == file):
        turns = stands(problem)
        assert len(turns) == problem.turns
        for turn, blocks in enumerate(turns):
            assert not failures(problem, blocks, turn, "paper"), problem.id
            # The public graders want arches with a belly.
            unlike = {BELLY} if "arched" in file else set()
            assert failures(problem, blocks, turn, "code") == unlike, problem.id


def test_one_item_does_not_solve_another() -> None:
    """The checks tell the sizes apart: a wall of another place in the grid fails."""
    walls = [p for p in ITEMS if p.file == "1-se-2-walls"]
    for mine in walls:
        solved = [p.item for p in walls if not failures(p, stands(mine)[0], 0, "paper")]
        assert solved == [mine.item]


def test_stressed_layouts_are_those_of_the_references() -> None:
    stressed = [p for p in ITEMS if STRESS in {call.fn for call in p.checks[0]}]
    assert len(stressed) == 7
    for problem in stressed:
        (wanted,) = (c.args["von_mises_stress"] for c in problem.checks[0] if c.fn == STRESS)
        cells = set(stands(problem)[0].index)
        layouts = [r for r in REFERENCES.values() if set(r.cells) == cells]
        assert [layout.published for layout in layouts] == [wanted]


def test_revisions_change_what_stands_and_no_more() -> None:
    (five,) = (p for p in ITEMS if p.turns == 5)
    first, second, *_ = solve(five)
    kinds = Counter(action.kind for action in second)
    assert kinds["place"] > 20
    kept = len(stands(five)[0]) - kinds["remove"]
    assert kept > len(first) / 2


def test_ceilings_have_three_heights() -> None:
    for problem in (p for p in ITEMS if p.file.startswith("3-ae-6.2") and p.item < 5):
        blocks = stands(problem)[0]
        inside = [cell for cell in blocks.index if cell[1] > 3 and 1 <= cell[2] <= 4]
        lowest: dict[int, int] = {}
        for x, y, _ in inside:
            lowest[x] = min(y, lowest.get(x, y))
        assert len(set(lowest.values())) >= 3


def test_a_problem_of_another_file_has_no_solution(tmp_path) -> None:
    file = tmp_path / "mine.json"
    file.write_text('[{"prompts": [["Build."]], "checks": [[]]}]')
    (problem,) = read_file(file).problems
    with pytest.raises(KeyError):
        solve(problem)
