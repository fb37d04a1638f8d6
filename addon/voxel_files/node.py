# SPDX-License-Identifier: GPL-3.0-or-later
"""Action files with loops and functions: run under Node, in the box that models' programs run in.

Nothing of it ever runs in this process, and without a box nothing runs at all: a stranger's
JavaScript has no policy to go through first. Inside there is no network, no file of this machine
but its programs, and what is left open is limited: time, memory, processes, and what it prints. The
lines that come back are read as a stranger's.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from ..sandbox import box, confine
from ..sandbox.limits import CPU_SLACK, GIB, MIB, Limits, processes_of_user
from .blocks import MOST_BLOCKS, BlocksError
from .skills import HARMLESS, meant

RUNNER = Path(__file__).with_name("node_runner.js")

#: How long a program may take, s. Waiting takes it no time.
TIMEOUT = 20.0
#: Node reserves about 0.7 GiB of addresses before it does anything; held memory is far below.
LIMITS = Limits(memory=1 * GIB, processes=64, file_size=256 * MIB, scratch=16 * MIB)
# Addresses that may be reserved, of which little is held.
_ADDRESSES = 4 * GIB
_HEAP = 512  # MiB
_TICK = 0.02
# Bytes of one line that it prints; some 70 kB, more where texts are not of ASCII.
_LINE = 512 << 10
_NAME = 200  # characters of a material
# What Node says of a skill that there isn't.
_NO_SKILL = re.compile(r"\bskills\.([A-Za-z_$][\w$]*) is not a function$")
_REMEDY = "`apt install nodejs` (or what your system calls it) brings it"


class NodeNeeded(BlocksError):
    """A program that is more than a plain list of calls, and can't be run here."""


@dataclass(frozen=True)
class Ran:
    """What a program did: its calls in order, and why it ended before its end, if it did."""

    calls: tuple[tuple[Any, ...], ...]
    fault: str | None = None


def command() -> str | None:
    """Path of Node; Debian's older packages call it ``nodejs``."""
    return shutil.which("node") or shutil.which("nodejs")


def why_not() -> str | None:
    """Why no program can be run here, with the remedy; ``None`` if it can."""
    if command() is None:
        return f"such a program has to be run, which needs Node: {_REMEDY}"
    if sys.platform != "linux":
        return "such a program is run by Node in a box only, and boxes there are on Linux only"
    reason = box.why_not()
    if reason is not None:
        return f"such a program is run by Node in a box only, and {reason}"
    return None


def run(program: str, timeout: float = TIMEOUT) -> Ran:
    """Run a program as in the published set-up, with the builder at the origin in empty air.

    A call is ``("place", x, y, z, material)`` or ``("remove", x, y, z, None)`` with what the
    program gave: numbers, texts, ``None`` where it gave something else; a material that is no text
    is ``False``. Where the program throws, its calls until then stand, and ``fault`` says why.

    Raises
    ------
    NodeNeeded
        If there is no Node or no box.
    BlocksError
        If it is no JavaScript, or took too long, too much memory, or more calls than can be read:
        what it had done until then would depend on the machine.
    """
    reason = why_not()
    if reason is not None:
        raise NodeNeeded(reason)
    sign = secrets.token_hex(16)
    asked = {"sign": sign, "most": MOST_BLOCKS, "program": program, "skills": sorted(HARMLESS)}
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as printed:
        given.write(json.dumps(asked).encode("ascii"))
        given.seek(0)
        with tempfile.TemporaryFile() as words:
            ended = _wait(_start(given, printed, words, timeout), timeout)
            words.seek(0)
            last = words.read(1 << 16).decode("utf-8", "replace")
        printed.seek(0)
        return _read(printed, sign, ended, last)


def _start(
    given: IO[bytes], printed: IO[bytes], words: IO[bytes], timeout: float
) -> subprocess.Popen[bytes]:
    node = command()
    assert node is not None
    flags = (f"--max-old-space-size={_HEAP}", "--no-addons", "--no-warnings")
    environment = {"PATH": "/usr/bin:/bin", "HOME": box.SCRATCH}
    try:
        shown = [*box.folders_of([node]), RUNNER]
        inside = [*_limited(timeout), os.path.realpath(node), *flags, str(RUNNER)]
        with _filter() as descriptor:
            held = box.Box(shown, environment, LIMITS, first=False, seccomp=descriptor)
            return subprocess.Popen(
                held.command(inside),
                stdin=given,
                stdout=printed,
                stderr=words,
                cwd="/",
                env={},
                pass_fds=() if descriptor is None else (descriptor,),
                start_new_session=True,
            )
    except box.BoxError as error:
        raise NodeNeeded(f"such a program is run by Node in a box only: {error}") from None
    except OSError as error:
        raise NodeNeeded(f"Node can't be started ({error.strerror or error})") from None


