# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of judgments: RFC 4180, and nothing in it is a formula."""

import csv
import io

from judged_run import SPAN, finding, make_run, missed, structure
from plumbline.addon.annotations.table import COLUMNS, as_csv

FORMULAS = ("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", '=HYPERLINK("http://x")')


def read(text):
    assert text.endswith("\r\n")
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_cells_come_back_as_they_were(tmp_path):
    run = make_run(tmp_path / "run", report=False)
    comment = 'two\nlines, "quoted", and a comma; é'
    rows = [
        structure(run, "anna", "faulty", rating=2, seconds=12.5, blind=True),
        finding(run, "anna", SPAN, "agree", comment=comment, tags=["harmless", "duplicate"]),
        missed(run, "anna", "clear_span", "Joist_01"),
    ]
    whole, found, marked = read(as_csv(rows))
    assert tuple(whole) == COLUMNS
    assert (whole["opinion"], whole["rating"], whole["blind"]) == ("faulty", "2", "yes")
    assert (whole["verdict"], whole["seconds"], whole["x"]) == ("failed", "12.5", "")
    assert found["comment"] == comment
    assert (found["tags"], found["member"]) == ("harmless; duplicate", "Joist_07")
    assert [marked[axis] for axis in "xyz"] == ["1.0", "-2.0", "0.5"]


def test_no_text_is_a_formula(tmp_path):
    run = make_run(tmp_path / "run", report=False)
    for text in FORMULAS:
        # An annotator's name is tidied; a member's or a tag's is not.
        (cells,) = read(as_csv([missed(run, f"{text}", "clear_span", text, tags=[text])]))
        assert cells["member"] == f"'{text}"
        assert cells["annotator"].startswith("'")
        assert cells["tags"].startswith("'")


def test_nothing_is_a_heading():
    assert as_csv([]).strip().split(",") == list(COLUMNS)
