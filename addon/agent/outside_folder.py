# SPDX-License-Identifier: GPL-3.0-or-later
"""The working folder of somebody outside: the task to read, pictures, and a command to call."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .agents import AgentError, Target, shown_views
from .outside_client import prompt_text
from .prompts import Prompts
from .tools.loop import PROMPTS
from .tools.session import Session

CLIENT = Path(__file__).with_name("outside_client.py")
TASK_FILE = "TASK.md"
PICTURES = "pictures"
REFERENCE = "reference"
#: The command that the one outside calls, in its working folder.
SCRIPT = "plumbline-session"


@dataclass(frozen=True)
class Place:
    """Where an attempt takes place. ``work`` is the agent's, ``state`` the harness's own."""

    work: Path
    state: Path

    @property
    def address(self) -> Path:
        """The file that says where the harness listens."""
        return self.state / "address.json"

    @property
    def log(self) -> Path:
        """The output of the command."""
        return self.state / "command.log"


def make_place(folder: Path) -> Place:
    """The two folders of an attempt. Raises ``OSError``."""
    place = Place(folder.absolute() / "work", folder.absolute() / "outside")
    place.work.mkdir(parents=True)
    place.state.mkdir(mode=0o700)
    return place


def write_task(place: Place, session: Session, target: Target | None, template: str) -> None:
    """Write the task, the pictures of what should be built, and the script. Raises ``OSError``."""
    views = write_views(place.work / REFERENCE, shown_views(session.task, target))
    shown = [f"* {path.relative_to(place.work).as_posix()}" for path in views]
    facts = {
        "task": prompt_text({"prompt": session.prompt(), "tools": session.listed()}),
        "script": f"./{SCRIPT}" if os.name == "posix" else f"{SCRIPT}.cmd",
        "reference": "\n".join(["Pictures of the house as it should become:", *shown])
        if shown
        else "",
    }
    (place.work / TASK_FILE).write_text(
        Prompts(PROMPTS).render(template, facts) + "\n", encoding="utf-8"
    )
    write_scripts(place.work, [python(), "-I", str(CLIENT), str(place.address)])


def write_views(folder: Path, views: Mapping[str, bytes]) -> list[Path]:
    """Pictures of what should be built as files in ``folder``."""
    paths = []
    for name, png in views.items():
        folder.mkdir(exist_ok=True)
        path = folder / f"{name}.png"
        path.write_bytes(png)
        paths.append(path)
    return paths


def write_scripts(folder: Path, command: Sequence[str]) -> None:
    """The script that calls ``command`` with its own arguments behind, for POSIX and Windows."""
    script = folder / SCRIPT
    script.write_text(f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    quoted = " ".join(f'"{word}"' for word in command)
    (folder / f"{SCRIPT}.cmd").write_text(f"@echo off\r\n{quoted} %*\r\n", encoding="utf-8")


def python() -> str:
    """A Python for the script: the one that runs us. Raises :class:`AgentError` without any."""
    found = sys.executable or shutil.which("python3") or shutil.which("python")
    if not found:
        raise AgentError("no Python was found for plumbline-session; put python3 on the PATH")
    return found
