# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of ``plumbline selftest``."""

from __future__ import annotations

import argparse

from ...tasks.houses.parameters import STYLES

#: Cases where nobody says how many: some two hundred a style.
CASES = 2600


def add_selftest(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the program's."""
    command = commands.add_parser(
        "selftest",
        help="precision and recall of the checks over seeded defects",
        allow_abbrev=False,
    )
    command.add_argument("kind", choices=("timber",), help="whose checks")
    command.add_argument(
        "--cases", type=_positive, default=CASES, metavar="N", help=f"default: {CASES}"
    )
    command.add_argument("--seed", type=_seed, default=1, metavar="S", help="default: 1")
    command.add_argument(
        "--styles", nargs="+", choices=tuple(STYLES), metavar="STYLE",
        help=f"default: all of {', '.join(STYLES)}",
    )  # fmt: skip
    command.add_argument(
        "--workers", type=_positive, default=1, metavar="N", help="processes; default: 1"
    )
    command.add_argument("--out", metavar="FILE.md", help="write the scorecard as a page")
    command.add_argument("--json", action="store_true", help="the scorecard as one object")


def _positive(text: str) -> int:
    value = _number(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{value} is not 1 or more")
    return value


def _seed(text: str) -> int:
    value = _number(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f"{value} is negative")
    return value


def _number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number") from None
