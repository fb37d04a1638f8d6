# SPDX-License-Identifier: GPL-3.0-or-later
"""What a run is asked for: said now, else asked before, else the default."""

import math

import pytest
from plumbline.addon.agent.agents import AgentError, Limits
from plumbline.addon.runs.asked import Asked, asked_of
from plumbline.addon.runs.cli import _parser as parser
from plumbline.addon.runs.runfolder import RunFolderError, RunWriter, read_run
from plumbline.tasks import SMOKE


def asked(*words, before=None):
    return asked_of(parser().parse_args(["run", *words]), before)


def written(folder, value, **changes):
    with RunWriter(folder, {**value.plain(), **changes}, {}):
        pass
    return read_run(folder)


def test_without_options_it_is_the_smoke_suite_by_the_scripted_agent():
    value = asked()
    assert value == Asked() and value.tasks == SMOKE and value.agent == "scripted"
    assert value.limits() == Limits() and value.contained() == "auto"
    assert value.seed is None  # nothing is sent that nobody asked for


def test_every_option_of_an_agent_reaches_it():
    value = asked(
        *("--agent", "openai/x", "--protocol", "tools", "--base-url", "http://h/v1"),
        *("--api", "chat", "--effort", "high", "--temperature", "0", "--max-tokens", "9"),
        *("--seed", "-1", "--no-planner", "--require-visual-similarity", "--edit-from", "r"),
        *("--reserve-last-launch", "--attempts", "2", "--retries", "0", "--max-seconds", "3"),
        *("--max-tokens-total", "4", "--max-cost", "0.5"),
    )
    options = value.agent_options()
    assert (options.protocol, options.api, options.effort) == ("tools", "chat", "high")
    assert (options.temperature, options.max_tokens, options.seed) == (0.0, 9, -1)
    assert options.planner is False and options.require_visual_similarity is True
    assert options.reserve_last_launch is True and options.edit_from == "r"
    assert value.limits() == Limits(2, 0, 3.0, 4, 0.5)


def test_a_resumed_run_keeps_what_it_was_asked(tmp_path):
    first = asked("--agent", "anthropic/x", "--epochs", "3", "--no-planner", "--max-cost", "2",
                  "--protocol", "reactive", "--workers", "2", "--tasks", "timber/a*")  # fmt: skip
    before = written(tmp_path / "run", first)
    assert asked(before=before) == first
    changed = asked("--workers", "1", "--max-cost", "inf", before=before)
    assert changed.workers == 1 and changed.max_cost is None and changed.epochs == 3
    with pytest.raises(RunFolderError, match="made with protocol reactive, not managed"):
        RunWriter(tmp_path / "run", asked("--protocol", "managed", before=before).plain(), {}, True)


def test_a_run_of_an_older_version_can_be_resumed(tmp_path):
    with RunWriter(tmp_path / "old", {"agent": "scripted", "seed": 0, "profile": "paper"}, {}):
        pass
    value = asked(before=read_run(tmp_path / "old"))
    assert (value.profile, value.seed, value.epochs) == ("paper", 0, 1)


@pytest.mark.parametrize(
    ("name", "value"), [("epochs", "3"), ("planner", 1), ("max_cost", "1"), ("effort", 2)]
)
def test_a_header_of_odd_types_is_damaged(tmp_path, name, value):
    with pytest.raises(RunFolderError, match="is damaged"):
        written(tmp_path / "run", asked(), **{name: value})


def test_a_replay_is_asked_what_its_run_was(tmp_path):
    first = asked("--agent", "openai/x", "--protocol", "managed", "--profile", "paper",
                  "--tasks", "timber/cabin", "--workers", "3", "--max-seconds", "9",
                  "--max-cost", "1", "--base-url", "http://gone/v1", "--epochs", "2")  # fmt: skip
    written(tmp_path / "run", first)
    value = asked("--agent", f"replay:{tmp_path / 'run'}")
    assert (value.protocol, value.profile, value.tasks) == ("managed", "paper", ("timber/cabin",))
    assert (value.max_cost, value.max_seconds, value.base_url) == (1.0, None, None)
    assert (value.epochs, value.workers) == (1, 1)


def test_isolation_is_what_was_asked_for():
    assert asked("--require-isolation").contained() == "bubblewrap"
    assert asked("--require-isolation", "process").contained() == "auto"
    assert asked("--isolation", "process").contained() == "process"
    with pytest.raises(AgentError, match="weaker than --require-isolation"):
        asked("--isolation", "process", "--require-isolation").contained()


@pytest.mark.parametrize("words", [("--max-cost", "0"), ("--temperature", "nan"), ("--epochs", "0"),
                                   ("--retries", "-1"), ("--max-seconds", "nan")])  # fmt: skip
def test_numbers_that_mean_nothing_are_refused(words, capsys):
    with pytest.raises(SystemExit):
        asked(*words)
    assert words[0] in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--temperature", "hot"), "'hot' is no temperature; give a number from 0 up"),
        (("--budget-cost", "$5"), "'$5' is no limit; give a number above 0, or inf"),
        (("--workers", "two"), "'two' is no whole number from 1 up"),
        (("--timeout", "1m"), "'1m' is no number of seconds above 0"),
        (("--seed", "x"), "'x' is no whole number"),
        (("--protocol", "fast"), "invalid choice: 'fast'"),
    ],
)
def test_what_cannot_be_read_is_said_in_one_line(words, sentence, capsys):
    with pytest.raises(SystemExit) as stop:
        asked(*words)
    (line,) = capsys.readouterr().err.splitlines()
    assert stop.value.code == 2 and sentence in line
    assert line.startswith("plumbline run: ") and line.endswith("see plumbline run --help")


def test_no_limit_is_written_as_none():
    assert asked("--budget-cost", "inf").budget_cost is None
    for limit in ("--max-cost", "--max-seconds", "--max-tokens-total"):
        assert not any(value == math.inf for value in asked(limit, "inf").plain().values())
