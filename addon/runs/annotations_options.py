# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of ``plumbline annotations``."""

from __future__ import annotations

import argparse


def add_annotations(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the program's."""
    command = commands.add_parser(
        "annotations",
        help="what people say of runs: agreement, tables, BCF",
        allow_abbrev=False,
    )
    command.add_argument(
        "places",
        nargs="+",
        metavar="RUN_DIR",
        help="run folder, any folder with annotations in it, or one annotator's .jsonl",
    )
    command.add_argument("--agreement", metavar="PAGE.html", help="write the agreement page")
    command.add_argument("--csv", metavar="FILE", help="write all judgments as a table")
    command.add_argument(
        "--bcf", metavar="FILE", help="write findings, viewpoints and comments as BCF 2.1"
    )
    command.add_argument(
        "--attempt",
        metavar="GLOB",
        help="only attempts of this name, such as 'attempts/timber/cabin/*'",
    )
    command.add_argument("--json", action="store_true", help="the figures as one object")
