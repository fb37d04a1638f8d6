# SPDX-License-Identifier: GPL-3.0-or-later
"""The report of a simulation: what became of each criterion, energy, figures in words, pictures."""

from __future__ import annotations

import base64
import json
from dataclasses import replace

import falling_bodies as fb
import numpy as np
import pytest
from html_page import Page
from plumbline.addon.motion_words import figure_words, validity_words
from plumbline.addon.runs.records import Result
from plumbline.addon.runs.report import write_report
from plumbline.addon.runs.runfolder import Key, RunWriter
from plumbline.checks.reconstruction import ReconstructionBrief
from plumbline.checks.reconstruction.brief import PROBES
from plumbline.checks.reconstruction.simulation import Simulation, judge_simulation

EVIL = "</p><script>alert(1)</script>"
RUBRIC = {
    "criteria": [
        {"id": "E1", "mechanism": "energy", "weight": 2, "cap": 0.6, "probes": ["energy"]},
        {"id": "P1", "probes": ["prescribed_motion"]},
        {"id": EVIL, "probes": ["energy"], "roles": ["nobody"]},
    ]
}


def gaining() -> Simulation:
    """A ball that bounces higher every time."""
    path = np.zeros((60, 3))
    path[:, 2] = 0.5 + np.abs(np.sin(fb.times() * 3)) * (1 + fb.times())
    return Simulation(fb.recorded(fb.floor(), (fb.ball("ball"), path)))


@pytest.fixture(scope="module")
def judged():
    brief = ReconstructionBrief.from_mapping(RUBRIC)
    return judge_simulation(gaining(), brief)


@pytest.fixture
def page(tmp_path, judged):
    """``page(evidence)``: the report of one attempt, with a folder that holds that evidence."""

    def made(evidence=()):
        out = tmp_path / "run"
        with RunWriter(out, {"agent": "scripted", "profile": "paper"}, {"x": "1"}) as run:
            key = Key("reconstruction/none", "scripted", None, 1)
            folder = run.attempt(key)
            for name, data in dict(evidence).items():
                (folder / name).write_bytes(data)
            result = Result(judged, task=key.task, agent="scripted")
            name = folder.relative_to(out).as_posix()
            run.append(replace(result, attempt=name).to_record())
            run.finish({})
        return write_report(out).read_text(encoding="utf-8")

    return made


def test_criteria_energy_and_figures_are_shown(page, judged):
    html = page()
    told = Page(html)
    text = " ".join(told.texts)
    low, high = judged.metrics["validity"]
    assert f"validity {low:.2f} to {high:.2f}" in text
    assert "E1" in text and "broken" in text and "not resolved" in text
    (strip,) = [a for tag, a in told.tags if tag == "polyline" and a["class"] == "total"]
    assert len(strip["points"].split()) == 59
    assert any(tag == "rect" and a.get("class") == "rise" for tag, a in told.tags)
    assert "largest rise" in text and "1 body moving, by solver" in text
    assert "frame" in text and EVIL not in html and "<script>alert" not in html


def test_evidence_is_shown_beside_what_it_is_about(page):
    listing = {
        "schema": "plumbline.evidence/1",
        "evidence": [
            {
                "check": "energy",
                "subject": "ball",
                "message": EVIL,
                "pictures": [
                    {"file": "evidence-energy-1-before.png", "caption": "Frame 1"},
                    {"file": "evidence-energy-1-after.png", "caption": EVIL},
                ],
            }
        ],
    }
    html = page(
        {
            "evidence.json": json.dumps(listing).encode(),
            "evidence-energy-1-before.png": b"one",
            "evidence-energy-1-after.png": b"two",
        }
    )
    images = [a["src"] for tag, a in Page(html).tags if tag == "img"]
    shown = [base64.b64decode(src.rpartition(",")[2]) for src in images]
    assert shown == [b"one", b"two"] and "<script>alert" not in html


def test_records_of_other_kinds_have_none_of_it(page):
    from plumbline.addon.runs.report_motion import said, sections

    record = {"kind": "timber", "metrics": {"criteria": {"a": "passed"}}, "checks": []}
    assert not list(sections(record, None))
    assert said(record, {"id": "energy", "status": "passed"}) == ""


def test_figures_of_every_probe_read_as_words_and_odd_ones_as_nothing():
    run = fb.recorded(fb.floor(), (fb.ball("egg", 0.03), (0, 0, 0.05)), (fb.box("die"), (3, 0, 2)))
    judged = judge_simulation(Simulation(run))
    words = {c.id: figure_words(c.id, c.figures) for c in judged.checks}
    assert "at rest" in words["support"] and "pairs measured" in words["interpenetration"]
    for probe in [*PROBES, "counterfactual.X", "none"]:
        for odd in (None, {}, {"pairs": "x"}, {"largest": None}, {"impacts": [1]}, {"gaps": 3}):
            assert isinstance(figure_words(probe, odd), str)


def test_validity_is_one_figure_or_an_interval():
    assert validity_words({"validity": [0.5, 0.5]}) == "validity 0.50"
    assert validity_words({"validity": [0.25, 1.0]}) == "validity 0.25 to 1.00"
    for odd in ({}, {"validity": None}, {"validity": [1]}, {"validity": ["a", 1]}):
        assert validity_words(odd) == ""
