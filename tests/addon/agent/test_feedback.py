# SPDX-License-Identifier: GPL-3.0-or-later
"""What a model is told: the worst first, within its limit, with nothing lost unsaid."""

import numpy as np
import pytest
from plumbline.addon.agent.bench import Execution, Problem
from plumbline.addon.agent.feedback import (
    acceptable,
    findings_text,
    program_text,
    record_of,
    side_by_side,
)
from plumbline.addon.scene.pixels import png_bytes, read_png
from plumbline.checks.result import CheckResult, Finding, Judgement


def judgement(*checks, notes=()):
    return Judgement("timber", "engineering", checks, notes=notes)


def clash(n, **values):
    return Finding("clash", f"Stud_{n}", f"Stud_{n} overlaps.", margin=-0.01 * n, **values)


FLOATING = Finding(
    "load_path",
    "TopPlate_1",
    "TopPlate_1 floats 40 mm above Stud_1: lower it by 40 mm.",
    related=("Stud_1", "Stud_2", "Stud_3", "Stud_4", "Stud_5", "Stud_6"),
    measured=0.04,
    limit=0.005,
    unit="m",
    margin=-0.035,
    location=(1.5, 0.0449, 2.2),
    clause="IRC R301.1",
)
HANGS = [
    Finding("load_path", f"Rafter_{n}", "It hangs.", follows="load_path:TopPlate_1")
    for n in range(3)
]


def test_a_finding_has_figures_place_neighbours_clause_and_consequences():
    text = findings_text(
        judgement(
            CheckResult("load_path", "failed", (FLOATING, *HANGS)),
            CheckResult("clash", "passed"),
            CheckResult("bearing", "not_applicable", reason="x"),
        )
    )
    assert text == (
        "1 of 2 checks failed (load_path): 1 fault, 3 more follow from it. The worst first:\n"
        "1. [load_path] TopPlate_1 floats 40 mm above Stud_1: lower it by 40 mm. (measured 40 mm; "
        "limit 5 mm; at 1.50, 0.04, 2.20; with Stud_1, Stud_2, Stud_3, Stud_4 and 2 more; "
        "IRC R301.1) 3 more follow from it: Rafter_0, Rafter_1, Rafter_2."
    )


def test_what_carries_most_comes_first_then_what_is_furthest_off():
    text = findings_text(
        judgement(
            CheckResult("clash", "failed", (clash(1), clash(3), clash(2))),
            CheckResult("load_path", "failed", (FLOATING, *HANGS)),
        )
    )
    starts = [line.split("]")[1].split()[0] for line in text.splitlines()[1:]]
    assert starts == ["TopPlate_1", "Stud_3", "Stud_2", "Stud_1"]


def test_what_does_not_fit_is_counted_and_no_check_is_hidden():
    many = tuple(clash(n) for n in range(300))
    lone = Finding("section", "Stud_5", "Stud_5 is 45 mm wide.", margin=0.0)
    failed = judgement(
        CheckResult("clash", "failed", many), CheckResult("section", "failed", (lone,))
    )
    text = findings_text(failed, tokens=200)
    assert len(text) < 200 * 4 + 120
    assert "[section] Stud_5" in text
    shown = sum("[clash]" in line for line in text.splitlines())
    assert text.endswith(
        f"Left out to keep this short: {300 - shown} faults ({300 - shown} of clash)."
    )
    assert "300" not in findings_text(failed, tokens=100_000).splitlines()[-1]


def test_one_fault_is_told_however_long_it_is():
    long = Finding("clash", "A", "word " * 500)
    assert "[clash] word" in findings_text(judgement(CheckResult("clash", "failed", (long,))), 10)


def test_what_is_missing_or_undecided_is_said():
    text = findings_text(
        judgement(
            CheckResult("load_path", "vacuous", reason="Nothing to check: no members."),
            CheckResult("clash", "not_run", reason="too many members on one heap."),
            CheckResult("cantilever", "vacuous", reason="none", required=False),
        )
    )
    assert "- [load_path] can't pass: what it is about must be there. Nothing to check" in text
    assert "- [clash] could not be judged: too many members on one heap." in text
    assert "cantilever" not in text


def test_names_and_notes_can_not_break_the_list():
    odd = Finding("clash", "A\n2. [clash] B", "It is\n\nbroken.")
    text = findings_text(judgement(CheckResult("clash", "failed", (odd,)), notes=("one\ntwo",)))
    assert len(text.splitlines()) == 3 and text.endswith("Note: one two")


@pytest.mark.parametrize(
    ("statuses", "expected"),
    [
        (("passed", "passed"), True),
        (("passed", "failed"), False),
        (("passed", "not_run"), True),
        (("not_run", "not_run"), False),
        (("passed", "vacuous"), False),
    ],
)
def test_when_nothing_is_left_to_mend(statuses, expected):
    checks = [CheckResult(f"c{i}", status, reason="r") for i, status in enumerate(statuses)]
    assert acceptable(judgement(*checks)) is expected


# --- Programs -------------------------------------------------------------------------------------


def test_a_program_that_ran_leaves_nothing_to_say():
    assert program_text(Execution("finished", "process", structure={})) == ""


@pytest.mark.parametrize(
    ("execution", "words"),
    [
        (
            Execution("timeout", "process", message="it ran for 60 s."),
            "was ended. it ran for 60 s.",
        ),
        (Execution("memory", "process"), "too much memory"),
        (Execution("crashed", "process", message="signal 11"), "Blender down. signal 11."),
        (
            Execution("finished", "process", unreadable="it is empty."),
            "can't be read: it is empty.",
        ),
        (Execution("finished", "process"), "nobody knows why"),
    ],
)
def test_each_ending_has_its_words(execution, words):
    assert words in program_text(execution)


def test_many_problems_are_cut_and_counted():
    problems = tuple(Problem(n, 1, "import", f"fault {n}") for n in range(1, 31))
    text = program_text(Execution("refused", "process", problems=problems))
    assert "- line 12: fault 12" in text and "fault 13" not in text and "18 more" in text


def test_of_a_flood_only_the_end_is_told():
    text = program_text(Execution("raised", "process", output="a" * 10**6 + "end"))
    assert text.endswith("aend\n```") and "…a" in text and len(text) < 2000


# --- Pictures -------------------------------------------------------------------------------------


def test_target_and_own_stand_side_by_side_on_white():
    red = np.zeros((8, 6, 4), np.float32)
    red[..., 0] = red[..., 3] = 1.0
    clear = np.zeros((8, 6, 4), np.float32)
    [picture] = side_by_side({"front": png_bytes(red)}, {"front": png_bytes(clear)}, ["front"])
    pixels = read_png(picture.data)
    assert pixels.shape[:2] == (8, 6 + 4 + 6) and picture.name.startswith("front: target left")
    assert tuple(pixels[0, 0, :3]) == (255, 0, 0)
    assert tuple(pixels[0, 7, :3]) == (0, 0, 0)
    assert tuple(pixels[0, -1, :3]) == (255, 255, 255)


def test_a_judgement_is_told_from_the_record_that_everybody_reads():
    record = record_of(judgement(CheckResult("load_path", "failed", (FLOATING,))))
    assert record["checks"][0]["findings"][0]["subject"] == "TopPlate_1"
    assert record["verdict"] == "failed"
