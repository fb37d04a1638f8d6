# SPDX-License-Identifier: GPL-3.0-or-later
"""A thread and the main thread: who does what, who waits for whom, and how it stops."""

from __future__ import annotations

import threading
import time

import pytest
from plumbline.addon.agent.providers.base import Cancelled
from plumbline.addon.session.job import Event, Job, run_to_end


def kinds(events):
    return [event.kind for event in events]


def test_the_thread_thinks_and_the_main_thread_does():
    def work(job):
        job.tell("began", thread=threading.get_ident())
        return job.main.call(threading.get_ident)

    job = Job(work)
    events = run_to_end(job, 10)
    assert job.result == threading.get_ident()
    assert job.state == "finished" and events[-1] == Event("end", {"state": "finished"})
    assert events[0].content["thread"] != job.result


def test_an_error_of_the_main_thread_belongs_to_who_asked():
    def work(job):
        with pytest.raises(ZeroDivisionError):
            job.main.call(lambda: 1 / 0)
        return "went on"

    job = Job(work)
    run_to_end(job, 10)
    assert job.result == "went on"


def test_what_goes_wrong_in_the_thread_is_kept():
    def work(job):
        raise LookupError("no such house")

    job = Job(work)
    run_to_end(job, 10)
    assert job.state == "failed" and "no such house" in job.trace


def test_on_the_main_thread_itself_nothing_waits():
    job = Job(lambda job: None)
    assert job.main.call(lambda: 7, lambda: "never") == 7


def test_a_hindrance_is_told_once_and_waited_for():
    hindered = ["leave Edit Mode"]

    def work(job):
        return job.main.call(lambda: "done", lambda: hindered[0])

    job = Job(work)
    job.start()
    events = []
    deadline = time.monotonic() + 10
    while not events and time.monotonic() < deadline:
        events += job.tick()
    events += [event for _ in range(20) for event in job.tick()]
    assert events == [Event("hindered", {"reason": "leave Edit Mode"})]
    hindered[0] = None
    events = run_to_end(job, 10)
    assert job.result == "done"
    assert events[0] == Event("hindered", {"reason": None})


def test_stopping_takes_back_what_waits():
    done = []

    def work(job):
        job.main.post(lambda: done.append("posted"), lambda: "never")
        job.main.call(lambda: done.append("called"), lambda: "never")

    job = Job(work)
    job.start()
    time.sleep(0.05)
    job.tick()
    assert job.join(5)
    assert job.state == "stopped" and isinstance(job.error, Cancelled)
    assert job.main.idle and done == []


def test_what_was_posted_is_done_before_the_end():
    done = []

    def work(job):
        for i in range(5):
            job.main.post(lambda i=i: done.append(i))

    job = Job(work)
    run_to_end(job, 10)
    assert done == [0, 1, 2, 3, 4] and job.state == "finished"


def test_a_tick_gives_the_window_its_turn():
    """One errand a tick once its time is over, however many wait."""
    release = threading.Event()

    def work(job):
        for _ in range(3):
            job.main.post(lambda: None)
        release.set()

    job = Job(work)
    job.start()
    assert release.wait(5)
    waiting = []
    for _ in range(3):
        job.main.serve(0.0)
        waiting.append(job.main.idle)
    assert waiting == [False, False, True]
    assert job.join(5)


def test_nobody_waits_for_a_thread_that_does_not_listen():
    release = threading.Event()
    job = Job(lambda job: release.wait(30))
    job.start()
    began = time.monotonic()
    assert not job.join(0.2)
    assert time.monotonic() - began < 5
    release.set()
    assert job.join(5) and job.state == "finished"


def until(true, seconds=10.0):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_a_pause_holds_it_at_the_next_gate_and_stops_its_clock():
    passed = []

    def work(job):
        for number in range(3):
            job.gate()
            passed.append(number)

    job = Job(work)
    job.pause()
    job.start()
    until(lambda: job.waiting)
    before = job.seconds
    time.sleep(0.15)
    assert job.paused and not passed and job.seconds == pytest.approx(before, abs=1e-6)
    job.resume()
    run_to_end(job, 10)
    assert passed == [0, 1, 2] and not job.waiting and job.held >= 0.15
    told = [event.content["waiting"] for event in job.tick() if event.kind == "paused"]
    assert not told, "all of it was told already"


def test_a_pause_is_told_and_stopping_ends_it():
    def work(job):
        job.gate()

    job = Job(work)
    job.pause()
    job.start()
    until(lambda: job.waiting)
    job.stop()
    events = run_to_end(job, 10)
    assert [e.content["waiting"] for e in events if e.kind == "paused"] == [True, False]
    assert job.state == "stopped"
