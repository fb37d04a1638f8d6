# SPDX-License-Identifier: GPL-3.0-or-later
"""Scores of blocks and runs in which nothing was built, on the terminal and in the report."""

import argparse
import io
import re
import shutil
import subprocess
from dataclasses import replace

import pytest
from html_page import Page
from plumbline.addon.runs import block_results, closing, report_command, table
from plumbline.addon.runs.console import Console, Style
from plumbline.addon.runs.records import Result
from plumbline.addon.runs.report import write_report
from plumbline.addon.runs.runfolder import Key, RunWriter
from plumbline.checks.result import CheckResult, Judgement
from plumbline.checks.voxel import judge
from plumbline.checks.voxel.stress.named import stress_check
from plumbline.checks.voxel.structure import VoxelStructure

PLAIN = Style(width=120)


def blocks(*cells):
    return VoxelStructure.from_blocks([(*cell, "stone") for cell in cells])


def judged(structure, *checks):
    judgement = judge(structure, None)
    return replace(judgement, checks=(*judgement.checks, *checks))


@pytest.fixture(scope="module")
def pillar():
    """Three blocks one upon the other, placed in the order 0, 2, 1, with the stress in them."""
    pytest.importorskip("scipy", reason="the finite elements need SciPy")
    stone = blocks((0, 0, 0), (0, 2, 0), (0, 1, 0))
    return Result(judged(stone, stress_check(stone, "fem", 1e6)), task="voxel/pillar", agent="null")


@pytest.fixture
def nothing():
    check = CheckResult(
        "shape.has_exit", "vacuous", score=0.0, reason="nothing was built", required=True
    )
    return Result(
        Judgement("voxel", "paper", (check,), {"blocks": 0}), task="voxel/a", agent="null"
    )


@pytest.fixture
def write(tmp_path):
    def build(*results):
        with RunWriter(tmp_path / "run", {"agent": "null", "profile": "paper"}, {"x": "1"}) as run:
            for number, result in enumerate(results, start=1):
                folder = run.attempt(Key(result.task, result.agent, None, number))
                name = folder.relative_to(tmp_path / "run").as_posix()
                run.append(replace(result, attempt=name, epoch=number).to_record())
            run.finish({})
        return tmp_path / "run"

    return build


def page(folder):
    html = write_report(folder).read_text(encoding="utf-8")
    return Page(html), html


def test_the_terminal_shows_scores_with_their_main_figures(pillar):
    lines = list(table.lines(pillar.to_record(), PLAIN))
    assert "    efficiency.l1_dist: a way of 3 steps where 2 would do, score 0.67" in lines
    (stress,) = [line for line in lines if line.startswith("    stress (fem): ")]
    given = r"\d[\d.]* kPa of 1 MPa \(the reference that was given\), score 1\.00"
    assert re.fullmatch(rf"    stress \(fem\): {given}", stress)
    thin = pillar.to_record()
    thin["checks"][-1]["degraded"] = True
    assert f"{stress}, weaker instrument" in list(table.lines(thin, PLAIN))


def test_so_does_the_report(pillar, write):
    text = " ".join(page(write(pillar))[0].texts)
    assert "stress (fem)" in text and "1 MPa (the reference that was given), score 1.00" in text
    assert "a way of 3 steps where 2 would do, score 0.67" in text


def test_timber_has_none_of_it_whatever_its_records_hold(record, write, result):
    check = CheckResult("stress", "passed", score=0.5, figures={"scored": True, "solver": "fem"})
    judgement = replace(result.judgement, checks=(check, *result.judgement.checks))
    scored = replace(result, judgement=judgement)
    before, after = (list(table.lines(one.to_record(), PLAIN)) for one in (result, scored))
    differing = [(x, y) for x, y in zip(before, after, strict=True) if x != y]
    assert [y.partition(",")[0] for _, y in differing] == ["  checks: 2 passed"]
    html = page(write(scored))[1].partition("<body>")[2]
    assert 'class="score"' not in html and "stress (fem)" not in html
    empty = replace(result, judgement=Judgement("timber", "paper", (), {"members": 0}))
    assert not block_results.nothing_built(empty.to_record())


