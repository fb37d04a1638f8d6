# SPDX-License-Identifier: GPL-3.0-or-later
"""C, M, V and T in records, wherever what should have been built is known, and only there."""

import json
import sys
from dataclasses import fields, replace

import pytest
from html_page import Page
from plumbline.addon.agent.agents import Assignment, Built, Fault, Target
from plumbline.addon.agent.bench import Execution, Scene
from plumbline.addon.runs import closing, nearness, table
from plumbline.addon.runs.attempts import Place, Settings, attempt
from plumbline.addon.runs.console import Style
from plumbline.addon.runs.export_inspect import write_inspect
from plumbline.addon.runs.judging import judge
from plumbline.addon.runs.report import write_report
from plumbline.addon.runs.runfolder import Key, RunWriter, attempt_folder, read_run
from plumbline.addon.runs.scores import summary_of, topology_of
from plumbline.addon.runs.shape import is_record
from plumbline.addon.scene.plain import structure_to_plain
from plumbline.tasks import Task, load_task
from timber_samples import gable_house

HOUSE = gable_house(160)
WITHOUT = HOUSE.subset([not n.startswith(("Stud_0010", "Rafter_0003")) for n in HOUSE.names])
CABIN = load_task("timber/cabin")


class Known(Task):
    """A task of a pack, which brings the structure that it was made from."""

    def truth(self):
        return HOUSE


KNOWN = Known(**{field.name: getattr(CABIN, field.name) for field in fields(CABIN)})


class Somebody:
    """Builds a given structure; its own seat and bench."""

    name = harness = "somebody"
    model = effort = None

    def __init__(self, structure, fault=None):
        self.structure, self.fault = structure, fault

    def bench(self, folder, policy=None, kind=None):
        return self

    def build(self, assignment, workshop):
        if self.structure is None:
            return Built(None, "", "gave_up", fault=self.fault)
        plain = structure_to_plain(self.structure)
        return Built(Execution("finished", "none", structure=plain), "", "finished")


def attempted(tmp_path, structure, task=KNOWN, fault=None, target=lambda: None, **settings):
    who = Somebody(structure, fault)
    settings = Settings(pictures=False, **settings)
    place = Place(tmp_path, "attempts/1")
    tmp_path.mkdir(exist_ok=True)
    return attempt(Assignment(task, "somebody"), who, who, place, settings, target=target)


def test_an_attempt_has_them_beside_its_verdict(tmp_path):
    with_truth = attempted(tmp_path / "a", WITHOUT)
    without = attempted(tmp_path / "b", WITHOUT, CABIN)
    assert with_truth.verdict == without.verdict
    assert with_truth.to_record()["checks"] == without.to_record()["checks"]
    metrics = with_truth.judgement.metrics
    assert metrics["M"] == pytest.approx(158 / 160)
    assert 0.9 < metrics["T"] < 1.0
    assert metrics["differences"] == {"missing": {"Rafter": 1, "Stud": 1}}
    assert not {"C", "M", "V", "T", "differences"} & set(without.judgement.metrics)
    assert is_record(with_truth.to_record())


def test_a_target_that_was_built_serves_where_no_truth_came_with_the_task(tmp_path):
    def target():
        return Target(Scene(tmp_path / "scene.blend"), structure_to_plain(HOUSE), {})

    assert nearness.wanted(CABIN, target()).names == HOUSE.names
    assert nearness.wanted(CABIN) is None
    assert nearness.wanted(None) is None
    found = attempted(tmp_path / "a", HOUSE, CABIN, target=target)
    assert "T" not in found.judgement.metrics  # nobody asked for the target


def test_nothing_built_is_nought_and_a_fault_of_the_environment_is_unknown(tmp_path):
    nothing = attempted(tmp_path / "a", None).judgement.metrics
    assert [nothing[name] for name in "CMVT"] == [0.0, 0.0, 0.0, 0.0]
    fault = attempted(tmp_path / "b", None, fault=Fault("blender", "it died"))
    assert "T" not in fault.judgement.metrics


