# SPDX-License-Identifier: GPL-3.0-or-later
"""The known-good programs place just what the known-good solutions do, in the same order."""

from __future__ import annotations

import pytest
from plumbline import tasks
from plumbline.addon.scene.block_api import block_names
from plumbline.addon.scene.block_log import BlockLog, Cell
from plumbline.checks.voxel import Action, VoxelBrief, judge
from plumbline.tasks.constructions import generate
from plumbline.tasks.constructions.known_good import solve
from plumbline.tasks.constructions.program import calls
from plumbline.tasks.constructions.tasks import bundled_task

#: Layouts under stress have tests of their own; it is the slowest check by far.
STRESS = "structural_stability.stress_score"
BELLY = "shape.is_bottom_surface_concave"
PROBLEMS = generate()
FILES = sorted({problem.file for problem in PROBLEMS})


class Recorder(BlockLog):
    """The log that programs write to, which also keeps every call in order."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[list[Action]] = [[]]

    def place(self, cell: Cell, material: str) -> None:
        super().place(cell, material)
        self.calls[-1].append(Action("place", *cell, material))

    def remove(self, cell: Cell) -> bool:
        self.calls[-1].append(Action("remove", *cell))
        return super().remove(cell)

    def next_turn(self) -> None:
        super().next_turn()
        self.calls.append([])


def run(program: str) -> Recorder:
    log = Recorder()
    exec(compile(program, "program", "exec"), block_names(log))
    return log


def code(program: str) -> list[str]:
    """The lines that do something."""
    return [line for line in program.splitlines() if line and not line.startswith("#")]


@pytest.mark.parametrize("file", FILES)
def test_programs_place_what_the_solutions_do_and_pass(file: str) -> None:
    code_of_item: dict[int, list[str]] = {}
    for problem in (p for p in PROBLEMS if p.file == file):
        program = bundled_task(problem).program()
        assert all(word in program for word in problem.prompts[0].split())
        if problem.wording:  # the same construction, asked for in other words
            assert code(program) == code_of_item[problem.item]
            continue
        code_of_item[problem.item] = code(program)
        log = run(program)
        assert tuple(map(tuple, log.calls)) == solve(problem), problem.id
        structure = log.rows().structure()
        turns = tuple(tuple(c for c in turn if c.fn != STRESS) for turn in problem.checks)
        for profile in ("paper", "code"):
            checks = judge(structure, VoxelBrief(turns), profile).checks
            wrong = {c.id for c in checks if c.status != "passed" or (c.score or 0) < 1}
            # The public graders want arches with a belly.
            unlike = {BELLY} if "arched" in file and profile == "code" else set()
            assert wrong == unlike, (problem.id, profile)


def test_programs_are_read_easily() -> None:
    """Rows and boxes are one call each; what is asked stands above them."""
    program = tasks.load_task("voxel/2-bt-3-multi_beds-01-02").program()
    assert program.splitlines()[0].startswith("# x and z are horizontal")
    assert 'fill(0, 0, 1, 0, 3, 4, "oak_planks")' in program
    cube = tasks.load_task("voxel/4-cm-7-resource-optimization-02-01").program()
    assert code(cube) == ['hollow_box(0, 0, 0, 4, 4, 4, "oak_planks")']
    assert max(map(len, program.splitlines())) < 100
    first = [p for p in PROBLEMS if p.item == p.wording == 0]
    lengths = [len(code(bundled_task(p).program())) for p in first]
    assert sum(lengths) < 0.15 * sum(len(actions) for p in first for actions in solve(p))


def test_a_turn_begins_where_the_task_says_so() -> None:
    task = tasks.load_task("voxel/4-cm-9-multi(5)-turn-revision-01-01")
    program = task.program()
    assert program.count("next_turn()") == 4 == len(task.prompts) - 1
    parts = program.split("next_turn()")
    for number, (part, prompt) in enumerate(zip(parts, task.prompts, strict=True), 1):
        assert f"# Turn {number}: {prompt[:40]}" in part
    shrunk = tasks.load_task("voxel/4-cm-9-multi(2)-turn-revision-04-01").program()
    assert "remove_block(" in shrunk.partition("next_turn()")[2]


def test_rows_boxes_and_single_blocks() -> None:
    def place(*cells: Cell, material: str = "stone") -> list[Action]:
        return [Action("place", *cell, material) for cell in cells]

    row = place((3, 0, 0), (2, 0, 0), (1, 0, 0))
    assert list(calls(row)) == ['line(3, 0, 0, 1, 0, 0, "stone")']
    box = place(*((x, y, z) for x in (0, 1) for z in (5, 4) for y in (0, 1, 2)))
    assert list(calls(box)) == ['fill(0, 0, 5, 1, 2, 4, "stone")']
    shell = place(
        *(
            (x, y, z)
            for x in (3, 2, 1)
            for z in (0, 1, 2, 3)
            for y in (0, 1, 2)
            if x != 2 or z in (0, 3) or y != 1
        )
    )
    assert list(calls(shell)) == ['hollow_box(3, 0, 0, 1, 2, 3, "stone")']
    assert len(list(calls(shell[:-1]))) > 1
    apart = place((0, 0, 0), (1, 0, 0), (1, 0, 1))
    assert [call[:11] for call in calls(apart)] == ["place_block"] * 3
    layer = place(*((x, 0, z) for z in (0, 1) for x in (0, 1, 2)))  # x fastest is no fill
    assert [call[:4] for call in calls(layer)] == ["line", "line"]
    mixed = [*place((0, 0, 0)), *place((1, 0, 0), material="dirt"), Action("remove", 0, 0, 0)]
    assert list(calls(mixed)) == [
        'place_block(0, 0, 0, "stone")',
        'place_block(1, 0, 0, "dirt")',
        "remove_block(0, 0, 0)",
    ]
    for actions in (row, box, shell, shell[:-1], apart, layer):
        assert run("\n".join(calls(actions))).calls == [actions]
