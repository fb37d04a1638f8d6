# SPDX-License-Identifier: GPL-3.0-or-later
"""What is no record by the published schema is none for us; what is one can be shown."""

import copy
import json

import pytest
from jsonschema import Draft202012Validator
from plumbline.addon.runs.records import schema
from plumbline.addon.runs.report import write_report
from plumbline.addon.runs.runfolder import RunFolderError, RunWriter, read_run
from plumbline.addon.runs.shape import completed, is_record

pytestmark = pytest.mark.once

WRONG = [None, True, 3, -1.5, "x", "", [], [1], {}, {"a": 1}, [[]], [{}]]


def places(value, path=()):
    yield path
    if isinstance(value, (dict, list)):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(item, (*path, key))


def changed(record, path, value, missing=False):
    record = copy.deepcopy(record)
    at = record
    for key in path[:-1]:
        at = at[key]
    if missing:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return record


def mutants(record):
    """The record with everything in it replaced by values of all types, and taken out."""
    plain = json.loads(json.dumps(record))
    for path in places(plain):
        if path:
            yield changed(plain, path, None, missing=True)
            for value in WRONG:
                yield changed(plain, path, value)


def test_it_agrees_with_a_whole_validator(record):
    validator = Draft202012Validator(schema())
    assert is_record(json.loads(json.dumps(record)))
    told = {True: 0, False: 0}
    for mutant in mutants(record):
        valid = validator.is_valid(mutant)
        assert is_record(mutant) == valid, mutant
        told[valid] += 1
    assert min(told.values()) > 100


def test_it_knows_every_keyword_of_the_schema():
    known = {
        "$schema", "$id", "$defs", "$ref", "title", "description", "type", "const", "enum",
        "required", "properties", "additionalProperties", "items", "minItems", "maxItems",
        "minLength", "minimum", "anyOf", "allOf", "if", "then",
    }  # fmt: skip

    def keywords(rule):
        for key, value in rule.items():
            yield key
            if key in ("properties", "$defs"):
                for inner in value.values():
                    yield from keywords(inner)
            elif isinstance(value, dict):
                yield from keywords(value)
            elif isinstance(value, list):
                for inner in value:
                    if isinstance(inner, dict):
                        yield from keywords(inner)

    assert set(keywords(schema())) <= known


def run_with(tmp_path, lines):
    with RunWriter(tmp_path / "run", {"tasks": ["timber/*"], "profile": "engineering"}, {}):
        pass
    (tmp_path / "run" / "results.jsonl").write_text("".join(line + "\n" for line in lines))
    return tmp_path / "run"


def test_records_without_optional_fields_are_shown(tmp_path, record):
    required = schema()["required"]
    bare = {name: record[name] for name in required}
    bare["timing"] = {"total": "long"}
    for check in bare["checks"]:
        check.pop("required")
        for finding in check["findings"]:
            for name in ("subject_kind", "follows", "detail"):
                finding.pop(name)
    run = run_with(tmp_path, [json.dumps(bare)])
    assert len(read_run(run).records) == 1
    assert "cabin" in write_report(run).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "line",
    [
        '{"schema": "plumbline.result/1", "checks": [1, 2]}',
        '{"schema": "plumbline.result/1", "checks": [], "task": [1]}',
        "[" * 100_000,
        "3",
        '{"epoch": ' + "1" * 5000 + "}",
    ],
)
def test_lines_that_are_no_records_are_dropped_and_named(tmp_path, record, line):
    run = run_with(tmp_path, [line, json.dumps(record)])
    read = read_run(run)
    assert read.notes == ("results.jsonl line 1 is no record and was dropped",)
    assert len(read.records) == 1
    assert write_report(run).is_file()


def test_every_valid_mutant_can_be_reported(tmp_path, record):
    good = [m for m in mutants(record) if is_record(m)][::7]
    for number, mutant in enumerate(good):
        mutant["epoch"] = number + 1
    run = run_with(tmp_path, map(json.dumps, good))
    assert len(read_run(run).records) == len(good)
    assert write_report(run).is_file()


@pytest.mark.parametrize(
    "header",
    [
        {},
        {"sessions": []},
        {"sessions": [3]},
        {"sessions": [{"asked": {}}]},
        {"sessions": [{"asked": {"tasks": 5}, "versions": {}}]},
        {"sessions": [{"asked": {"tasks": [5]}, "versions": {}}]},
        {"sessions": [{"asked": {"timeout": "x"}, "versions": {}}]},
    ],
)
def test_a_header_that_says_nothing_is_damaged(tmp_path, header):
    (tmp_path / "run.json").write_text(json.dumps({"schema": "plumbline.run/1", **header}))
    with pytest.raises(RunFolderError, match=r"run\.json: is damaged \(its sessions don't say"):
        read_run(tmp_path)


def test_a_header_nested_without_end_is_damaged(tmp_path):
    (tmp_path / "run.json").write_text("[" * 100_000)
    with pytest.raises(RunFolderError, match="nested too deeply"):
        read_run(tmp_path)


def test_completing_changes_nothing_that_is_there(record):
    plain = json.loads(json.dumps(record))
    assert completed(plain) == plain