def test_a_truth_that_cannot_be_trusted_is_a_note(tmp_path):
    class Untrusted(Task):
        def why_no_truth(self):
            return "house.json: it was changed by hand"

    task = Untrusted(**{field.name: getattr(CABIN, field.name) for field in fields(CABIN)})
    for found in (attempted(tmp_path / "a", HOUSE, task), judge(HOUSE, task)):
        assert "T" not in found.judgement.metrics
        assert (
            "C, M, V and T are unknown: house.json: it was changed by hand" in found.judgement.notes
        )


def test_a_file_is_measured_against_the_truth_of_its_task():
    found = judge(WITHOUT, KNOWN)
    assert found.judgement.metrics["M"] == pytest.approx(158 / 160)
    told = "\n".join(table.lines(found.to_record(), Style(width=100), False))
    assert "against the target: C 0.992, M 0.988, V 0.9" in told
    assert "2 missing: 1 Rafter, 1 Stud" in told
    assert "T" not in judge(WITHOUT, CABIN).judgement.metrics


def test_what_cannot_be_matched_leaves_the_rest_and_a_note(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    heap = HOUSE.subset([0] * 300)
    figures, note = nearness.nearness(heap, heap)
    assert set(figures) == {"C", "V"}
    assert note.startswith("M and T are unknown: so many members")


def test_sentences_name_the_most_first_and_members_without_a_role():
    said = list(
        nearness.sentences(
            {"differences": {"extra": {"": 2}, "missing": {"Joist": 1, "Stud": 1200}}}
        )
    )
    assert said == ["1,201 missing: 1,200 Stud, 1 Joist", "2 too many: 2 without a role"]
    for odd in (
        {},
        *({"differences": d} for d in (None, {"missing": 3}, {"missing": {"Stud": "x"}})),
    ):
        assert list(nearness.sentences(odd)) == []


def record(verdict, **metrics):
    return {"verdict": verdict, "metrics": metrics}


def test_t_is_told_apart_for_passed_and_failed():
    records = [
        record("passed", C=1.0, M=0.5, V=0.5, T=0.65),
        record("failed", C=0.5, M=0.5, V=0.5, T=0.5),
        record("failed", C=0.5, M=0.5, V=0.5, T=0.7),
        record("not_judged"),
        record("failed", C=1.0, V=0.5),
    ]
    near = topology_of(records)
    assert (near["measured"], near["passed_mean"], near["failed_mean"]) == (3, 0.65, 0.6)
    assert near["all_mean"]["C"] == pytest.approx(2 / 3)
    assert topology_of(records[3:]) is None
    assert topology_of(records[1:2])["passed_mean"] is None


def test_report_and_closing_lines_show_both(tmp_path):
    with RunWriter(tmp_path / "run", {"agent": "x", "profile": "engineering"}, {}) as run:
        records = []
        for number, structure in enumerate((HOUSE, WITHOUT), start=1):
            result = replace(judge(structure, KNOWN), agent="x", epoch=number, source=None)
            key = Key(result.task, "x", None, number)
            run.attempt(key)
            records.append(replace(result, attempt=attempt_folder(key)).to_record())
            run.append(records[-1])
        run.finish({})
    text = " ".join(Page(write_report(tmp_path / "run").read_text(encoding="utf-8")).texts)
    assert "T of what passed" in text and "T of what failed" in text
    assert "2 missing: 1 Rafter, 1 Stud" in text
    near = summary_of(records)["topology"]
    (line,) = [each for each in closing.closing_lines(records) if each.startswith("topology")]
    assert f"{near['failed_mean']:.3f} over what failed" in line
    (log,) = write_inspect(read_run(tmp_path / "run"), tmp_path / "logs")
    exported = json.loads(log.read_text(encoding="utf-8"))
    (score,) = [s for s in exported["results"]["scores"] if s["name"] == "T"]
    assert score["metrics"]["mean"]["value"] == pytest.approx(near["all_mean"]["T"])
    assert exported["samples"][0]["scores"]["T"]["metadata"]["M"] == 1.0


def test_damaged_figures_do_not_end_a_report():
    assert list(closing.closing_lines([{**WHOLE, "verdict": "failed", "metrics": {"T": 0.5}}]))


WHOLE = {"task": "t", "variant": None, "environment": None, "expectation": None}
