# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs inside the windowed Blender: does what the test sends, one request at a time.

A request is a Python file in the folder ``PLUMBLINE_BOX``; the value of its ``result`` comes back
as JSON beside it. Requests run in Blender's own event loop, between its redraws. What was printed
until then is in the log when the answer comes.
"""

from __future__ import annotations

import ctypes
import faulthandler
import json
import os
import sys
import time
import traceback
from pathlib import Path

import bpy

BOX = Path(os.environ["PLUMBLINE_BOX"])
sys.path.insert(0, str(Path(__file__).parent))

#: Between two looks for a request, s: soon after one, since they come in series, and else.
SOON, LATER, SERIES = 0.01, 0.05, 0.3

# After so long without a turn of the event loop it writes down where it is, s.
SILENCE = 60.0
_stacks = open(BOX / "stacks.txt", "w", encoding="utf-8")  # noqa: SIM115
faulthandler.enable(file=_stacks)
_armed = _asked = 0.0

_names: dict[str, object] = {"bpy": bpy, "time": time}
_c = ctypes.CDLL(None)


def _answer(request: Path) -> None:
    source = request.read_text(encoding="utf-8")
    request.unlink()
    _names["result"] = None
    try:
        exec(compile(source, request.name, "exec"), _names)
        answer = {"result": _names["result"]}
    except BaseException:  # whatever it is, the test shall see it
        answer = {"error": traceback.format_exc()}
    _flush()
    half = request.with_suffix(".half")
    half.write_text(json.dumps(answer), encoding="utf-8")
    half.rename(request.with_suffix(".json"))


def _flush() -> None:
    """Write down what Python and Blender keep of a log that is a file, which is up to 128 KB.

    Else words of a whole session would come when Blender ends, and speak against the last test.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    _c.fflush(None)


def _watch() -> None:
    """Put the watch back, once a second."""
    global _armed
    if time.monotonic() - _armed > 1.0:
        _armed = time.monotonic()
        faulthandler.dump_traceback_later(SILENCE, file=_stacks)


def _step() -> float:
    global _asked
    _watch()
    for request in sorted(BOX.glob("*.py")):
        _answer(request)
        _asked = time.monotonic()
    return SOON if time.monotonic() - _asked < SERIES else LATER


exec(Path(__file__).with_name("inside.py").read_text(encoding="utf-8"), _names)
bpy.app.timers.register(_step, first_interval=0.5, persistent=True)