@pytest.mark.parametrize(
    ("figures", "score", "told"),
    [
        ({"scored": True}, 0.9999, "score 0.99"),
        ({"greatest": 5300.0, "solver": "fem"}, 0.2, "5.3 kPa, score 0.20"),
        ({"greatest": 10**400, "reference": "x"}, 1, "score 1.00"),
        ([], 0.5, "score 0.50"),
        ({}, None, None),
        ({}, float("nan"), None),
    ],
)
def test_odd_figures_are_left_out(figures, score, told):
    check = {"id": "turn2.stress", "status": "passed", "score": score, "figures": figures}
    assert block_results.scored({"kind": "voxel"}, check) == told


def test_checks_that_pass_or_fail_show_no_score():
    check = {"id": "shape.has_exit", "status": "passed", "score": 1.0, "figures": {"scored": False}}
    assert block_results.scored({"kind": "voxel"}, check) is None


def test_where_nothing_was_built_that_is_what_is_said(nothing, write):
    record = nothing.to_record()
    assert record["verdict"] == "failed"
    assert "nothing was built" in list(table.lines(record, PLAIN))[1]
    event = argparse.Namespace(
        record={**record, "timing": {"total": 1.0}}, assignment=argparse.Namespace(name="voxel/a")
    )
    (line,) = closing.attempt_lines(event, 1, 1, PLAIN)
    assert "nothing was built" in line and "no faults" not in line
    report, html = page(write(nothing))
    text = " ".join(report.texts)
    assert "Nothing was built." in text and "no faults" not in text
    assert '<div class="no-picture"' not in html and "<img" not in html


def test_no_picture_is_tried_of_nothing(nothing, write):
    """The scene that it left holds neither members nor blocks, so that no Blender is started."""
    folder = write(nothing)
    (attempt,) = (folder / "attempts/voxel/a").iterdir()
    (attempt / "scene.blend").write_bytes(b"never opened")
    out, err = io.StringIO(), io.StringIO()
    options = argparse.Namespace(
        runs=[folder], no_pictures=False, json=False, open=False, tables=False
    )
    assert report_command.report(options, Console(out, err, {})) == 0
    assert not err.getvalue() and out.getvalue().strip().endswith("report.html")


CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
# How many names of checks reach beyond their column, told in the title of the page.
MEASURE = """<script>
const over = [...document.querySelectorAll(".checks li")].filter(li => {
  const room = li.getBoundingClientRect().right + 1, name = document.createRange();
  name.selectNodeContents(li.lastElementChild);
  return name.getBoundingClientRect().right > room;
});
document.title = `${document.querySelectorAll(".checks li").length} names, ${over.length} over`;
</script>"""


@pytest.mark.skipif(CHROMIUM is None, reason="needs chromium")
def test_long_names_of_checks_stay_in_their_column(write, tmp_path):
    ids = [f"turn2.physical_plausibility.is_ground_connected{'_and_so_on' * n}" for n in range(6)]
    checks = tuple(CheckResult(one, "vacuous", reason="nothing") for one in ids)
    judgement = Judgement("voxel", "paper", checks, {"blocks": 1})
    html = page(write(Result(judgement, task="voxel/a", agent="null")))[1]
    html = re.sub(r"<meta http-equiv[^>]*>", "", html).replace("</body>", f"{MEASURE}</body>")
    (tmp_path / "measured.html").write_text(html, encoding="utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--window-size=1280,900"]
    options += [f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom"]
    done = subprocess.run(
        [CHROMIUM, *options, (tmp_path / "measured.html").as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert "<title>6 names, 0 over</title>" in done.stdout
