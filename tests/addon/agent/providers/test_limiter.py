# SPDX-License-Identifier: GPL-3.0-or-later
"""A limit on questions at once that shrinks on complaint and comes back slowly."""

from __future__ import annotations

import threading

import pytest
from plumbline.addon.agent.providers.base import Cancel
from plumbline.addon.agent.providers.limiter import RECOVERY, SETTLING, Limiter, shared


class Time:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_it_halves_on_complaint_but_once_for_what_was_sent_together():
    now = Time()
    limiter = Limiter(16, now)
    for _ in range(5):
        limiter.complain()
    assert limiter.width == 8
    for expected in (4, 2, 1, 1):
        now.now += SETTLING
        limiter.complain()
        assert limiter.width == expected


def test_it_recovers_one_by_one_and_only_when_all_is_calm():
    now = Time()
    limiter = Limiter(4, now)
    limiter.complain()
    limiter.succeed()
    assert limiter.width == 2
    now.now += RECOVERY
    for _ in range(3):
        limiter.succeed()
    assert limiter.width == 3
    now.now += RECOVERY
    limiter.succeed()
    now.now += RECOVERY
    limiter.succeed()
    assert limiter.width == 4  # never more than at first


def test_who_holds_a_place_keeps_it_and_the_others_wait():
    limiter = Limiter(2)
    cancel, entered, leave = Cancel(), threading.Semaphore(0), threading.Event()
    inside: list[int] = []

    def work(number: int) -> None:
        with limiter.place(cancel):
            inside.append(number)
            entered.release()
            leave.wait(30)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
    for thread in threads[:2]:
        thread.start()
    assert all(entered.acquire(timeout=30) for _ in range(2))
    limiter.complain()  # now one place, and two who hold one
    threads[2].start()
    assert not entered.acquire(timeout=0.05)
    leave.set()
    assert entered.acquire(timeout=30)
    for thread in threads:
        thread.join(30)
    assert sorted(inside) == [0, 1, 2]


def test_a_place_is_given_back_when_its_holder_fails():
    limiter = Limiter(1)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError), limiter.place(Cancel()):
            1 / 0  # noqa: B018
    with limiter.place(Cancel()):
        pass


def test_one_limiter_for_each_host():
    assert shared("a.example") is shared("a.example") is not shared("b.example")
