# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of ``plumbline session``."""

from __future__ import annotations

import argparse

from ..kinds import PROFILES
from .run_options import positive, seconds

PROTOCOLS = ("tools",)
ISOLATION = ("auto", "process", "bubblewrap")


def add_session(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``session`` to the program's commands."""
    session = commands.add_parser(
        "session", help="build a task by single tool calls", allow_abbrev=False
    )
    actions = session.add_subparsers(dest="action", required=True, metavar="ACTION")
    init = actions.add_parser("init", help="begin in an empty folder", allow_abbrev=False)
    init.add_argument("--task", required=True, metavar="ID", help="a task's id or path")
    init.add_argument("--profile", choices=PROFILES, help="default: that of the kind")
    init.add_argument("--protocol", choices=PROTOCOLS, default=PROTOCOLS[0])
    init.add_argument("--attempts", type=positive, default=30, metavar="N", help="runs of code")
    init.add_argument("--timeout", type=seconds, default=120.0, metavar="S", help="a run of code")
    init.add_argument(
        "--isolation", choices=ISOLATION, default="auto", help="default: the strongest there is"
    )
    init.add_argument("--agent", default="session", metavar="NAME", help="who builds, for records")
    init.add_argument("--model", metavar="NAME", help="kept in the record")
    init.add_argument("--effort", metavar="WORD", help="kept in the record")
    init.add_argument(
        "--reserve-last-launch", action="store_true", help="remind of the last run of code"
    )
    call = actions.add_parser("call", help="call one tool", allow_abbrev=False)
    call.add_argument("tool", metavar="TOOL")
    call.add_argument("arguments", nargs="?", default="{}", metavar="JSON|@FILE|-")
    prompt = actions.add_parser("prompt", help="print the task", allow_abbrev=False)
    status = actions.add_parser("status", help="what stands, what is left", allow_abbrev=False)
    finish = actions.add_parser("finish", help="end and judge", allow_abbrev=False)
    finish.add_argument("--skip", action="store_true", help="leave the task out (agent human)")
    for action in (init, call, prompt, status, finish):
        action.add_argument("--dir", required=True, metavar="DIR", help="the session's folder")
        action.set_defaults(json=True)  # what Blender prints goes to standard error
