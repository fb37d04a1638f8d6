# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of ``plumbline run``. None has a default here: what isn't said keeps what it was."""

from __future__ import annotations

import argparse
import math

from ..agent.agents import Limits
from ..agent.options import BREVITY
from ..agent.registry import APIS, NAMES, PROTOCOLS
from ..kinds import KINDS, OWN_PROFILE, PROFILES

_LEVELS = ("process", "bubblewrap")


def positive(text: str) -> int:
    """A whole number from 1 up."""
    return _whole(text, 1)


def _from_zero(text: str) -> int:
    return _whole(text, 0)


def _whole(text: str, least: int) -> int:
    try:
        number = int(text)
    except ValueError:
        number = least - 1
    if number < least:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from {least} up")
    return number


def _number(text: str) -> float:
    """The number, or nan, which no comparison lets through."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def seconds(text: str) -> float:
    """A number of seconds above 0."""
    number = _number(text)
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds above 0")
    return number


def _limit(text: str) -> float:
    """A number above 0, or ``inf`` for none."""
    number = _number(text)
    if not number > 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no limit; give a number above 0, or inf")
    return number


def _tokens(text: str) -> float:
    """A whole number from 1 up, or ``inf`` for no limit."""
    return math.inf if text == "inf" else positive(text)


def _temperature(text: str) -> float:
    number = _number(text)
    if not 0 <= number < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is no temperature; give a number from 0 up")
    return number


def _seed(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number") from None


def add_run_options(run: argparse.ArgumentParser) -> None:
    """Add all of them."""
    _add_what(run)
    _add_model(run)
    _add_limits(run)
    _add_isolation(run)


def _add_what(run: argparse.ArgumentParser) -> None:
    run.add_argument(
        "--tasks", nargs="+", metavar="SELECTOR", help="globs over KIND/NAME, or paths of packs"
    )
    run.add_argument("--agent", metavar="NAME", help=f"{', '.join(NAMES)}; default: {NAMES[0]}")
    run.add_argument(
        "--profile",
        choices=(*PROFILES, OWN_PROFILE),
        help="default: " + ", ".join(f"{k.profile} for {k.name}" for k in KINDS.values()),
    )
    run.add_argument("--out", metavar="DIR", help="run folder; default: runs/TIME-AGENT")
    run.add_argument("--limit", type=positive, metavar="N", help="only the first N tasks")
    run.add_argument("--epochs", type=positive, metavar="K", help="every task K times; pass@k")
    run.add_argument("--workers", type=positive, metavar="N", help="Blenders at a time; default: 1")
    run.add_argument("--resume", action="store_true", help="go on with the run in --out")
    run.add_argument("--no-pictures", action="store_true", help="render nothing for people")


def _add_model(run: argparse.ArgumentParser) -> None:
    model = run.add_argument_group(
        "models", "What isn't given is left to the provider, unless a default is named."
    )
    model.add_argument("--protocol", choices=PROTOCOLS, help=f"default: {PROTOCOLS[0]}")
    model.add_argument("--base-url", metavar="URL", help="a compatible server, http://HOST:PORT/v1")
    model.add_argument(
        "--api", choices=APIS, help="of openai/MODEL; default: chat with --base-url, else responses"
    )
    model.add_argument(
        "--effort", metavar="LEVEL", help="how hard it thinks: low, medium, high ..."
    )
    model.add_argument("--temperature", type=_temperature, metavar="X")
    model.add_argument("--max-tokens", type=positive, metavar="N", help="of one reply")
    model.add_argument(
        "--seed", type=_seed, metavar="N", help="repetition K is asked with N + K - 1"
    )
    model.add_argument(
        "--no-planner", dest="planner", action="store_const", const=False, help="without a plan"
    )
    model.add_argument(
        "--require-visual-similarity",
        action="store_const",
        const=True,
        help="send back what is sound but doesn't look like what was asked for",
    )
    model.add_argument(
        "--edit-from",
        metavar="RUN_DIR",
        help="for protocol editing: the run whose structures are edited",
    )
    model.add_argument(
        "--reserve-last-launch",
        action="store_const",
        const=True,
        help="tell the model to keep its last launch for the final validation",
    )
    model.add_argument(
        "--text-tools",
        action="store_const",
        const=True,
        help="for protocol tools: the model has no tool use, so it writes its calls as text",
    )
    model.add_argument(
        "--text-only",
        action="store_const",
        const=True,
        help="the model reads no pictures, so it is sent none",
    )
    model.add_argument(
        "--brevity",
        choices=BREVITY,
        help="whether a builder of blocks is told to be brief; default: with, as published",
    )


def _add_limits(run: argparse.ArgumentParser) -> None:
    limits = run.add_argument_group("limits")
    limits.add_argument("--timeout", type=seconds, metavar="S", help="a program; default: 120")
    limits.add_argument(
        "--attempts", type=positive, metavar="N",
        help=f"programs in one attempt; default: {Limits.attempts}",
    )  # fmt: skip
    limits.add_argument(
        "--retries", type=_from_zero, metavar="N",
        help=f"further tries of one step; default: {Limits.retries}",
    )  # fmt: skip
    limits.add_argument("--max-seconds", type=_limit, metavar="S", help="one attempt")
    limits.add_argument("--max-tokens-total", type=_tokens, metavar="N", help="one attempt")
    limits.add_argument("--max-cost", type=_limit, metavar="DOLLARS", help="one attempt")
    limits.add_argument("--budget-cost", type=_limit, metavar="DOLLARS", help="the whole run")


def _add_isolation(run: argparse.ArgumentParser) -> None:
    isolation = run.add_argument_group("isolation")
    isolation.add_argument(
        "--isolation",
        choices=("auto", *_LEVELS),
        help="default: auto, the strongest there is",
    )
    isolation.add_argument(
        "--require-isolation",
        nargs="?",
        const="bubblewrap",
        choices=_LEVELS,
        metavar="LEVEL",
        help="refuse to run weaker; without a LEVEL bubblewrap",
    )
