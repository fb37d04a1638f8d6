# SPDX-License-Identifier: GPL-3.0-or-later
"""A bar on a terminal, silence elsewhere, and a time left that falls."""

import io

import pytest
from plumbline.addon.runs.console import Style
from plumbline.addon.runs.progress import Progress


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def test_the_time_left_falls_with_what_is_done():
    clock = Clock()
    progress = Progress(io.StringIO(), Style(), total=4, clock=clock)
    assert progress.left() is None
    left = []
    for name in "abcd":
        progress.started(name)
        clock.now += 10.0
        progress.finished(name)
        left.append(progress.left())
    assert left == [pytest.approx(30), pytest.approx(20), pytest.approx(10), 0]


def test_the_bar_is_drawn_on_one_line_and_taken_away():
    stream = io.StringIO()
    progress = Progress(stream, Style(width=60, terminal=True), total=2, clock=Clock())
    progress.started("timber/\x1b[2Jcabin" + "x" * 100)
    progress.finished("a")
    progress.draw(force=True)
    progress.clear()
    text = stream.getvalue()
    assert "\n" not in text and text.endswith("\r\x1b[K")
    assert text.count("\x1b") == 3  # ours, to erase the line, and nobody else's
    assert all(len(part) < 60 for part in text.split("\r\x1b[K"))
    assert "1/2" in text


def test_off_a_terminal_nothing_is_drawn():
    stream = io.StringIO()
    progress = Progress(stream, Style(), total=1)
    progress.started("a")
    progress.draw(force=True)
    progress.clear()
    assert stream.getvalue() == ""


def test_the_bar_says_what_is_done_now_what_passed_and_what_it_cost():
    stream = io.StringIO()
    progress = Progress(stream, Style(width=160, terminal=True), total=4, clock=Clock())
    progress.started("timber/hut")
    progress.doing("timber/hut", "floor: try 2, waiting for the model")
    progress.doing("timber/gone", "nothing")  # an attempt that has just ended
    progress.draw(force=True)
    assert stream.getvalue().endswith("timber/hut: floor: try 2, waiting for the model")
    assert "gone" not in stream.getvalue() and "passed" not in stream.getvalue()
    progress.finished("timber/hut", {"verdict": "passed", "usage": {"cost": 0.125}})
    progress.finished("timber/barn", {"verdict": "failed", "usage": {"cost": 0.25}})
    progress.finished("timber/shed", {"verdict": "failed", "usage": {"cost": None}})
    progress.draw(force=True)
    assert "3/4" in stream.getvalue() and "33% passed, $0.38" in stream.getvalue()
