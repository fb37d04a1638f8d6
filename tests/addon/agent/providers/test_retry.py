# SPDX-License-Identifier: GPL-3.0-or-later
"""When to ask again."""

from __future__ import annotations

import email.utils

import pytest
from plumbline.addon.agent.providers.retry import Backoff, Policy, SystemClock, retry_after

WALL = 1_700_000_000.0


@pytest.mark.parametrize("shares", [[0.0] * 6, [1.0] * 6, [0.1, 0.9, 0.2, 0.8, 0.3, 0.7]])
def test_the_window_doubles_up_to_its_ceiling(shares):
    policy = Policy(tries=7, base=1.0, ceiling=10.0)
    backoff = Backoff(policy, share=iter(shares).__next__)
    windows = (1.0, 2.0, 4.0, 8.0, 10.0, 10.0)
    waits = [backoff.next(None) for _ in windows]
    assert waits == [share * window for share, window in zip(shares, windows, strict=True)]
    assert backoff.next(None) is None


@pytest.mark.parametrize("asked", [0.0, 0.3, 59.0])
@pytest.mark.parametrize("share", [0.0, 0.4, 1.0])
def test_never_before_the_provider_wants(asked, share):
    wait = Backoff(Policy(), share=lambda: share).next(asked)
    assert asked <= wait <= asked + Policy().base


def test_all_waits_together_are_bounded():
    backoff = Backoff(Policy(tries=100, patience=10.0), share=lambda: 1.0)
    waits = [backoff.next(4.0), backoff.next(4.0), backoff.next(4.0)]
    assert waits == [5.0, 5.0, None]


def test_after_time_outs_it_is_asked_once_more():
    backoff = Backoff(Policy())
    assert backoff.next(None, timed_out=True) is not None
    assert backoff.next(None) is not None
    assert backoff.next(None, timed_out=True) is None


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "12"}, 12.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "12"}, 0.25),
        ({"retry-after-ms": "soon", "retry-after": "12"}, 12.0),
        ({"retry-after": email.utils.formatdate(WALL + 90, usegmt=True)}, 90.0),
        ({"retry-after": email.utils.formatdate(WALL - 90, usegmt=True)}, 0.0),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "later"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "Mon, 99 Foo 2026"}, None),
    ],
)
def test_forms_of_retry_after(headers, seconds):
    assert retry_after(headers, WALL) == seconds


def test_the_real_clock_goes_on():
    clock = SystemClock()
    before = clock.now()
    assert clock.wall() > WALL and clock.now() >= before
