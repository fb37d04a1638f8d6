# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of ``plumbline export``."""

from __future__ import annotations

import argparse

FORMATS = ("inspect", "atif", "jsonl")


def add_export(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the program's."""
    export = commands.add_parser(
        "export", help="write logs of runs that other programs open", allow_abbrev=False
    )
    export.add_argument("runs", nargs="+", metavar="RUN_DIR")
    export.add_argument(
        "--format",
        choices=FORMATS,
        required=True,
        help="inspect: for `inspect view`; atif: Harbor's trajectories; jsonl: one file of lines",
    )
    export.add_argument("--out", metavar="DIR", help="default: export/FORMAT in the run folder")
