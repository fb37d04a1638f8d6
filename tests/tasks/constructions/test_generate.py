# SPDX-License-Identifier: GPL-3.0-or-later
"""723 problems over the published grids, worded by named dimensions, the same for the same seed."""

from __future__ import annotations

import json
from collections import Counter
from itertools import groupby
from pathlib import Path

import pytest
from plumbline.checks.voxel import arguments
from plumbline.checks.voxel.registry import AREAS, GRADERS
from plumbline.tasks.constructions import (
    CATEGORIES,
    CHECKS_SHA256,
    FILES,
    Problem,
    checks_sha256,
    generate,
    system_prompt,
    vary,
)
from plumbline.tasks.constructions.experiments import table_6, table_7, table_8

GRID = Path(__file__).parents[4] / "shared/data/voxel/grid.json"
PROBLEMS = generate()


def areas(problem: Problem) -> set[str]:
    return {call.fn.split(".")[0] for turn in problem.checks for call in turn}


def test_as_many_as_published() -> None:
    assert len({p.file for p in PROBLEMS}) == 25
    assert len(PROBLEMS) == len({p.id for p in PROBLEMS}) == 723
    assert sum(p.turns for p in PROBLEMS) == 747
    assert Counter(p.turns for p in PROBLEMS) == {1: 708, 2: 12, 5: 3}
    assert all(len(p.prompts) == len(p.checks) for p in PROBLEMS)


def test_as_many_problems_for_each_measure_as_published() -> None:
    count = Counter(area for p in PROBLEMS for area in areas(p))
    assert count == {
        "physical_plausibility": 723,
        "shape": 563,
        "material": 455,
        "size": 369,
        "dependency": 156,
        "efficiency": 112,
        "structural_stability": 21,
    }
    accuracy = {module for module, area in AREAS.items() if area == "accuracy"}
    assert sum(bool(areas(p) & accuracy) for p in PROBLEMS) == 699


def test_all_checks_exist_and_take_their_arguments() -> None:
    calls = [call for p in PROBLEMS for turn in p.checks for call in turn]
    assert len({call.fn for call in calls}) == 34
    for call in calls:
        arguments.read(GRADERS[call.fn].parameters, call.args)


def test_the_checks_are_those_that_were_compared_with_the_published_ones() -> None:
    assert checks_sha256(PROBLEMS) == CHECKS_SHA256
    assert checks_sha256(generate(seed=5)) == CHECKS_SHA256, "a seed changes sentences alone"
    assert checks_sha256(PROBLEMS[1:]) != CHECKS_SHA256


@pytest.mark.skipif(not GRID.is_file(), reason="the published grid lies beside the project")
def test_every_item_is_that_of_the_grid() -> None:
    ours = [
        {
            "file": file,
            "items": [
                {
                    "wordings": len(same),
                    "turns": same[0].turns,
                    "checks": [
                        [{"fn": c.fn} | ({"args": dict(c.args)} if c.args else {}) for c in turn]
                        for turn in same[0].checks
                    ],
                }
                for same in (list(rows) for _, rows in groupby(problems, lambda p: p.item))
            ],
        }
        for file, problems in groupby(PROBLEMS, lambda p: p.file)
    ]
    # As text: 3 and 3.0 are the same number, but not the same file.
    assert json.dumps(ours, sort_keys=True) == json.dumps(
        json.loads(GRID.read_text()), sort_keys=True
    )


def test_the_same_seed_gives_the_same_words() -> None:
    assert generate() == PROBLEMS
    other = generate(seed=1)
    assert other != PROBLEMS
    assert [p.id for p in other] == [p.id for p in PROBLEMS]
    assert generate(seed=1)[0].prompts == other[0].prompts


def test_no_prompt_has_a_field_left_or_is_given_twice() -> None:
    for seed in range(4):
        prompts = [p.prompts for p in generate(seed)]
        assert not [t for texts in prompts for t in texts if "{" in t or "  " in t or not t]
        assert len(set(prompts)) == len(prompts)


def test_problems_of_an_item_differ_in_their_words_alone() -> None:
    for _, rows in groupby(PROBLEMS, lambda p: (p.file, p.item)):
        same = list(rows)
        assert len({tuple(sorted(p.words.items())) for p in same}) == len(same)
        assert len({str(p.checks) for p in same}) == 1


