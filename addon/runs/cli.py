# SPDX-License-Identifier: GPL-3.0-or-later
"""The program ``plumbline``: what its options are, and which code it ends with.

Exit codes: 2 if the usage was wrong or an input was unreadable (the rest is judged all the same),
else 1 if anything failed, else 3 if anything was not judged, else 0; 130 when interrupted.
"""

from __future__ import annotations

import argparse
import contextlib
import signal
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from typing import NoReturn

from ...checks.voxel.stress.score import METHODS
from ..kinds import KINDS, PROFILES
from . import versions
from .annotations_options import add_annotations
from .console import Console, console
from .export_options import add_export
from .generate_options import add_generate
from .run_options import add_run_options
from .selftest_options import add_selftest
from .session_options import add_session
from .storage import StorageError

PASSED, FAILED, UNREADABLE, NOT_JUDGED, INTERRUPTED = 0, 1, 2, 3, 130
TERMINATED = 143


def exit_code(verdicts: Iterable[str], unreadable: bool = False) -> int:
    """The code for what was judged."""
    found = set(verdicts)
    if unreadable:
        return UNREADABLE
    if "failed" in found:
        return FAILED
    return NOT_JUDGED if "not_judged" in found else PASSED


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program with ``argv`` (default: the process's) and return its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        options = _parser().parse_args(arguments or ["run"])
    except SystemExit as stop:  # argparse has said what was wrong, or shown the help
        return stop.code if isinstance(stop.code, int) else UNREADABLE
    with _terminable(), console(machine=getattr(options, "json", False)) as terminal:
        try:
            code = _command(options, terminal)
            return UNREADABLE if terminal.failed else code
        except KeyboardInterrupt:
            terminal.warn("interrupted")
            return INTERRUPTED
        except StorageError as error:
            terminal.warn(str(error))
            return UNREADABLE


def _command(options: argparse.Namespace, terminal: Console) -> int:
    """Import only what the command needs: `tasks list` must not wait for SciPy."""
    if options.command == "check":
        from . import check_command

        return check_command.check(options, terminal)
    if options.command == "run":
        from . import run_command

        return run_command.run(options, terminal)
    if options.command == "session":
        from . import session_command

        return session_command.session(options, terminal)
    if options.command == "rejudge":
        from . import rejudge_command

        return rejudge_command.rejudge(options, terminal)
    if options.command == "compare":
        from . import compare_command

        return compare_command.comparison(options, terminal)
    if options.command == "export":
        from . import export

        return export.export(options, terminal)
    if options.command == "harness":
        from . import harness_command

        return harness_command.harness(options, terminal)
    if options.command == "report":
        from . import report_command

        return report_command.report(options, terminal)
    if options.command == "annotations":
        from . import annotations_command

        return annotations_command.tell(options, terminal)
    if options.command == "selftest":
        from . import selftest_command

        return selftest_command.selftest(options, terminal)
    if options.command == "tasks":
        if options.action == "generate":
            from . import generate_command

            return generate_command.generate(options, terminal)
        from . import tasks_command

        return tasks_command.tasks(options, terminal)
    from . import doctor

    return doctor.doctor(options, terminal)


class _Terminated(SystemExit):
    """Somebody asked the process to end."""


@contextlib.contextmanager
def _terminable() -> Iterator[None]:
    """Let a request to end (SIGTERM) close everything on its way out, workers above all."""
    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return

    def end(number: int, frame: object) -> None:
        raise _Terminated(TERMINATED)

    signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


class _Parser(argparse.ArgumentParser):
    """Says what was wrong in one line, without the whole usage before it; so do its commands."""

    def error(self, message: str) -> NoReturn:
        self.exit(UNREADABLE, f"{self.prog}: {message}; see {self.prog} --help\n")


def _parser() -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = _Parser(
        prog="plumbline",
        description="Finds out whether what was built would stand, member by member.",
        epilog="Without a command the bundled smoke suite is run with the scripted agent. "
        "Exit codes: 0 passed, 1 failed, 2 unreadable input or wrong usage, 3 not judged, "
        "130 interrupted.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"plumbline {versions.plumbline()}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_run(commands)
    _add_check(commands)
    _add_tasks(commands)
    _add_report(commands)
    add_export(commands)
    add_annotations(commands)
    _add_rejudge(commands)
    _add_compare(commands)
    add_session(commands)
    add_selftest(commands)
    _add_harness(commands)
    _add_doctor(commands)
    return parser


def _add_run(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    run = commands.add_parser(
        "run", help="let an agent build tasks and judge them", allow_abbrev=False
    )
    add_run_options(run)
    _add_json(run)


def _add_check(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    check = commands.add_parser("check", help="judge existing files", allow_abbrev=False)
    check.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help=".blend, submission .json, .ifc; blocks: .js, .jsonl, .schem, .schematic, .litematic",
    )
    check.add_argument(
        "--kind", choices=tuple(KINDS), help="default: that of the task, or of what the file holds"
    )
    check.add_argument("--task", metavar="TASK", help="id or path of the task that sets the values")
    check.add_argument("--profile", choices=PROFILES, help="default: that of the kind")
    check.add_argument(
        "--rubric", metavar="FILE", help="what a simulation is judged by (JSON), without a task"
    )
    check.add_argument(
        "--turns", action="store_true", help="the files are the turns of one voxel problem"
    )
    check.add_argument(
        "--stress",
        choices=METHODS,
        help="add the stress of blocks: finite elements, or as published",
    )
    check.add_argument(
        "--stress-reference",
        metavar="NAME",
        help="fail beyond it: a stress in Pa, 'task', or a layout such as roof_2_5 (default: none)",
    )
    check.add_argument("--all", action="store_true", help="list every finding")
    _add_json(check)


def _add_tasks(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    tasks = commands.add_parser(
        "tasks", help="list, show, validate and generate tasks", allow_abbrev=False
    )
    actions = tasks.add_subparsers(dest="action", required=True, metavar="ACTION")
    listing = actions.add_parser("list", help="the bundled tasks", allow_abbrev=False)
    listing.add_argument("selectors", nargs="*", metavar="SELECTOR")
    show = actions.add_parser("show", help="one task with its flawed twins", allow_abbrev=False)
    show.add_argument("task", metavar="ID")
    validate = actions.add_parser("validate", help="look for faults in task files")
    validate.add_argument("paths", nargs="+", metavar="PATH")
    for action in (listing, show, validate, add_generate(actions)):
        action.add_argument("--json", action="store_true", help="one object a line")


def _add_report(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    report = commands.add_parser("report", help="write report.html of runs", allow_abbrev=False)
    report.add_argument("runs", nargs="+", metavar="RUN_DIR")
    report.add_argument("--open", action="store_true", help="show it in the browser")
    report.add_argument("--no-pictures", action="store_true", help="render no missing pictures")
    told = report.add_mutually_exclusive_group()
    told.add_argument(
        "--tables",
        action="store_true",
        help="of voxel tasks: print the published tables over all these runs",
    )
    told.add_argument("--json", action="store_true", help="the same as one object of JSON")


def _add_rejudge(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    rejudge = commands.add_parser(
        "rejudge", help="judge what a run built with today's checks", allow_abbrev=False
    )
    rejudge.add_argument("run", metavar="RUN_DIR")
    rejudge.add_argument("--profile", choices=PROFILES, help="default: that of the run")
    rejudge.add_argument("--out", metavar="DIR", help="new run folder; default: RUN_DIR-rejudged")
    rejudge.add_argument("--no-pictures", action="store_true", help="render nothing")
    _add_json(rejudge)


def _add_compare(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    compare = commands.add_parser("compare", help="what differs between two runs")
    compare.add_argument("a", metavar="RUN_A")
    compare.add_argument("b", metavar="RUN_B")
    compare.add_argument("--json", action="store_true", help="one object an attempt, one a line")


def _add_harness(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    harness = commands.add_parser(
        "harness",
        help="the file for DREAMHOUSE_VALIDATOR of the released DreamHouse harness",
        allow_abbrev=False,
    )
    way = harness.add_mutually_exclusive_group()
    way.add_argument("--install", action="store_true", help="for `dreamhouse run` as well")
    way.add_argument("--remove", action="store_true", help="undo --install")


def _add_doctor(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    doctor = commands.add_parser(
        "doctor", help="what is there, what is missing, how to get it", allow_abbrev=False
    )
    doctor.add_argument("--json", action="store_true", help="one object")


def _add_json(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--json", action="store_true", help="records on standard output, one a line"
    )
    command.add_argument("--json-out", metavar="FILE", help="the same into a file")
