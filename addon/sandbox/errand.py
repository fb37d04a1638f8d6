# SPDX-License-Identifier: GPL-3.0-or-later
"""A request to a worker: what goes along as files, where what comes back belongs, what it means.

A worker in a box sees none of the caller's files: paths in a request become bytes on the pipe.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .process import Process, Stage, WorkerError, ending, indented

# Parameters that name files to be handed in, and those that name files to be handed out, with
# what the worker calls them.
_TAKEN = ("start", "blend", "target")
_GIVEN = {"save": "scene.blend", "out": "picture.png"}
#: The only action that reads a person's own file where it lies, with all that it links to.
BY_PATH = "read"
STAGES: dict[str, Stage] = {
    "run": "program",
    "read": "read",
    "inspect": "read",
    "picture": "picture",
    "views": "picture",
    "house": "picture",
    "evidence": "picture",
    "fall": "read",
}
#: The kind of structure that is read by running the scene, and how long that may take, s: 240
#: frames, baseline twice, altered and two controls, at a second and a half a frame.
SIMULATED, SIMULATION_TIMEOUT = "reconstruction", 1800.0
#: Instead of a place: what comes back is wanted as it is.
AS_BYTES = object()
#: What callers know an action as.
WORDS = {"run": "build", "inspect": "reading what the program left"}
# Characters of what a program says that are kept, and of its traceback.
_TEXT_KEPT = 1 << 17


def reading_time(read_as: Mapping[str, Any], otherwise: float) -> float:
    """How long reading a scene may take, s: ``otherwise``, unless it has to be run."""
    return SIMULATION_TIMEOUT if read_as.get("kind") == SIMULATED else otherwise


class Errand:
    """What a request takes along as files, and where the files that come back belong.

    Raises :class:`WorkerError` for a file that can't be read or a place that can't be written.
    """

    def __init__(self, action: str, params: Mapping[str, Any]) -> None:
        self.action = action
        self.files: dict[str, bytes] = {}
        self.origins: dict[str, str] = {}
        self._places: dict[str, Path] = {}
        kept = dict(params)
        for key in _TAKEN:
            value = kept.pop(key, None)
            if isinstance(value, bytes):
                self.files[key] = value
                self.origins[key] = "what the program left"
            elif value is not None:
                self._take(key, os.path.abspath(value))
        self._returned = [key for key in _GIVEN if kept.get(key) is AS_BYTES]
        for key in _GIVEN:
            if (value := kept.pop(key, None)) is not None and value is not AS_BYTES:
                self._places[key] = writable(Path(os.path.abspath(value)))
        if action == BY_PATH and "path" in kept:
            kept["path"] = os.path.abspath(kept["path"])
        wants = {key: _GIVEN[key] for key in (*self._places, *self._returned)}
        if action in ("views", "house", "evidence"):
            wants["out"] = "views"
        self.message = {"action": action, "params": kept, "wants": wants}

    def _take(self, key: str, path: str) -> None:
        try:
            with open(path, "rb") as stream:
                self.files[key] = stream.read()
        except OSError as error:
            raise WorkerError(
                "refused", f"{path} can't be read ({error.strerror or error})", "read"
            ) from None
        self.origins[key] = path

    def keep(self, left: Mapping[str, bytes]) -> dict[str, Any]:
        """Write what came back to its place; what a caller is told of it."""
        told: dict[str, Any] = {}
        for key, path in self._places.items():
            if key in left:
                write_whole(path, left[key])
                told[key] = str(path)
        told.update({key: left[key] for key in self._returned if key in left})
        views = {k.removeprefix("out/"): v for k, v in left.items() if k.startswith("out/")}
        return {**told, "views": views} if views else told


def writable(path: Path) -> Path:
    if path.is_dir():
        raise WorkerError("refused", f"{path} is a folder: name a file in it", "read")
    if not path.parent.is_dir():
        raise WorkerError(
            "refused", f"the folder {path.parent} doesn't exist: make it first", "read"
        )
    return path


def write_whole(path: Path, data: bytes) -> None:
    """Write a file that is there wholly or not at all."""
    partial = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}")
    try:
        partial.write_bytes(data)
        os.replace(partial, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)
        reason = error.strerror or error
        raise WorkerError("refused", f"{path} can't be written ({reason})", "read") from None


def error_in(
    answer: Mapping[str, Any], errand: Errand, process: Process, slow: str
) -> WorkerError | None:
    """What an answer says went wrong."""
    kind = answer.get("error")
    if kind is None:
        return None
    message = answer["message"]
    for key, private in answer.get("laid", {}).items():
        if key in errand.origins:
            message = message.replace(private, errand.origins[key])
    if kind == "refused":
        return WorkerError("refused", message)
    if kind == "timeout":
        return WorkerError("timeout", f"{slow}; the process was ended")
    action = WORDS.get(errand.action, errand.action)
    reason = ending(answer["exit"]) if "exit" in answer else message
    said = indented(answer["words"]) if "words" in answer else process.last_words()
    return WorkerError(
        "memory" if kind == "memory" else "crash", f"{action} failed: {reason}{said}"
    )


def outcome(ran: Mapping[str, Any]) -> dict[str, Any]:
    """What a program's own process said of it, taken for no more than it can be."""
    usage: dict[str, Any] = ran["usage"]
    trace = ran.get("traceback")
    seconds = ran.get("seconds")
    wall = float(usage.get("wall", 0.0))
    real = isinstance(seconds, (int, float)) and 0 <= seconds <= wall
    return {
        "ok": ran.get("ok") is True and trace is None,
        "stdout": _text(ran.get("stdout", "")),
        "traceback": None if trace is None else _text(trace),
        "seconds": seconds if real else wall,
        "cpu": usage.get("cpu"),
        "memory": usage.get("memory"),
    }


def _text(value: Any) -> str:
    """Text that can be written down: a program can print halves of characters."""
    return str(value)[-_TEXT_KEPT:].encode("utf-8", "replace").decode("utf-8")
