# SPDX-License-Identifier: GPL-3.0-or-later
"""What a terminal shows of a record: worst first, consequences under it, no figure cut."""

import io
from dataclasses import replace

import pytest
from plumbline.addon.runs import table
from plumbline.addon.runs.console import Console, Style, style_of
from plumbline.addon.runs.verdicts import not_judged
from plumbline.checks.result import CheckResult, Finding

PLAIN = Style(width=120)


def shown(record, style=PLAIN, everything=False):
    return list(table.lines(record, style, everything))


def test_the_worst_root_comes_first_and_carries_its_consequences(record):
    lines = shown(record)
    assert lines[0] == "FAILED  timber/cabin"
    assert "140 members" in lines[1] and "3 faults, 2 more follow from them" in lines[1]
    rows = [line.split()[:2] for line in lines if line.startswith("  ") and "_" in line]
    assert rows[0] == ["load_path", "Sill_02"]
    follower = next(i for i, line in enumerate(lines) if "└ load_path, Joist_01" in line)
    assert follower < next(i for i, line in enumerate(lines) if "Joist_07" in line)
    joist = next(line for line in lines if line.startswith("  clear_span"))
    assert "4.120 m (13' 6 3/16\")" in joist and "-210 mm" in joist and "2.40, 1.22, 0.55" in joist
    assert any("[IRC R502.3.1]" in line for line in lines)
    assert "  note: 2 hidden objects were skipped" in lines


@pytest.mark.parametrize("width", [40, 60, 80, 100, 160])
def test_lines_keep_to_the_width(record, width):
    lines = shown(record, Style(width=width))
    assert max(map(len, lines)) <= width
    assert any("Sill_02" in line for line in lines)


def test_colour_only_where_there_is_colour(record):
    assert not any("\x1b" in line for line in shown(record))
    coloured = shown(record, Style(colour=True, width=120))
    assert coloured[0] == "\x1b[31;1mFAILED\x1b[0m  \x1b[1mtimber/cabin\x1b[0m"


def test_names_cannot_speak_to_the_terminal(judgement):
    from plumbline.addon.runs.records import Result

    name = "Stud\x1b]0;owned\x07\x1b[2J\n┃"
    finding = Finding("clash", name, f"{name} clashes\r", related=(name,), clause="\x1b[0m")
    check = CheckResult("clash", "failed", (finding,))
    result = Result(replace(judgement, checks=(check,), notes=(name,)), source=name)
    for line in shown(result.to_record(), Style(width=70)):
        assert line.isprintable()


def test_thousands_of_findings_are_counted_not_printed(crowded):
    record = crowded.to_record()
    lines = shown(record)
    assert len(lines) < 200
    assert any("475 more faults (--all shows them)" in line for line in lines)
    assert any("6 more that follow from it" in line for line in lines)
    assert len(shown(record, everything=True)) > 5000


def test_reasons_of_what_was_not_decided_are_told_once():
    record = not_judged("engineering", "timeout", "it took too long", ["a", "b"]).to_record()
    lines = shown(record)
    assert lines[0].startswith("NOT JUDGED")
    assert "    a, b: not run: it took too long" in lines


def test_an_optional_check_without_subjects_is_no_news(record):
    assert not any("there is no post" in line for line in shown(record))
    record["checks"][4]["required"] = True
    assert "    point_load: nothing to check: there is no post" in shown(record)


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self):
        return True


def test_colour_is_for_terminals_that_want_it(monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    assert style_of(Terminal(), {"TERM": "xterm"}).colour
    assert not style_of(Terminal(), {"TERM": "xterm", "NO_COLOR": "1"}).colour
    assert style_of(Terminal(), {"TERM": "xterm", "NO_COLOR": "1"}).terminal
    assert not style_of(Terminal(), {"TERM": "dumb"}).terminal
    assert not style_of(io.StringIO(), {"TERM": "xterm"}).colour


def test_a_plain_alphabet_gets_plain_signs(record):
    latin = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    style = style_of(latin, {})
    assert not style.unicode
    text = "\n".join(shown(record, style))
    assert text.isascii() and "- load_path, Joist_01" in text


def test_a_reader_that_has_gone_is_no_error():
    class Gone(io.StringIO):
        def write(self, text):
            raise BrokenPipeError

    console = Console(Gone(), io.StringIO(), {})
    console.line("one")
    console.line("two")
