# SPDX-License-Identifier: GPL-3.0-or-later
"""Long work: handed on, called off, failing, and what becomes of it when the file goes."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest

pytestmark = pytest.mark.ends

bpy = pytest.importorskip("bpy")


@pytest.fixture
def jobs(empty_scene):
    from plumbline.addon.session import jobs

    yield jobs
    jobs.close(5.0)


@pytest.fixture
def window(monkeypatch, jobs):
    from window_timers import WindowLike

    return WindowLike(monkeypatch, jobs)


@pytest.fixture
def said():
    """What was handed on: results and sentences."""
    return []


def start(jobs, work, said, **options):
    return jobs.start(
        "A job", work, lambda r: said.append(("then", r)), lambda s: said.append(("failed", s)),
        **options,
    )  # fmt: skip


def test_without_a_window_it_is_over_before_it_returns(jobs, said):
    work = start(jobs, lambda job: job.cancel.wait(0.3) or "done", said)
    assert said == [("then", "done")] and work.job.over and jobs.now() == ()


def test_what_is_quick_ends_before_it_returns_in_a_window_too(jobs, window, said):
    start(jobs, lambda job: 7, said, wait=20.0)
    assert said == [("then", 7)] and window.timers == [] and jobs.now() == ()


def test_the_window_is_not_held_up_and_told_how_far_it_is(jobs, window, said):
    go_on = threading.Event()

    def count(job):
        job.tell("progress", done=1, total=4, words="walls")
        go_on.wait(20)
        return "done"

    work = start(jobs, count, said, wait=0.0)
    assert jobs.now() == (work,) and said == []
    window.until(lambda: work.share == 0.25)
    assert work.words == "walls" and jobs.find(work.serial) is work
    go_on.set()
    window.until(lambda: jobs.now() == ())
    assert said == [("then", "done")] and window.timers == []


def test_how_long_it_may_take_is_said_only_once_it_is_known(jobs, window, said):
    go_on = threading.Event()
    work = start(jobs, lambda job: go_on.wait(20), said, wait=0.0)
    assert work.share is None and work.left is None
    work.done, work.total = 1.0, 4.0
    assert work.left is None, "too early to tell"
    work.job._began -= 3.0
    assert work.left == pytest.approx(9.0, rel=0.2)
    work.done = 9.0
    assert work.share == 1.0 and work.left == pytest.approx(0.0)
    go_on.set()


def test_called_off_it_hands_nothing_on(jobs, window, said):
    work = start(jobs, lambda job: job.cancel.wait(30), said, wait=0.0)
    work.cancel()
    assert work.stopping
    window.until(lambda: jobs.now() == ())
    assert said == [] and jobs.failures() == ()


def test_what_ends_by_itself_while_it_is_called_off_is_not_handed_on(jobs, window, said):
    go_on = threading.Event()
    work = start(jobs, lambda job: go_on.wait(20), said, wait=0.0)
    work.cancel()
    go_on.set()
    window.until(lambda: jobs.now() == ())
    assert said == []


def test_a_crash_is_a_message_until_it_is_dismissed(jobs, said, capsys):
    start(jobs, lambda job: [][1], said)
    (failure,) = jobs.failures()
    assert failure.title == "A job" and failure.sentence == "IndexError: list index out of range"
    assert said == [("failed", failure.sentence)]
    assert "in <lambda>" in failure.trace and failure.trace in capsys.readouterr().err
    jobs.dismiss(failure.serial)
    assert jobs.failures() == ()


def test_a_worker_process_that_dies_is_a_message(jobs, said):
    def work(job):
        dying = "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)"
        subprocess.run([sys.executable, "-c", dying], check=True)

    start(jobs, work, said)
    (failure,) = jobs.failures()
    assert "CalledProcessError" in failure.sentence and "SIGSEGV" in failure.sentence


def test_what_is_raised_with_a_sentence_needs_no_traceback(jobs, said, capsys):
    from plumbline.checks.timber.brief import BriefError

    def refuse(job):
        raise BriefError("brief: spacing must be a number")

    start(jobs, refuse, said)
    assert jobs.failures()[0].sentence == "brief: spacing must be a number"
    assert capsys.readouterr().err == ""


def test_the_next_try_takes_the_message_away(jobs, said):
    start(jobs, lambda job: 1 / 0, said)
    start(jobs, lambda job: 1 / 0, said)
    assert len(jobs.failures()) == 1
    start(jobs, lambda job: 1, said)
    assert jobs.failures() == () and said[-1] == ("then", 1)


def test_an_error_of_who_takes_the_result_ends_neither_the_timer_nor_the_others(
    jobs, window, said, capsys
):
    go_on = threading.Event()
    jobs.start("First", lambda job: go_on.wait(20), lambda _: 1 / 0, lambda _: None, wait=0.0)
    start(jobs, lambda job: go_on.wait(20) and "second", said, wait=0.0)
    go_on.set()
    window.until(lambda: jobs.now() == ())
    assert said == [("then", "second")]
    assert [f.title for f in jobs.failures()] == ["First"]
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_work_may_start_work(jobs, window, said):
    first = threading.Event()

    def then(_result):
        start(jobs, lambda job: job.cancel.wait(0.2) or "second", said, wait=0.0)

    jobs.start("First", lambda job: first.wait(20), then, lambda _: None, wait=0.0)
    first.set()
    window.until(lambda: jobs.now() == () and said)
    assert said == [("then", "second")]


def test_closing_calls_everything_off_and_forgets_the_messages(jobs, window, said):
    start(jobs, lambda job: 1 / 0, said, wait=20.0)
    work = start(jobs, lambda job: job.cancel.wait(30), said, wait=0.0)
    del said[:]
    jobs.close(10.0)
    assert work.job.state == "stopped" and jobs.now() == () and jobs.failures() == ()
    assert said == [] and window.timers == []


def test_threads_are_switched_quickly_only_while_something_is_at_work(jobs, window, said):
    usual = sys.getswitchinterval()
    work = start(jobs, lambda job: job.cancel.wait(30), said, wait=0.0)
    assert sys.getswitchinterval() < usual
    work.cancel()
    window.until(lambda: jobs.now() == ())
    assert sys.getswitchinterval() == usual
