# SPDX-License-Identifier: GPL-3.0-or-later
"""What the alarm stops, what it tells, and what it leaves behind: nothing."""

from __future__ import annotations

import signal
import threading
import time

import pytest
from plumbline.addon.session import alarm
from plumbline.addon.session.alarm import Alarm, TooLong

if not hasattr(signal, "setitimer"):
    pytest.skip("this system has no alarm", allow_module_level=True)


def state():
    return signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)[0]


def test_it_ends_an_endless_loop():
    before = state()
    with Alarm(0.1) as rung:
        while True:
            pass
    assert rung.rang
    assert state() == before


def test_it_leaves_quick_code_alone():
    before = state()
    with Alarm(5) as rung:
        pass
    assert not rung.rang and state() == before


def test_ordinary_handlers_of_exceptions_do_not_swallow_it():
    with Alarm(0.1) as rung:
        while True:
            try:
                while True:
                    pass
            except Exception:
                pytest.fail("swallowed")
    assert rung.rang


def test_who_swallows_it_once_is_rung_again_and_found_out():
    with Alarm(0.1) as rung:
        try:
            while True:
                pass
        except BaseException:
            pass
        while True:  # rings again
            pass
    assert rung.rang


def test_what_swallows_it_and_ends_is_told_all_the_same():
    with Alarm(0.1) as rung:
        try:
            while True:
                pass
        except TooLong:
            pass
    assert rung.rang


def test_other_errors_pass():
    before = state()
    with pytest.raises(KeyError), Alarm(5):
        raise KeyError("house")
    assert state() == before


def test_elsewhere_there_is_none():
    seen = []

    def there():
        with Alarm(0.01) as rung:
            time.sleep(0.05)
        seen.append((alarm.available(), rung.rang))

    thread = threading.Thread(target=there)
    thread.start()
    thread.join()
    assert seen == [(False, False)]