def test_verbs_are_swapped_for_nothing_else() -> None:
    lay, install = PROBLEMS[:2]
    assert (lay.words["verb"], install.words["verb"]) == ("lay", "install")
    assert install.prompts[0].lower().replace("install", "lay") == lay.prompts[0].lower()


def test_sizes_stand_in_the_request() -> None:
    wall = next(p for p in PROBLEMS if p.file == "1-se-2-walls")
    assert wall.parameters == {"width": 5, "thickness": 1, "height": 5}
    in_words = {"rooms", "beds", "columns", "layers"}
    for seed in range(6):
        for p in generate(seed):
            for name, value in p.parameters.items():
                worked_out = name == "side" and p.file.startswith("4-cm-7")  # is what is asked for
                if isinstance(value, int) and name not in in_words and not worked_out:
                    assert str(value) in p.prompts[0], (p.id, name)


def test_revisions_say_the_number_of_each_turn() -> None:
    five = [p for p in PROBLEMS if p.turns == 5]
    words = ("a single", "two separate", "three separate", "four separate", "five separate")
    for problem in five:
        for word, prompt in zip(words, problem.prompts, strict=True):
            assert f"{word} room" in prompt


def test_lines_come_in_every_order() -> None:
    for name in ("4-cm-8.1", "4-cm-8.2"):
        texts = [p.prompts[0] for p in PROBLEMS if p.file.startswith(name)]
        lines = [tuple(x for x in t.splitlines() if x.startswith("- ")) for t in texts]
        assert len(set(lines)) == 24
        assert len({frozenset(order) for order in lines}) == 1
        assert all(len(order) == 4 for order in lines)


def test_every_file_has_its_category() -> None:
    assert len(CATEGORIES) == 16
    assert {(p.category, p.subcategory) for p in PROBLEMS} == set(CATEGORIES.values())
    assert len({p.category for p in PROBLEMS}) == 5


def test_terms_and_cues_are_dimensions() -> None:
    slab = next(p for p in PROBLEMS if "two_layer" in p.file)
    plain = vary(slab, term="plain")
    assert "SOMD" in slab.prompts[0]
    assert "SOMD" not in plain.prompts[0]
    assert "slab on metal deck" in plain.prompts[0]
    assert (plain.checks, plain.id) == (slab.checks, slab.id)
    for cue in ("step_by_step", "order_aware"):
        longer = vary(slab, cue=cue)
        assert longer.prompts[0].startswith(slab.prompts[0])
        assert longer.words["cue"] == cue
        assert vary(longer, cue="none") == slab


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ({"colour": "red"}, "has no dimension 'colour'; it has verb, cue"),
        ({"verb": "lay"}, "verb can't be 'lay'; it may be build, create, construct, erect"),
        ({"term": "trade"}, "has no dimension 'term'"),
    ],
)
def test_other_words_are_refused(words: dict[str, str], told: str) -> None:
    wall = next(p for p in PROBLEMS if p.file == "1-se-2-walls")
    with pytest.raises(ValueError) as caught:
        vary(wall, **words)
    assert told in str(caught.value)


def test_what_was_read_does_not_vary() -> None:
    with pytest.raises(ValueError, match="only generated problems vary"):
        vary(Problem("other", 0, 0, ("Build.",), ((),)), cue="none")


def test_every_file_varies_in_all_its_dimensions() -> None:
    first = {p.file: p for p in PROBLEMS if p.wording == 0 and p.item == 0}
    for file in FILES:
        for name, values in file.axes.items():
            texts = {vary(first[file.name], **{name: v}).prompts for v in values}
            assert len(texts) == len(values), (file.name, name)


def test_the_system_prompt_without_brevity_lacks_one_sentence() -> None:
    short, long = system_prompt(brevity=True), system_prompt(brevity=False)
    assert short.replace("Keep every answer as short as you can. ", "") == long != short


def test_tables_6_to_8_can_be_run_again() -> None:
    cues = table_6()
    assert [(arm.values["cue"], len(arm.problems)) for arm in cues] == [
        *(("none", 64), ("step_by_step", 64), ("order_aware", 64))
    ]
    assert len({str(arm.problems) for arm in cues}) == 3
    words = table_7()
    assert len(words) == 6
    calls = [c for arm in words for p in arm.problems for turn in p.checks for c in turn]
    assert len(calls) == 72
    brevity = table_8()
    assert [len(arm.problems) for arm in brevity] == [25] * 6
    assert [p.id for p in brevity[0].problems] == [p.id for p in brevity[3].problems]
    assert brevity[0].system_prompt != brevity[3].system_prompt
