# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables of voxel runs against records of which every figure is worked out by hand.

The published spot check (286 of 723 and so on) can't be repeated: the records behind it are not
public. What can be is that a run of all problems has the published denominators.
"""

import io
import json

import pytest
from plumbline.addon.runs import construction_published as published
from plumbline.addon.runs import report_command
from plumbline.addon.runs.cli import _parser
from plumbline.addon.runs.console import Console, Style
from plumbline.addon.runs.construction_page import section
from plumbline.addon.runs.construction_records import attempts, catalogue, told
from plumbline.addon.runs.construction_tables import Recorded, tables_of
from plumbline.addon.runs.construction_text import closing, lines
from plumbline.addon.runs.records import Result
from plumbline.addon.runs.runfolder import RunWriter
from plumbline.checks.result import CheckResult, Judgement
from plumbline.tasks.constructions import LITE_SEEDS, lite, vary
from plumbline.tasks.constructions.experiments import table_6, table_7


def generate():
    return tuple(catalogue().values())


def problem(start):
    return next(p for p in generate() if p.id.startswith(start))


def plain(one):
    return {
        "file": one.file,
        "item": one.item + 1,
        "wording": one.wording + 1,
        "words": dict(one.words),
        "checks": [[call.fn for call in turn] for turn in one.checks],
    }


def record(one, value=1.0, agent="a", model="m", epoch=1, kept=True, **fields):
    """A record of a problem; ``value``: one for all checks, or by (turn, fn) or fn."""
    checks = []
    several = len(one.checks) > 1
    for number, turn in enumerate(one.checks, 1):
        for call in turn:
            score = value
            if isinstance(value, dict):
                score = value.get((number, call.fn), value.get(call.fn, 1.0))
            status = "not_run" if score is None else "passed" if score >= 1 else "failed"
            figures = {"fn": call.fn, "args": {}, "area": None, "scored": False}
            checks.append(
                {
                    "id": f"turn{number}.{call.fn}" if several else call.fn,
                    "status": status,
                    "score": score,
                    "degraded": False,
                    "figures": figures | ({"turn": number} if several else {}),
                }
            )
    return {
        "task": f"voxel/{one.id.replace('/', '-')}",
        "kind": "voxel",
        "variant": None,
        "agent": agent,
        "harness": None,
        "model": model,
        "effort": None,
        "protocol": "atomic",
        "profile": "paper",
        "epoch": epoch,
        "environment": None,
        "checks": checks,
        **({"problem": plain(one)} if kept else {}),
        **fields,
    }


def made(*records, **asked):
    return tables_of([Recorded("run", asked, records)])


def table(tables, number):
    return next(one for one in tables.tables if one.number == number)


def own(tables, number, row=0):
    return [one for one in table(tables, number).rows if not one.published][row].cells


@pytest.fixture(scope="module")
def whole():
    return [record(one) for one in generate()]


def test_a_run_of_all_has_the_published_denominators(whole):
    tables = made(*whole)
    cells = own(tables, "3, 4")
    assert {name: cell.of for name, cell in cells.items()} == dict(published.DENOMINATORS)
    assert all(cell.passed == cell.of for cell in cells.values())
    graded = own(tables, "5")
    assert graded["efficiency, all"].of == 112 and graded["structural_stability, all"].of == 21
    assert graded["efficiency, accurate only"].of == 112
    assert own(tables, "2")["overall"].value == 1.0
    assert own(tables, "2")["overall"].of == sum(len(t) for p in generate() for t in p.checks)
    assert not table(tables, "2").note and not tables.notes
    assert {one.number for one in tables.tables} == {"2", "3, 4", "5", "10", "9, 11"}


def wall_and_frame():
    """A wall (count, material and size hold; half of the way is lost) and a frame with faults.

    Wall: material 1 and 1, size 1, connected 1, efficiency 0.5. Frame: connected 0, stairs 1,
    height 0.25 (a value that no real check gives, so that sums are told from counts), material 1.
    """
    wall = record(problem("1-se-2-walls/01-01"), {"efficiency.l1_dist": 0.5})
    frame = record(
        problem("1-se-4-frames/01-01"),
        {"physical_plausibility.is_ground_connected": 0.0, "size.max_y_is_geq": 0.25},
    )
    return wall, frame


def test_instructions_are_pooled_and_not_averaged_twice():
    wall, frame = wall_and_frame()
    names = [check["figures"]["fn"] for check in (*wall["checks"], *frame["checks"])]
    materials = sum(name.startswith("material") for name in names)
    sizes = sum(name.startswith("size") for name in names)
    cells = own(made(wall, frame), "2")
    assert cells["material"].value == 1.0 and cells["material"].of == materials
    assert cells["size"].value == pytest.approx((sizes - 1 + 0.25) / sizes)
    assert cells["accuracy"].of == materials + sizes + 1  # and the stairs, the one of shape
    assert cells["accuracy"].value == pytest.approx(
        (cells["accuracy"].of - 0.75) / cells["accuracy"].of
    )
    assert (cells["physical_plausibility"].value, cells["safety"].value) == (0.5, 0.5)
    assert (cells["efficiency"].value, cells["planning"].value) == (0.5, 0.5)
    assert cells["overall"].value == pytest.approx((len(names) - 0.75 - 1 - 0.5) / len(names))
    assert "dependency" not in cells and "structural_stability" not in cells


def test_a_problem_is_solved_whatever_its_way_is_like():
    cells = own(made(*wall_and_frame()), "3, 4")
    assert (cells["overall"].passed, cells["overall"].of) == (1, 2)
    assert (cells["accurate"].passed, cells["accurate"].of) == (1, 2)
    assert (cells["size"].passed, cells["physical_plausibility"].passed) == (1, 1)
    assert (cells["material"].passed, cells["shape"].of) == (2, 1)
    graded = own(made(*wall_and_frame()), "5")
    assert graded["efficiency, all"].of == graded["efficiency, accurate only"].of == 1
    assert graded["efficiency, all"].value == 0.5


def test_an_order_that_fails_spoils_the_whole_and_not_the_accuracy():
    roof = problem("1-se-3.2-roofs_cols-two")
    cells = own(made(record(roof, {"dependency.material_sequence_order": 0.0})), "3, 4")
    assert [cells[c].passed for c in ("overall", "accurate", "dependency")] == [0, 1, 0]
    low = own(made(record(roof, {"structural_stability.stress_score": 0.2})), "3, 4")
    assert low["overall"].passed == 1


def test_every_turn_counts():
    revision = problem("4-cm-9")
    assert len(revision.checks) == 2
    first = record(revision, {(1, "shape.has_rooms"): 0.0})
    cells = own(made(first), "3, 4")
    assert (cells["overall"].passed, cells["shape"].passed, cells["shape"].of) == (0, 0, 1)
    number = sum(call.fn.startswith("shape") for turn in revision.checks for call in turn)
    assert own(made(first), "2")["shape"].value == pytest.approx((number - 1) / number)


def test_a_turn_that_the_record_lacks_was_not_run():
    revision = problem("4-cm-9")
    last = record(revision)
    last["checks"] = [check for check in last["checks"] if check["figures"].pop("turn") == 2]
    for check in last["checks"]:
        check["id"] = check["figures"]["fn"]
    tables = made(last)
    lost, all_ = len(revision.checks[0]), sum(map(len, revision.checks))
    assert own(tables, "2")["overall"].value == pytest.approx((all_ - lost) / all_)
    assert own(tables, "3, 4")["overall"].passed == 0
    assert f"{lost} that were not run" in tables.notes[0]


def test_what_did_not_run_stays_in_the_denominator(whole):
    wall = problem("1-se-2-walls/01-01")
    broken = record(wall, environment={"kind": "timeout", "message": "m"}, checks=[])
    tables = made(broken)
    assert own(tables, "2")["overall"].of == len(wall.checks[0])
    assert own(tables, "2")["overall"].value == 0
    assert own(tables, "3, 4")["overall"].passed == 0
    (builder,) = tables.builders
    assert builder["faults"] == {"timeout": 1}
    assert f"{len(wall.checks[0])} in 1 attempt that a fault of the environment" in tables.notes[0]
    skipped = made(record(wall, {"efficiency.l1_dist": None}))
    assert own(skipped, "2")["efficiency"].value == 0 and "1 that was not run" in skipped.notes[0]


def test_an_attempt_that_a_fault_ended_solves_nothing_though_nothing_is_known_of_it():
    unknown = record(
        problem("1-se-2"), task="voxel/mine", kept=False, checks=[],
        environment={"kind": "crash", "message": "m"},
    )  # fmt: skip
    tables = made(unknown)
    assert own(tables, "3, 4")["overall"].passed == 0
    assert any("Of 1 attempt nothing says which checks" in note for note in tables.notes)


def test_tasks_of_other_folders_count_by_what_their_records_hold():
    mine = record(problem("1-se-2-walls/01-01"), task="voxel/mine", kept=False)
    mine["checks"] += [{"id": "program", "status": "passed", "score": None, "figures": {}}]
    mine["checks"][0]["status"] = "not_applicable"
    cells = own(made(mine), "2")
    assert cells["overall"].of == len(problem("1-se-2-walls/01-01").checks[0]) - 1
    # Without what the record keeps, the published problems are known by the task's name.
    bare = record(problem("1-se-2-walls/01-01"), kept=False, checks=[])
    assert own(made(bare), "2")["overall"].of == len(problem("1-se-2-walls/01-01").checks[0])


@pytest.mark.parametrize("kept", [True, False])
def test_a_problem_with_a_check_that_there_is_not_is_never_solved(kept):
    odd = {
        "id": "nope.x",
        "status": "not_run",
        "score": None,
        "figures": {"fn": "nope.x", "args": {}, "area": None, "turn": 1},
    }
    mine = record(problem("1-se-2-walls/01-01"), task="voxel/mine", kept=kept)
    assert own(made(mine), "3, 4")["overall"].passed == 1
    mine["checks"].append(odd)
    if kept:
        mine["problem"]["checks"][0].append("nope.x")
    tables = made(mine)
    assert own(tables, "3, 4")["overall"].passed == 0
    assert own(tables, "2")["overall"].of == len(problem("1-se-2-walls/01-01").checks[0])


def test_a_score_beyond_all_numbers_is_one():
    mine = record(problem("1-se-2-walls/01-01"), value=10**400)
    assert own(made(mine), "2")["overall"].value == 1


def test_values_are_the_published_ones_where_a_check_tells_nothing():
    roof = record(problem("1-se-3.2-roofs_cols-two"))
    for check in roof["checks"]:
        if check["figures"]["fn"].startswith("structural"):
            check |= {"status": "inconclusive", "score": 0.0, "degraded": True}
        if check["figures"]["fn"].startswith("physical"):
            check |= {"status": "vacuous", "score": 1.0}
    tables = made(roof)
    assert own(tables, "2")["structural_stability"].value == 0
    assert own(tables, "2")["physical_plausibility"].value == 1
    assert len(tables.notes) == 2 and "weaker instrument" in tables.notes[1]


def test_each_agent_model_and_epoch_is_a_row_and_twins_are_none():
    wall = problem("1-se-2-walls/01-01")
    records = [
        record(wall),
        record(wall, 0.0, epoch=2),
        record(wall, model="other"),
        record(wall, variant="twin", model="third"),
    ]
    tables = made(*records)
    rows = [row for row in table(tables, "2").rows if not row.published]
    assert [row.name for row in rows] == ["m, epoch 1", "m, epoch 2", "other"]
    assert [row.cells["overall"].value for row in rows] == [1, 0, 1]
    assert "1 attempt of flawed twins is left out" in tables.notes[-1]
    assert "m, epoch 1 1" in table(tables, "2").note


def test_runs_of_one_name_and_profiles_are_told_apart():
    wall = problem("1-se-2-walls/01-01")
    runs = [
        Recorded("run", {}, [record(wall)]),
        Recorded("run", {}, [record(wall, 0.0, profile="code")]),
    ]
    tables = tables_of(runs)
    rows = [row for row in table(tables, "2").rows if not row.published]
    assert [row.name for row in rows] == ["m, profile paper, run (1)", "m, profile code, run (2)"]
    assert [builder["profile"] for builder in tables.builders] == ["paper", "code"]


def test_no_voxel_task_no_tables():
    assert made() is None
    assert made({"kind": "timber", "task": "timber/cabin", "variant": None}) is None
    assert list(closing([])) == []


def test_small_runs_have_a_mean_and_half_the_range(whole):
    first, second = (lite(generate(), seed) for seed in (1, 2))
    ids = {one.id for one in first} & {one.id for one in second}
    assert len(first) == len(second) == 25 and len(ids) < 25
    bad = {one.id for one in second} - ids
    records = [
        record(one, 0.0 if one.id in bad else 1.0)
        for one in {p.id: p for p in (*first, *second)}.values()
    ]
    tables = made(*records, tasks=["lite:1", "lite:2"])
    checks = [call.fn for one in second for turn in one.checks for call in turn]
    lost = [c.fn for one in second if one.id in bad for turn in one.checks for c in turn]
    share = 1 - sum(fn.startswith("shape") for fn in lost) / sum(
        fn.startswith("shape") for fn in checks
    )
    cell = own(tables, "9, 11")["shape"]
    assert cell.value == pytest.approx((1 + share) / 2)
    assert cell.half_range == pytest.approx((1 - share) / 2) and cell.draws == 2
    assert any(one.number == "10" for one in tables.absent)
    one_draw = made(*records[:25], tasks=["lite:1"])
    assert own(one_draw, "9, 11")["shape"].half_range is None
    assert any(one.number == "9, 11" for one in made(*records[:24], tasks=["lite:1"]).absent)


def test_the_whole_stands_beside_its_small_runs(whole):
    kept = [record(one, 0.0 if one.file.startswith("2-bt-2") else 1.0) for one in generate()]
    tables = made(*kept)
    cell = own(tables, "10")["shape"]
    assert cell.draws == len(LITE_SEEDS)
    assert cell.whole == own(tables, "2")["shape"].value < 1
    theirs = next(row for row in table(tables, "10").rows if row.name == "gpt-5-mini")
    assert theirs.cells["material"].whole == pytest.approx(0.927)


def test_cues_are_compared_where_all_foundations_are_there():
    base, steps, order = table_6()
    efficiency = {"none": 0.5, "step_by_step": 0.25, "order_aware": 0.75}
    records = [
        record(
            one,
            {"efficiency.l1_dist": efficiency[arm.values["cue"]]},
            task=f"voxel/{one.file}-{arm.values['cue']}-{n}",
        )
        for arm in (base, steps, order)
        for n, one in enumerate(arm.problems)
    ]
    tables = made(*records)
    cells = own(tables, "6")
    assert cells["none"].value == 0.5 and cells["none"].of == 64
    assert cells["step_by_step, change"].value == -0.25
    assert cells["order_aware, change"].value == 0.25
    assert own(tables, "2")["efficiency"].value == 0.5  # other wordings are no part of the whole
    assert any(one.number == "6" for one in made(*records[:64]).absent)
    # One foundation more, in a run of something else, takes nothing away.
    more = tables_of(
        [Recorded("cues", {}, records), Recorded("small", {}, [record(base.problems[0])])]
    )
    assert own(more, "6") == cells
    assert "order_aware" not in own(made(*records[:-1]), "6")


def test_slabs_are_compared_by_term_and_by_verb():
    records = []
    for arm in table_7():
        for one in arm.problems:
            value = {"dependency.material_sequence_order": float(arm.values["term"] == "plain")}
            if arm.values["verb"] == "build":
                value["material.is_block_cnt_geq"] = 0.0
            name = f"voxel/{one.file}-{one.item}-{arm.values['verb']}-{arm.values['term']}"
            records.append(record(one, value, task=name))
    tables = made(*records)
    terms = {row.arm: row.cells for row in table(tables, "7 (terms)").rows if not row.published}
    verbs = {row.arm: row.cells for row in table(tables, "7 (verbs)").rows if not row.published}
    assert terms["plain"]["dependency"].value == 1 and terms["trade"]["dependency"].value == 0
    assert terms["plain"]["dependency"].of == 6 and verbs["build"]["dependency"].of == 4
    assert verbs["build"]["dependency"].value == 0.5
    assert verbs["build"]["material"].value == 0 and verbs["create"]["material"].value == 1
    assert terms["plain"]["material"].value == pytest.approx(2 / 3)
    missing = "two_layer-stress-0-build-plain"
    fewer = made(*(r for r in records if not r["task"].endswith(missing)))
    assert {one.number for one in fewer.absent} >= {"7 (terms)"}
    assert [row.arm for row in table(fewer, "7 (verbs)").rows] == [
        "construct", "create", "build", "construct", "create",
    ]  # fmt: skip


def test_brevity_is_compared_between_two_runs():
    small = lite(generate(), 7)
    brief = Recorded("a", {"tasks": ["lite:7"], "brevity": "with"}, [record(p) for p in small])
    free = Recorded(
        "b", {"tasks": ["lite:7"], "brevity": "without"},
        [record(p, {"efficiency.l1_dist": 0.25}) for p in small],
    )  # fmt: skip
    tables = tables_of([brief, free])
    rows = [row for row in table(tables, "8").rows if not row.published]
    assert [row.arm for row in rows] == ["with brevity", "without", "change"]
    assert rows[2].cells["efficiency"].value == -0.75 and rows[2].cells["shape"].value == 0
    assert [row.name for row in table(tables, "2").rows if not row.published] == [
        "m, asked to be brief, a",
        "m, not asked to be brief, b",
    ]
    assert any(one.number == "8" for one in tables_of([brief]).absent)
    other = Recorded("c", {"tasks": ["lite:8"], "brevity": "without"}, [])
    assert any(one.number == "8" for one in tables_of([brief, other]).absent)


def test_draws_may_be_runs_of_their_own_and_of_two_alike_the_first_counts():
    value = {1: 1.0, 2: 0.0}
    runs = [
        Recorded(f"run{seed}", {"tasks": [f"lite:{seed}"]}, [
            record(one, value[seed]) for one in lite(generate(), seed)
        ])
        for seed in (1, 2)
    ]  # fmt: skip
    again = Recorded("again", {"tasks": ["lite:1"]}, [record(p, 0.0) for p in lite(generate(), 1)])
    (row,) = [r for r in table(tables_of([*runs, again]), "9, 11").rows if not r.published]
    cell = row.cells["shape"]
    assert (row.name, cell.value, cell.half_range, cell.draws) == ("m", 0.5, 0.5, 2)


def test_what_a_record_keeps_of_a_task():
    class Task:
        class origin:
            problem = vary(generate()[0], cue="order_aware")

    kept = told(Task)
    (attempt,) = attempts([record(generate()[0], problem=kept)])
    assert attempt.varied and attempt.words["cue"] == "order_aware"
    assert attempt.base in catalogue() and json.dumps(kept)
    Task.origin = None
    assert told(Task) is None


def test_published_figures_agree_with_each_other():
    """Percentages as printed in Table 4, model by model, and what stands in two tables."""
    printed = {
        "llama-4-17b-16e": (0.4, 1.6, 28.4, 2.0, 1.9, 51.5, 5.1),
        "claude-4-5-sonnet": (26.6, 28.2, 69.0, 20.4, 39.3, 53.3, 66.7),
        "gpt-5-mini": (39.6, 45.4, 90.1, 37.8, 77.0, 67.8, 98.1),
        "gemini-3-pro": (38.3, 38.1, 65.1, 31.6, 52.8, 91.7, 78.2),
    }
    for model, counts in published.TABLE_4.items():
        shares = [
            100 * counts[kind] / of for kind, of in published.DENOMINATORS.items()
        ]  # gpt-5-mini's 317 of 699 is 45.35, printed as 45.4
        assert shares == pytest.approx(printed[model], abs=0.051)
    for model, (small, _) in published.TABLE_10_MODELS.items():
        means = {kind: one.mean for kind, one in published.TABLE_11[small].items()}
        assert published.TABLE_8_WITH[model] == means
    for model, graded in published.TABLE_5.items():
        for kind, figures in graded.items():
            assert figures.all == published.TABLE_2[model][kind]
    assert published.TABLE_9["GPT-4o"] == {
        kind: one.mean for kind, one in published.TABLE_11["gpt-4o"].items()
    }
    assert len(published.TABLE_11) == 15


@pytest.mark.parametrize("width", [60, 100, 160])
def test_lines_keep_to_the_width_and_cut_no_figure(whole, width):
    told_lines = list(lines(made(*whole), Style(width=width)))
    assert max(map(len, told_lines)) <= width
    text = "\n".join(told_lines)
    assert "286/723 39.6" in text and "87.1 ±7.1 (92.7)" in text and "723/723 100.0" in text
    assert "Table 6: not there" in text and "Tables 3 and 4. " in text
    plain_text = "\n".join(lines(made(*whole), Style(width=width, unicode=False)))
    assert "±" not in plain_text and "+-7.1" in plain_text


def test_the_page_shows_own_and_published_rows_and_lets_nothing_through(whole):
    evil = "<script>alert(1)</script>"
    html = "\n".join(section(made(*(r | {"model": evil} for r in whole))))
    assert "<script>" not in html and "&lt;script&gt;" in html
    assert "84.1 ±2.4 (84.5)" in html and html.count('class="published"') > 30
    assert "Tables that this run does not give" in html


def test_a_run_says_at_its_end_what_it_came_to():
    (line,) = closing(wall_and_frame())
    assert line.startswith("voxel, m: 1 of 2 problems solved") and "efficiency 50.0" in line


def test_all_of_it_is_json(whole):
    data = json.loads(json.dumps(made(*whole).plain()))
    assert data["schema"] == "plumbline.construction-tables/1"
    row = data["tables"][1]["rows"][0]
    assert row["cells"]["overall"] == {"value": 1.0, "of": 723, "passed": 723}
    assert {one["table"] for one in data["absent"]} == {"6", "7 (terms)", "7 (verbs)", "8"}


@pytest.fixture
def run_folder(tmp_path):
    """A run with one voxel attempt, stored as runs are."""
    wall = problem("1-se-2-walls/01-01")
    checks = tuple(
        CheckResult(call.fn, "passed", score=1.0, figures={"fn": call.fn})
        for call in wall.checks[0]
    )
    result = Result(
        Judgement("voxel", "paper", checks),
        task="voxel/1-se-2-walls-01-01",
        agent="scripted",
        problem=plain(wall),
    )
    with RunWriter(tmp_path / "run", {"agent": "scripted", "tasks": []}, {"x": "1"}) as run:
        run.append(result.to_record())
        run.finish({})
    return tmp_path / "run"


@pytest.mark.parametrize("how", [["--tables"], ["--json"], []])
def test_the_command_tells_them_and_writes_the_report(run_folder, how):
    """But for tables alone, which only read the run."""
    out = io.StringIO()
    options = _parser().parse_args(["report", str(run_folder), "--no-pictures", *how])
    assert report_command.report(options, Console(out, io.StringIO(), {})) == 0
    text = out.getvalue()
    if how == ["--tables"]:
        assert "Table 2. " in text and "report.html" not in text
        assert not (run_folder / "report.html").exists()
        return
    html = (run_folder / "report.html").read_text(encoding="utf-8")
    assert "Voxel construction, as in the published tables" in html
    assert "Table 2. " not in text
    if how == ["--json"]:
        (line,) = text.splitlines()
        assert json.loads(line)["builders"][0]["name"] == "scripted"
    else:
        assert text.splitlines()[0].endswith("report.html")


def test_who_built_nothing_has_solved_nothing():
    nothing = record(problem("1-se-2"))
    nothing["checks"] = [{**check, "status": "vacuous"} for check in nothing["checks"]]
    assert own(made(nothing), "3, 4")["overall"].passed == 0
    assert own(made(record(problem("1-se-2"))), "3, 4")["overall"].passed == 1
