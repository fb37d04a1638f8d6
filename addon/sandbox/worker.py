# SPDX-License-Identifier: GPL-3.0-or-later
"""The program in the worker process: reads requests from a pipe, answers each with one message.

Started as ``python worker.py`` where ``bpy`` is a module, or as ``blender -b … --python worker.py``
(see :func:`.client.blender_command`). Requests come on the standard input, answers go to what was
the standard output (:mod:`.frames`): both descriptors are duplicated first, then descriptor 1
points at the standard error, since Blender and the programs that run here print on it.

On Linux with the ``bpy`` module every request runs in a fork (:mod:`.forks`), so that nothing which
a program does to this process outlives it, and its crash is an answer. Elsewhere a ``run`` is the
last request that a process answers.
"""

from __future__ import annotations

import gc
import importlib.util
import os
import select
import shutil
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any

PACKAGE = "plumbline"
#: How the temporary folder of a worker is called.
FOLDER_PREFIX = "plumbline-worker-"
OLDEST_BLENDER = (4, 2)

Answer = tuple[dict[str, Any], dict[str, bytes]]

#: Held while the worker's own folder is changed: it must not be made anew while it is removed.
TIDYING = threading.Lock()


def take_over_descriptors() -> tuple[IO[bytes], IO[bytes]]:
    """Pipes of our own in place of standard input and output, which no one else can then reach."""
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
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


def say(
    stream: IO[bytes], content: Mapping[str, Any], frames: Mapping[str, bytes] | None = None
) -> None:
    """One answer."""
    from plumbline.addon.sandbox.frames import pack

    stream.write(pack(content, frames))
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


def serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    """Answer requests until the pipe closes."""
    from plumbline.addon.sandbox import actions, confine
    from plumbline.addon.sandbox.forks import Scratch
    from plumbline.addon.sandbox.frames import receive

    actions.prepare()
    forking = can_fork()
    confine.adopt_orphans()
    if forking:
        confine.hide_from_children()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)  # to process 1 of a box these then do nothing
        gc.freeze()  # so that collecting in a fork doesn't copy what it shares with this process
    scratch = Scratch(Path(os.environ["TMPDIR"]))
    say(answers, {"ready": True, "forking": forking})
    while (message := receive(requests, sys.maxsize)) is not None:
        request, files = message
        answer, frames = (_forked if forking else _here)(request, files, scratch)
        try:
            say(answers, {"id": request["id"], **answer}, frames)
        except BrokenPipeError:
            return


def _forked(request: Mapping[str, Any], files: dict[str, bytes], scratch: Any) -> Answer:
    """Answer in a child process, then remove all traces of it."""
    from plumbline.addon.sandbox.forks import Child, kill_others

    folder = scratch.fresh()
    child = Child(
        lambda begun: answer_to(request, files, folder, begun), request["limits"] or _NO_LIMITS
    )
    answer, frames = child.result(request["deadline"], scratch)
    alone = kill_others()
    with TIDYING:
        answer["spent"] = not (alone and scratch.clean())
    return answer, frames


def _here(request: Mapping[str, Any], files: dict[str, bytes], scratch: Any) -> Answer:
    """Answer in this process."""
    folder = scratch.fresh()
    begin, used = time.perf_counter(), time.process_time()
    answer, frames = answer_to(request, files, folder, lambda: None)
    shutil.rmtree(folder, ignore_errors=True)
    answer["begun"] = False
    answer["usage"] = {
        "wall": time.perf_counter() - begin,
        "cpu": time.process_time() - used,
        "memory": _peak_memory(),
    }
    return answer, frames


_NO_LIMITS = {"memory": sys.maxsize, "result": sys.maxsize, "words": 1 << 20}


def _peak_memory() -> int | None:
    """The most that this process ever held, bytes, where the system tells."""
    if sys.platform == "win32":
        return None
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def answer_to(
    request: Mapping[str, Any], files: dict[str, bytes], folder: Path, begun: Callable[[], None]
) -> Answer:
    """Carry out one request here; every exception becomes an answer.

    ``files`` are laid into ``folder`` for the action, which leaves there what the request wants.
    ``begun`` is called once a program is about to run.
    """
    from plumbline.addon.sandbox.actions import ACTIONS, LOCKED, REFUSALS, RUNS_CODE
    from plumbline.addon.sandbox.shaders import PREFIX

    name = request["action"]
    if name not in ACTIONS:
        return {"error": "refused", "message": f"no action {name!r}, only {', '.join(ACTIONS)}"}, {}
    params = dict(request["params"])
    shaders = {key: files.pop(key) for key in list(files) if key.startswith(PREFIX)}
    laid = {key: str(folder / f"{key}.blend") for key in files}
    wanted = {key: str(folder / name) for key, name in request["wants"].items()}
    try:
        for key, data in files.items():
            Path(laid[key]).write_bytes(data)
        for key, data in shaders.items():
            place = Path(os.environ["MESA_SHADER_CACHE_DIR"], key.removeprefix(PREFIX))
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
        if name in RUNS_CODE:
            params["begin"] = lambda: _begin(request, begun)
        else:
            _confine(request, lock=name in LOCKED)
        result = ACTIONS[name](**params, **laid, **wanted)
        return {"result": result}, dict(_left(wanted))
    except REFUSALS as error:
        return {"error": "refused", "message": str(error), "laid": laid}, {}
    except MemoryError:
        return {"error": "memory", "message": "it needs more memory than it may have"}, {}
    except BaseException as error:
        traceback.print_exc()
        return {"error": "crash", "message": f"{type(error).__name__}: {error}"}, {}


def _begin(request: Mapping[str, Any], begun: Callable[[], None]) -> None:
    _confine(request, lock=True)
    begun()


def _confine(request: Mapping[str, Any], lock: bool) -> None:
    """Put this process under the request's limits; with ``lock`` also without other ways out."""
    from plumbline.addon.sandbox import confine, limits

    if request["limits"] is None:
        return
    limits.hold_to(request["limits"], request["deadline"])
    if lock:
        confine.give_up_calls()


def _left(wanted: Mapping[str, str]) -> list[tuple[str, bytes]]:
    """The files that an action left where it was asked to: single ones, or a folder of them."""
    found = []
    for key, place in wanted.items():
        path = Path(place)
        if path.is_dir():
            found += [(f"{key}/{p.name}", p.read_bytes()) for p in sorted(path.iterdir())]
        elif path.is_file():
            found.append((key, path.read_bytes()))
    return found


def end_with_parent(requests: IO[bytes]) -> None:
    """Kill this process and all that it started once the parent has gone, however it went.

    Else a program that never ends would outlive a parent that was killed. Needs ``poll`` (POSIX).
    """
    if not hasattr(select, "poll"):
        return
    watched = select.poll()
    watched.register(requests.fileno(), 0)  # asks for nothing: only a hang-up is told

    def watch() -> None:
        watched.poll()
        if os.getpid() == 1:  # of a box: with it everything inside ends
            os._exit(0)
        if sys.platform == "linux":
            from plumbline.addon.sandbox.confine import kill_descendants

            kill_descendants(os.getpid())
        with TIDYING:
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
    sys.path[:] = [p for p in sys.path if Path(p or ".").resolve() != Path(__file__).parent]
    load_package()
    end_with_parent(requests)
    missing = what_is_missing()
    if missing:
        say(answers, {"ready": False, "message": missing})
    else:
        serve(requests, answers)
    with TIDYING:
        remove_own_folder()
    sys.stderr.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
