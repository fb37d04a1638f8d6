# SPDX-License-Identifier: GPL-3.0-or-later
"""The program in the worker process: reads requests line by line, answers each with one line.

Started as ``python worker.py`` where ``bpy`` is a module, or as ``blender -b … --python worker.py``
(see :func:`.client.blender_command`). Requests are JSON lines on the standard input, answers JSON
lines on what was the standard output: both descriptors are duplicated first, then descriptor 1
points at the standard error, since Blender and the programs that run here print on it.

On Linux with the ``bpy`` module every request runs in a fork, so that nothing which a program does
to this process outlives it, and its crash is an answer. Elsewhere a ``build`` is the last request
that a process answers.
"""

from __future__ import annotations

import importlib.util
import json
import os
import select
import shutil
import signal
import sys
import threading
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

#: Every line of ours has this key first, so that anything else on the pipe is told apart.
MARK = "plumbline"
PACKAGE = "plumbline"
#: How the temporary folder of a worker is called.
FOLDER_PREFIX = "plumbline-worker-"
OLDEST_BLENDER = (4, 2)

Action = Callable[..., dict[str, Any]]


def take_over_descriptors() -> tuple[IO[str], IO[str]]:
    """Pipes of our own in place of standard input and output, which no one else can then reach."""
    requests = os.fdopen(os.dup(0), "r", encoding="utf-8", newline="\n")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    sys.stdout.flush()
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return requests, answers


def load_package() -> None:
    """Make the extension that this file lies in importable as ``plumbline``."""
    if PACKAGE in sys.modules:
        return
    root = Path(__file__).resolve().parents[2]
    spec = importlib.util.spec_from_file_location(
        PACKAGE, root / "__init__.py", submodule_search_locations=[str(root)]
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[PACKAGE] = module
    spec.loader.exec_module(module)


def say(stream: IO[str], **content: Any) -> None:
    """One answer."""
    stream.write(json.dumps({MARK: 1, **content}, allow_nan=False) + "\n")
    stream.flush()


def what_is_missing() -> str | None:
    """A sentence if this process can't do the work: no bpy, no NumPy, an old Blender."""
    try:
        import bpy
    except ImportError as error:
        return f"{sys.executable} can't import bpy ({error})"
    try:
        import numpy  # noqa: F401
    except ImportError:
        return (
            f"the Python of Blender {bpy.app.version_string} ({sys.version.split()[0]}) has no "
            "NumPy: on Debian `apt-get install python3-numpy` brings it"
        )
    if bpy.app.version[:2] < OLDEST_BLENDER:
        needed = ".".join(map(str, OLDEST_BLENDER))
        return f"Blender {bpy.app.version_string} is too old: install {needed} or newer"
    return None


def can_fork() -> bool:
    """Whether a request can run in a fork: seen to work on Linux with bpy as a module."""
    import bpy

    return sys.platform == "linux" and not bpy.app.binary_path


def serve(requests: IO[str], answers: IO[str]) -> None:
    """Answer requests until the pipe closes."""
    from plumbline.addon.sandbox.actions import ACTIONS

    forking = can_fork()
    say(answers, ready=True, forking=forking)
    for line in requests:
        request = json.loads(line)
        if forking:
            answer = in_fork(ACTIONS, request, (requests, answers))
        else:
            answer = answer_to(ACTIONS, request)
        say(answers, id=request["id"], **answer)


def answer_to(actions: dict[str, Action], request: dict[str, Any]) -> dict[str, Any]:
    """Run one request here; every exception becomes an answer."""
    from plumbline.addon.sandbox.actions import REFUSALS

    name = request["action"]
    if name not in actions:
        return {"error": "refused", "message": f"no action {name!r}, only {', '.join(actions)}"}
    try:
        limit_memory(request.get("memory"))
        result = actions[name](**request["params"])
        json.dumps(result, allow_nan=False)  # what can't be sent must fail here, in words
        return {"result": result}
    except REFUSALS as error:
        return {"error": "refused", "message": str(error)}
    except BaseException as error:
        traceback.print_exc()
        return {"error": "crash", "message": f"{type(error).__name__}: {error}"}


def limit_memory(size: int | None) -> None:
    """Cap the address space of this process, bytes (Linux; elsewhere nothing happens)."""
    if size and sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (size, size))


def in_fork(
    actions: dict[str, Action], request: dict[str, Any], pipes: tuple[IO[str], IO[str]]
) -> dict[str, Any]:
    """Run one request in a child process and hand its answer on."""
    reading, writing = os.pipe()
    sys.stderr.flush()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # fork beside Blender's idle threads
        child = os.fork()
    if child == 0:
        os.close(reading)
        for pipe in pipes:
            os.close(pipe.fileno())
        with os.fdopen(writing, "w", encoding="utf-8") as stream:
            json.dump(answer_to(actions, request), stream)
            stream.write("\n")
            stream.flush()
            sys.stderr.flush()
            os._exit(0)  # no clean-up: handlers and drivers of the program must not run
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as stream:
        line = stream.readline()
    return _end_of(child, line)


def _end_of(child: int, line: str) -> dict[str, Any]:
    """The answer that a child wrote, or what became of it."""
    if line.endswith("\n"):
        os.kill(child, signal.SIGKILL)  # it has nothing more to do, whatever it still holds
        os.waitpid(child, 0)
        return json.loads(line)
    _, status = os.waitpid(child, 0)
    return {"error": "crash", "message": "", "exit": os.waitstatus_to_exitcode(status)}


def end_with_parent(requests: IO[str]) -> None:
    """Kill this process and all that it started once the parent has gone, however it went.

    Else a program that never ends would outlive a parent that was killed. Needs ``poll`` (POSIX).
    """
    if not hasattr(select, "poll"):
        return
    watched = select.poll()
    watched.register(requests.fileno(), 0)  # asks for nothing: only a hang-up is told

    def watch() -> None:
        watched.poll()
        remove_own_folder()
        os.killpg(os.getpgrp(), signal.SIGKILL)

    threading.Thread(target=watch, daemon=True).start()


def remove_own_folder() -> None:
    """Remove the temporary folder that this process stands in, if the parent no longer can."""
    folder = os.environ.get("TMPDIR", "")
    if os.path.basename(folder).startswith(FOLDER_PREFIX):
        os.chdir(os.path.dirname(folder))
        shutil.rmtree(folder, ignore_errors=True)


def main() -> None:
    """Serve until the parent closes the pipe; leave without Blender's clean-up, which can hang."""
    requests, answers = take_over_descriptors()
    end_with_parent(requests)
    sys.path[:] = [p for p in sys.path if Path(p or ".").resolve() != Path(__file__).parent]
    missing = what_is_missing()
    if missing:
        say(answers, ready=False, message=missing)
    else:
        load_package()
        serve(requests, answers)
    remove_own_folder()
    sys.stderr.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
