# SPDX-License-Identifier: GPL-3.0-or-later
"""A record is strict JSON of the published schema, whatever was judged."""

import json
from dataclasses import replace

import numpy as np
import pytest
from jsonschema import Draft202012Validator
from plumbline.addon.runs import records
from plumbline.checks.result import CheckResult, Finding, Judgement


@pytest.fixture
def validator():
    Draft202012Validator.check_schema(records.schema())
    return Draft202012Validator(records.schema())


def test_record_has_the_published_shape(record, validator):
    validator.validate(record)
    assert record["schema"] == "plumbline.result/1"
    assert record["verdict"] == "failed"
    finding = record["checks"][1]["findings"][0]
    assert finding["subject"] == "Sill_02"
    assert finding["margin"] == pytest.approx(-0.249)
    assert finding["location"] == [3.66, 10.97, 0.019]
    assert finding["detail"]["to"] == [0.0, 0.0, 0.25]
    assert "check" not in finding  # it stands at the check


def test_a_line_comes_back_as_the_record(record):
    line = records.to_line(record)
    assert "\n" not in line
    assert json.loads(line) == record


def test_what_is_not_finite_becomes_null(record):
    assert record["checks"][2]["figures"] == {"worst": None}
    assert records.clean([float("inf"), np.float32("nan"), np.array([1.5, np.inf])]) == [
        None,
        None,
        [1.5, None],
    ]


def test_names_of_every_kind_survive_in_ascii(judgement, validator):
    name = 'Stud\n\x1b[31m"\ud800 😀'
    finding = Finding("clash", name, f"{name} clashes", related=(name,))
    check = CheckResult("clash", "failed", (finding,))
    record = records.Result(replace(judgement, checks=(check,))).to_record()
    line = records.to_line(record)
    assert line.isascii() and line.isprintable()
    back = json.loads(line)
    assert back["checks"][0]["findings"][0]["subject"] == name
    validator.validate(back)


def test_numpy_and_sets_and_strangers_become_plain():
    class Strange:
        def __str__(self):
            return "strange"

    plain = records.clean({1: {np.int64(3)}, "t": (np.bool_(True), np.str_("x")), "s": Strange()})
    assert plain == {"1": [3], "t": [True, "x"], "s": "strange"}
    assert type(plain["t"][0]) is bool


def test_the_schema_refuses_what_fails_open(record, validator):
    passed_with_findings = json.loads(records.to_line(record))
    passed_with_findings["checks"][1]["status"] = "passed"
    assert not validator.is_valid(passed_with_findings)
    undecided_without_reason = json.loads(records.to_line(record))
    undecided_without_reason["checks"][4]["reason"] = None
    assert not validator.is_valid(undecided_without_reason)
    nameless = json.loads(records.to_line(record))
    del nameless["verdict"]
    assert not validator.is_valid(nameless)


def test_a_judgement_without_checks_is_a_valid_record(validator):
    record = records.Result(Judgement("timber", "paper", ())).to_record()
    validator.validate(record)
    assert record["verdict"] == "not_judged"
