# SPDX-License-Identifier: GPL-3.0-or-later
"""Leave to run code in the session: for a while, and not a moment longer."""

from __future__ import annotations

from plumbline.addon.session.consent import LASTS, WARNING, Consent


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


def test_nobody_has_it_to_begin_with():
    assert not Consent().given and Consent().left == 0.0


def test_it_expires():
    clock = Clock()
    consent = Consent(clock)
    consent.give()
    assert consent.given and consent.left == LASTS == 1800.0
    clock.now += LASTS - 1
    assert consent.given and consent.left == 1.0
    clock.now += 1
    assert not consent.given
    clock.now -= 10  # a clock that is put back gives nothing back
    assert not consent.given


def test_it_can_be_taken_back_and_given_anew():
    consent = Consent(Clock())
    consent.give(60)
    consent.revoke()
    assert not consent.given
    consent.give(60)
    assert consent.left == 60


def test_the_warning_is_plain():
    words = " ".join(WARNING)
    assert "no security boundary" in words and "all your rights" in words