@contextlib.contextmanager
def _filter() -> Iterator[int | None]:
    """A descriptor from which the box reads which calls the kernel refuses: sockets, tracing ..."""
    steps = confine.filter_for_programs()
    if steps is None:
        yield None
        return
    reader, writer = os.pipe()
    try:
        os.write(writer, steps)  # some 1.5 kB: less than any pipe takes at once
        os.close(writer)
        yield reader
    finally:
        os.close(reader)


def _limited(timeout: float) -> list[str]:
    """The command that puts what follows under limits that it can't raise again."""
    prlimit = shutil.which("prlimit", path="/usr/bin:/bin")
    if prlimit is None:
        raise box.BoxError("prlimit is not here: `apt install util-linux` brings it")
    cores = os.cpu_count() or 1
    seconds = int(timeout) * cores + CPU_SLACK
    limits = {
        "core": 0,
        "cpu": seconds,
        "fsize": LIMITS.file_size,
        "nofile": LIMITS.open_files,
        "nproc": LIMITS.processes + processes_of_user() + 4 * cores,
        "as": _ADDRESSES,
        "msgqueue": 0,
    }
    return [prlimit, *(f"--{name}={value}" for name, value in limits.items()), "--"]


def _wait(process: subprocess.Popen[bytes], timeout: float) -> str | None:
    """Wait for the end; ``"timeout"`` or ``"memory"`` where it was put to one."""
    deadline = time.monotonic() + timeout
    try:
        while time.monotonic() < deadline:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_TICK)
                return None
            if confine.memory_held(confine.descendants(process.pid)) > LIMITS.memory:
                return "memory"
        return "timeout"
    finally:
        _kill(process)


def _kill(process: subprocess.Popen[bytes]) -> None:
    if process.returncode is None:
        confine.kill_descendants(process.pid)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _read(printed: IO[bytes], sign: str, ended: str | None, words: str) -> Ran:
    """What was printed under our sign, no more of it than any program may do."""
    if ended == "timeout":
        raise BlocksError("the program ran for longer than it may and was ended; shorten its loops")
    if ended == "memory" or "out of memory" in words or "allocation failed" in words:
        raise BlocksError(
            "the program needed more memory than it may and was ended; build with less"
        )
    _refuse(printed, sign)
    calls: list[tuple[Any, ...]] = []
    for value in _values(printed, sign):
        if isinstance(value, Mapping):
            return Ran(tuple(calls), _fault(value))
        if isinstance(value, list):
            calls += filter(None, map(_call, value))
        if len(calls) > MOST_BLOCKS:
            raise BlocksError(_MANY)
    # A program that leaves by itself, as by leaving the context, ends without a last word.
    last = next((line.strip() for line in words.splitlines() if line.strip()), "")
    told = f" ({last[:200]})" if last and last.isprintable() else ""
    raise BlocksError(f"the program ended Node before its end{told}; let it run to its end")


_MANY = f"the program places or removes more than {MOST_BLOCKS} blocks; give a smaller one"


def _refuse(printed: IO[bytes], sign: str) -> None:
    """Raise at once what the last line would raise after a million calls."""
    printed.seek(max(0, printed.seek(0, os.SEEK_END) - 4096))
    for value in _values(printed, sign):
        if isinstance(value, Mapping):
            _fault(value)
    printed.seek(0)


def _values(printed: IO[bytes], sign: str) -> Iterator[Any]:
    """The JSON of each line under our sign."""
    start = f"{sign} ".encode("ascii")
    while line := printed.readline(_LINE):
        if line.startswith(start) and line.endswith(b"\n"):
            with contextlib.suppress(ValueError, RecursionError):
                yield json.loads(line[len(start) :], parse_constant=lambda _: None)


def _call(value: Any) -> tuple[Any, ...] | None:
    """A call as it should be; ``None`` for anything else."""
    if not isinstance(value, list) or len(value) != 5 or value[0] not in ("place", "remove"):
        return None
    kind, *where, material = value
    if any(isinstance(x, (list, dict, bool)) for x in where) or isinstance(material, (list, dict)):
        return None
    if isinstance(material, str):  # half of a pair of surrogates can't be written anywhere
        material = material[:_NAME].encode("utf-8", "replace").decode("utf-8")
    return (kind, *where, material)


def _fault(last: Mapping[str, Any]) -> str | None:
    """The last word of a program as a sentence; ``None`` where it came to its end."""
    word = last.get("end")
    if word == "done":
        return None
    if word == "many":
        raise BlocksError(_MANY)
    if word == "stuck":
        return "the program waits for something that never comes; what it placed until then counts"
    line = last.get("line")
    place = f"line {line}: " if isinstance(line, int) and not isinstance(line, bool) else ""
    said = " ".join(str(last.get("message") or "an error").split())[:300]
    said = "".join(c if c.isprintable() else "?" for c in said)
    if word == "unreadable":
        raise BlocksError(f"{place}it can't be run as JavaScript ({said}); mend it")
    missing = _NO_SKILL.search(said)
    hint = meant(missing[1]) if missing else None
    why = f" (perhaps {hint} was meant)" if hint else ""
    return f"{place}the program stopped with {said}{why}; what it placed until then counts"
