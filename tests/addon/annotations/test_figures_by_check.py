# SPDX-License-Identifier: GPL-3.0-or-later
"""The checks by the judgment of people, pairs, disputes, and several places taken together."""

import shutil

import pytest
from judged_run import (
    FLAWED,
    FOLLOWS,
    LOAD,
    SOUND,
    SPAN,
    finding,
    make_run,
    missed,
    store,
    structure,
)
from plumbline.addon.annotations.figures import CHECKS, figures_of
from plumbline.addon.annotations.files import FOLDER
from plumbline.addon.annotations.gather import gather
from plumbline.addon.annotations.row import of_scene
from plumbline.addon.runs.runfolder import RunFolderError


@pytest.fixture
def run(tmp_path):
    return make_run(tmp_path / "run", report=False)


def figures(*places):
    found = gather(places)
    return figures_of(found.rows, found.records)


def by_check(found):
    return {one.check: one for one in found.checks}


def test_the_majority_decides_and_ties_are_said(run):
    store(
        run,
        *(finding(run, who, SPAN, "agree") for who in ("anna", "ben")),
        finding(run, "cid", SPAN, "disagree"),
        finding(run, "anna", LOAD, "disagree"),
        finding(run, "anna", FOLLOWS, "agree"),
        finding(run, "ben", FOLLOWS, "disagree"),
    )
    found = by_check(figures(run))
    span, load = found["clear_span"], found["load_path"]
    assert (span.right, span.wrong, span.ties) == (1, 0, 0)
    assert span.votes == {"agree": 2, "disagree": 1, "unsure": 0}
    assert (span.precision.count, span.precision.total) == (1, 1)
    assert (load.right, load.wrong, load.ties) == (0, 1, 1)
    assert load.precision.value == 0.0
    assert load.recall.value is None


def test_a_missed_fault_counts_if_most_judges_marked_it(run):
    store(
        run,
        *(structure(run, who, "faulty") for who in ("anna", "ben", "cid", "dora")),
        *(missed(run, who, "clear_span", "Joist_01") for who in ("anna", "ben", "cid")),
        *(missed(run, who, "clear_span", "Joist_02") for who in ("anna", "ben")),
        missed(run, "anna", "clear_span", "Joist_03"),
        finding(run, "anna", SPAN, "agree"),
    )
    span = by_check(figures(run))["clear_span"]
    assert (span.missed, span.missed_ties, span.minority) == (1, 1, 1)
    assert (span.recall.count, span.recall.total) == (1, 2)


def test_a_fault_marked_blind_that_the_checks_have_is_agreement(run):
    store(
        run,
        missed(run, "anna", "clear_span", SPAN.subject, blind=True),
        finding(run, "anna", SPAN, "agree"),
        missed(run, "ben", "clear_span", SPAN.subject, blind=True),
    )
    span = by_check(figures(run))["clear_span"]
    assert (span.right, span.missed, span.minority) == (1, 0, 0)
    assert span.votes["agree"] == 2


def test_people_are_compared_with_each_other_and_with_the_checks(run):
    store(
        run,
        structure(run, "anna", "faulty", rating=2),
        structure(run, "anna", "sound", SOUND, rating=5),
        structure(run, "ben", "faulty", rating=1),
        structure(run, "ben", "faulty", SOUND, rating=4),
        missed(run, "ben", "load_path", "Post_01", task=SOUND),
    )
    found = figures(run)
    pairs = {(p.first, p.second): p for p in found.pairs}
    assert set(pairs) == {("anna", "ben"), ("anna", CHECKS), ("ben", CHECKS)}
    assert pairs["anna", "ben"].structures.observed == 0.5
    assert pairs["anna", "ben"].findings.items == 0
    assert pairs["anna", CHECKS].structures.kappa == pytest.approx(1.0)
    rated = pairs["anna", "ben"].rated
    assert rated.items == 2
    assert rated.observed == pytest.approx(15 / 16)
    assert found.structures.items == 2
    assert [d.said for d in found.disputes] == [{"anna": "sound", "ben": "faulty"}]
    anna, ben = found.people
    assert anna.ratings == (2, 5)
    assert (ben.counts["structure"], ben.counts["missed"]) == (2, 1)


def test_copies_of_a_run_are_one_run(run, tmp_path):
    """Each annotator judged a copy of his own; a row that is in both counts once."""
    copy = tmp_path / "annas copy"
    shutil.copytree(run, copy)
    one = structure(run, "anna", "faulty")
    store(copy, one, finding(run, "anna", SPAN, "agree"))
    store(run, one, structure(run, "ben", "sound"))
    lone = copy / FOLDER / "anna.jsonl"
    for places in ((run, copy), (copy, run), (run, lone)):
        found = figures(*places)
        assert len(found.rows) == 3
        assert len(found.disputes) == 1
        assert [d.row["of"]["task"] for d in found.disputes] == [FLAWED]


def test_a_folder_of_annotations_needs_no_run(run, tmp_path):
    place = tmp_path / "own"
    scene = {**structure(run, "anna", "sound"), "of": of_scene("house.blend", "Scene")}
    store(place, scene)
    found = gather([place])
    assert (len(found.rows), found.attempts) == (1, {})
    with pytest.raises(RunFolderError):
        gather([tmp_path / "nothing"])


def test_what_is_damaged_is_said(run):
    store(run, structure(run, "anna", "faulty"))
    with open(run / FOLDER / "anna.jsonl", "ab") as stream:
        stream.write(b'{"half')
    found = gather([run])
    assert len(found.rows) == 1
    assert found.notes == [f"{run}: anna.jsonl line 2 is half-written and was left out"]
