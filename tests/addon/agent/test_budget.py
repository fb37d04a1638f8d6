# SPDX-License-Identifier: GPL-3.0-or-later
"""Which limit ends an episode, and what counts against it."""

import pytest
from plumbline.addon.agent.agents import Limits
from plumbline.addon.agent.budget import Budget, Ended
from plumbline.addon.agent.messages import Usage


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


def ended(action):
    with pytest.raises(Ended) as error:
        action()
    return error.value.end


def test_attempts_are_numbered_and_run_out():
    budget = Budget(Limits(attempts=2))
    assert [budget.attempt(), budget.attempt()] == [1, 2]
    assert budget.attempts_left == 0
    assert ended(budget.attempt) == "attempts"
    assert budget.attempts == 2


def test_no_attempts_at_all_is_a_limit_too():
    assert ended(Budget(Limits(attempts=0)).attempt) == "attempts"


def test_what_is_our_own_affair_takes_no_time():
    clock = Clock()
    budget = Budget(Limits(seconds=60), clock)
    clock.now += 10
    with budget.aside():
        clock.now += 500
    assert budget.seconds == 10.0 and budget.seconds_left == 50.0
    budget.check()


def test_time_runs_out():
    clock = Clock()
    budget = Budget(Limits(seconds=60), clock)
    budget.check()
    clock.now = 130.0
    assert budget.seconds_left == 30.0
    clock.now = 160.0
    assert budget.seconds_left == 0.0 and ended(budget.check) == "seconds"


@pytest.mark.parametrize(
    ("limits", "end"),
    [(Limits(tokens=1000), "tokens"), (Limits(cost=0.5), "cost"), (Limits(seconds=0), "seconds")],
)
def test_each_limit_has_its_own_word(limits, end):
    budget = Budget(limits)
    budget.spend(Usage(600, 200, 100, 100, cost=0.5, calls=1))
    assert ended(budget.check) == end


def test_below_its_limits_it_goes_on():
    budget = Budget(Limits(tokens=1000, cost=0.5))
    budget.spend(Usage(600, 200, 100, 99, cost=0.49, calls=1))
    budget.check()


def test_without_limits_nothing_runs_out_but_the_attempts():
    budget = Budget(Limits())
    budget.spend(Usage(10**9, cost=1e6))
    budget.check()
    assert budget.seconds_left is None


def test_a_cost_that_nobody_knows_is_said_and_ends_nothing():
    budget = Budget(Limits(cost=0.5))
    assert not budget.cost_unknown
    budget.spend(Usage(600, cost=None))
    budget.check()
    assert budget.cost_unknown and budget.plain()["cost"] is None


def test_the_second_refusal_ends_it():
    budget = Budget(Limits())
    budget.refused()
    assert ended(budget.refused) == "refusal"
