#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The one way in from a bare checkout: with Python, or inside Blender without a window.

    python3 run_suite.py --setup [--test]               make everything ready, then judge (and test)
    python3 run_suite.py [ARGS]                         the program ``plumbline`` with ARGS
    blender -b --python run_suite.py -- [ARGS]          the same inside that Blender

Without arguments the bundled smoke suite is run. The exit code is the program's own: Blender would
end with 0 whatever a script did, so this process ends itself once everything is written; 70 means
a fault of the program, told by a traceback.

This file must start on every Python since 3.6, if only to say which one is needed; set-up itself
needs 3.8.
"""

import importlib.util
import os
import signal
import subprocess
import sys
import traceback
from pathlib import Path

ROOT = Path(__file__).resolve().parent
PACKAGE = "plumbline"
OLDEST_PYTHON = (3, 11)
INTERNAL_FAULT = 70


def in_blender():
    """Whether this script was started by Blender: nothing else has loaded ``bpy`` before it."""
    return "bpy" in sys.modules


def script_arguments():
    """What was meant for us: everything after ``--`` in Blender, everything otherwise."""
    arguments = sys.argv[1:]
    if in_blender():
        return arguments[arguments.index("--") + 1 :] if "--" in arguments else []
    return arguments[1:] if arguments[:1] == ["--"] else arguments


def load(name, path, **options):
    """Import the file ``path`` under ``name``, whatever folder it lies in."""
    spec = importlib.util.spec_from_file_location(name, str(path), **options)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def load_package():
    """Register this folder as the package, so that its name doesn't matter.

    The folder leaves ``sys.path``: every module must come in as part of the package, or it would
    be there twice.
    """
    sys.path[:] = [entry for entry in sys.path if Path(entry or ".").resolve() != ROOT]
    return load(PACKAGE, ROOT / "__init__.py", submodule_search_locations=[str(ROOT)])


def set_up(arguments):
    """Run the set-up, a file of the standard library only."""
    if in_blender():
        sys.stderr.write(
            "--setup is for Python (`python3 run_suite.py --setup`); this Blender needs none of "
            "it: `blender -b --python run_suite.py` runs at once\n"
        )
        return 2
    load_package()
    from plumbline.addon.runs import setup

    return setup.main(arguments)


def can_judge():
    """Whether this interpreter will do: with a Blender in it, or one that somebody has named."""
    if in_blender():
        return True
    blender = importlib.util.find_spec("bpy") is not None or os.environ.get("PLUMBLINE_BLENDER")
    numpy = importlib.util.find_spec("numpy") is not None
    return bool(blender and numpy and sys.version_info >= OLDEST_PYTHON)


def prepared_python():
    """The interpreter that ``--setup`` made ready, if this one won't do."""
    folder = ROOT / ".venv"
    if can_judge() or Path(sys.prefix).resolve() == folder.resolve():
        return None
    for candidate in (folder / "bin" / "python", folder / "Scripts" / "python.exe"):
        if candidate.exists() and (folder / "plumbline-setup.json").exists():
            return candidate
    return None


def hand_over(python, arguments):
    """Continue with another interpreter; comes back only where a process can't be replaced."""
    command = [str(python), str(ROOT / "run_suite.py"), *arguments]
    sys.stdout.flush()
    sys.stderr.flush()
    if os.name == "posix":
        os.execv(command[0], command)
    return subprocess.call(command)


def run(arguments):
    """Run the command line with ``arguments``; returns its exit code."""
    if "--setup" in arguments:
        return set_up([argument for argument in arguments if argument != "--setup"])
    python = prepared_python()
    if python is not None:
        return hand_over(python, arguments)
    advice = "run `python3 run_suite.py --setup` once, or use `blender -b --python run_suite.py`\n"
    if sys.version_info < OLDEST_PYTHON:
        sys.stderr.write(
            "Plumbline needs Python %d.%d or newer, this is %d.%d: %s"
            % (OLDEST_PYTHON + sys.version_info[:2] + (advice,))
        )
        return 2
    if importlib.util.find_spec("numpy") is None:
        sys.stderr.write("This Python (%s) has no NumPy: %s" % (sys.executable, advice))
        return 2
    load_package()
    from plumbline.addon.runs import cli

    return cli.main(arguments)


def exit_code(arguments):
    """:func:`run`, with every way in which it can end turned into an exit code."""
    try:
        code = run(arguments)
    except KeyboardInterrupt:
        return 130
    except SystemExit as stop:
        if isinstance(stop.code, str):
            sys.stderr.write(stop.code + "\n")
            return 1
        code = stop.code
    except BaseException:
        traceback.print_exc()
        return INTERNAL_FAULT
    return 0 if code is None else int(code)


def leave(code):
    """End the process with ``code``.

    With Blender in the process its teardown is skipped: it would replace our code by its own, and
    may crash after everything was done.
    """
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):  # a closed pipe must not hide the verdict
            pass
    if "bpy" in sys.modules:
        os._exit(code)
    sys.exit(code)


def main():
    # Blender has put its own handler for Ctrl-C in the place of Python's, and would ignore it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(signal, "SIGPIPE"):  # Blender 4 would end when a worker or a client has gone
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a name in emoji must not end a run on a plain console
            stream.reconfigure(errors="backslashreplace")
    leave(exit_code(script_arguments()))


if __name__ == "__main__":
    main()
