# SPDX-License-Identifier: GPL-3.0-or-later
"""The agreement page: figures in place, links to attempts, nothing of a name or comment runs."""

import re

import pytest
from html_page import Page
from judged_run import EVIL, LOAD, SOUND, SPAN, finding, make_run, missed, store, structure
from plumbline.addon.annotations.figures import figures_of
from plumbline.addon.annotations.gather import Gathered, gather
from plumbline.addon.annotations.page import build_page


@pytest.fixture
def run(tmp_path):
    folder = make_run(tmp_path / "a run #1")
    store(
        folder,
        structure(folder, "anna", "faulty", rating=2, seconds=10),
        structure(folder, "ben", "sound", rating=3, seconds=20),
        structure(folder, "anna", "sound", SOUND),
        structure(folder, "ben", "sound", SOUND),
        finding(folder, "anna", SPAN, "agree"),
        finding(folder, "ben", SPAN, "agree"),
        finding(folder, "anna", LOAD, "disagree", tags=["harmless"], comment="it hangs"),
        missed(folder, EVIL, "clear_span", EVIL, comment=EVIL, tags=[EVIL]),
    )
    return folder


def build(place, where=None):
    found = gather([place])
    return build_page(found, figures_of(found.rows, found.records), where)


def test_it_says_how_people_agree(run):
    page = Page(build(run))
    text = " ".join(page.texts)
    for words in ("anna", "ben", "3 annotators", "2 structures", "8 judgments", "harmless"):
        assert words in text
    assert "1 of 1" in text
    assert "Clear span" in text
    assert "anna: faulty; ben: sound" in text
    assert "the checks" in text


def test_disputes_lead_to_the_attempt_in_the_report(run, tmp_path):
    links = [a["href"] for tag, a in Page(build(run, tmp_path)).tags if tag == "a" and "href" in a]
    assert links == ["a%20run%20%231/report.html#attempt-1"]
    report = (run / "report.html").read_text(encoding="utf-8")
    assert 'class="attempt failed" id="attempt-1"' in report
    (run / "report.html").unlink()
    assert not [a for tag, a in Page(build(run, tmp_path)).tags if tag == "a" and "href" in a]


def test_nothing_of_a_name_or_a_comment_runs(run):
    text = build(run)
    page = Page(text)
    assert not [a for tag, a in page.tags if tag == "img"]
    assert text.count("<script>") == 1
    assert not re.search(r"[\x00\x1b\u202e\ud800-\udfff]", text)
    assert "default-src 'none'" in text
    text.encode("utf-8")


def test_without_any_judgment_it_says_so(tmp_path):
    found = Gathered()
    text = " ".join(Page(build_page(found, figures_of([], {}))).texts)
    assert "Nobody has judged anything here yet." in text
