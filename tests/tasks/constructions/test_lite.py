# SPDX-License-Identifier: GPL-3.0-or-later
"""A small run takes one problem from each file, as the published notebook does."""

from __future__ import annotations

import random

from plumbline.tasks.constructions import LITE_SEEDS, generate, lite

PROBLEMS = generate()


def test_one_of_each_file_in_a_shuffled_order() -> None:
    for seed in LITE_SEEDS:
        taken = lite(PROBLEMS, seed)
        assert len(taken) == 25
        assert len({p.file for p in taken}) == 25
        assert [p.file for p in taken] != sorted(p.file for p in taken)
        assert lite(PROBLEMS, seed) == taken
    assert lite(PROBLEMS, 42) != lite(PROBLEMS, 43)


def test_drawn_as_published() -> None:
    """The same written out: one generator over the sorted files, a second one for the order."""
    sizes: dict[str, int] = {}
    for problem in PROBLEMS:
        sizes[problem.file + ".json"] = sizes.get(problem.file + ".json", 0) + 1
    draw = random.Random(42)
    wanted = [(name, draw.choice(range(sizes[name]))) for name in sorted(sizes)]
    random.Random(7).shuffle(wanted)
    place: dict[str, list[str]] = {}
    for problem in PROBLEMS:
        place.setdefault(problem.file + ".json", []).append(problem.id)
    taken = lite(PROBLEMS, seed=42, shuffle_seed=7)
    assert [p.id for p in taken] == [place[name][at] for name, at in wanted]


def test_arches_under_stress_come_before_other_arches() -> None:
    """File names sort with ``.json`` behind them, where a hyphen comes before a full stop."""
    names = [p.file for p in generate()]
    assert names.index("5-ce-2-arched_bridges-stress") < names.index("5-ce-2-arched_bridges")
    assert sorted(set(names), key=lambda n: n + ".json") == list(dict.fromkeys(names))


def test_other_seeds_of_order_take_the_same_problems() -> None:
    first, second = lite(PROBLEMS, 42, 1), lite(PROBLEMS, 42, 2)
    assert first != second
    assert {p.id for p in first} == {p.id for p in second}


def test_any_set_of_files_will_do() -> None:
    some = [p for p in PROBLEMS if p.file.startswith("1-se")]
    assert len(lite(some, 1)) == 7
