# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs run as ``__main__``: their output, their own lines in tracebacks, nothing escapes."""

import sys

import pytest
from plumbline.addon.sandbox.program import OUTPUT_KEPT, Tail, run_program


def test_runs_as_main():
    before = sys.modules["__main__"]
    outcome = run_program(
        "import sys, __main__\n"
        "assert __name__ == '__main__'\n"
        "assert sys.modules['__main__'].__dict__ is globals()\n"
        "print('made', 3, 'studs')\n"
        "print('warning', file=sys.stderr)\n"
    )
    assert outcome.ok
    assert outcome.traceback is None
    assert outcome.stdout == "made 3 studs\nwarning\n"
    assert outcome.seconds >= 0
    assert sys.modules["__main__"] is before


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("x = 1\n1 / 0\n", ["line 2", "1 / 0", "ZeroDivisionError"]),
        ("def f():\n    raise ValueError('no')\nf()\n", ["line 3", "line 2", "ValueError: no"]),
        ("x = (1,\n", ["line 1", "SyntaxError"]),
        ("import sys\nsys.exit('gave up')\n", ["line 2", "SystemExit: gave up"]),
        ("raise KeyboardInterrupt\n", ["KeyboardInterrupt"]),
        ("def f(): f()\nf()\n", ["RecursionError"]),
        ("raise BaseException('hard')", ["BaseException: hard"]),
        ("x = '\\ud800'\nraise ValueError(x)", ["ValueError"]),
        ("class E(Exception):\n    def __str__(self): 1/0\nraise E", ["E"]),
        ("x = '\0'", ["null byte"]),
    ],
)
def test_failures_are_told_by_the_programs_own_lines(source, words):
    outcome = run_program(source)
    assert not outcome.ok
    for word in words:
        assert word in outcome.traceback
    assert __file__ not in outcome.traceback
    assert "program.py" not in outcome.traceback


def test_frames_of_libraries_are_left_out_and_causes_are_kept():
    outcome = run_program(
        "import json\n"
        "try:\n    json.loads('{')\n"
        "except ValueError as error:\n    raise KeyError('plan') from error\n"
    )
    assert "json/decoder" not in outcome.traceback
    assert "JSONDecodeError" in outcome.traceback
    assert "direct cause" in outcome.traceback
    assert 'File "<program>", line 5' in outcome.traceback


@pytest.mark.parametrize("source", ["import sys; sys.exit()", "raise SystemExit(0)", ""])
def test_leaving_in_good_order_is_no_failure(source):
    assert run_program(source).ok


def test_output_is_kept_from_its_end():
    outcome = run_program("for i in range(200_000): print(i)")
    assert len(outcome.stdout) == OUTPUT_KEPT + 1
    assert outcome.stdout.startswith("…")
    assert outcome.stdout.endswith("199999\n")


def test_tail():
    tail = Tail(4)
    assert tail.text() == ""
    tail.write("ab")
    assert tail.text() == "ab"
    tail.write("cdefghij")
    assert tail.text() == "…ghij"
    tail.write("k")
    assert tail.text() == "…hijk"


def test_a_message_without_end_is_cut_in_the_middle():
    outcome = run_program("raise ValueError('x' * 10_000_000 + 'end')")
    assert len(outcome.traceback) < 3000
    assert outcome.traceback.startswith("Traceback")
    assert "ValueError: xxx" in outcome.traceback
    assert "characters left out" in outcome.traceback
    assert outcome.traceback.endswith("xend\n")


def test_a_traceback_without_end_is_cut_in_the_middle():
    outcome = run_program(
        "error = None\nfor i in range(3000):\n    try:\n        raise ValueError(i) from error\n"
        "    except ValueError as caught:\n        error = caught\nraise error\n"
    )
    assert len(outcome.traceback) < OUTPUT_KEPT + 100
    assert outcome.traceback.endswith("ValueError: 2999\n")


@pytest.mark.parametrize("raised", ["ZeroDivisionError()", "SystemExit(self)"])
def test_an_exception_that_cannot_be_shown_is_named(raised):
    outcome = run_program(
        f"class Broken(Exception):\n    def __str__(self): raise {raised}\n    __repr__ = __str__\n"
        "raise Broken\n"
    )
    assert not outcome.ok
    assert "Broken" in outcome.traceback
