# SPDX-License-Identifier: GPL-3.0-or-later
"""A person builds: gets a file and a task, saves, hands in by the script or the command."""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from plumbline.addon.agent.agents import AgentError, Assignment, Limits, Workshop
from plumbline.addon.agent.human import HumanAgent, human_agent
from plumbline.addon.agent.providers.base import Cancel
from plumbline.addon.agent.transcript import Transcript
from plumbline.addon.runs.seats import WorkerSeat
from plumbline.tasks import load_task

pytest.importorskip("bpy")
pytestmark = pytest.mark.once

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def seat():
    seat = WorkerSeat(60.0)
    yield seat
    seat.close()


class Person:
    """Waits until told where to build, then does something, in another thread."""

    def __init__(self, work) -> None:
        self.told: list[str] = []
        self.answers: list[subprocess.CompletedProcess] = []
        self._work = work
        self._thread: threading.Thread | None = None

    def say(self, text: str) -> None:
        self.told.append(text)
        folder = Path(text.partition("build in ")[2].partition(" (the task")[0]).parent
        self._thread = threading.Thread(target=self._work, args=(self, folder))
        self._thread.start()

    def run(self, folder: Path, *words: str) -> subprocess.CompletedProcess:
        command = [str(folder / "plumbline-session"), *words]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        self.answers.append(done)
        return done

    def join(self) -> None:
        assert self._thread is not None
        self._thread.join()


def _build(folder, seat, work, **limits):
    (folder / "steps").mkdir()
    person = Person(work)
    agent = HumanAgent(person.say)
    with Transcript(folder) as transcript:
        shop = Workshop(
            seat.bench(folder / "steps"),
            folder,
            transcript,
            "engineering",
            Cancel(),
            Limits(**limits),
            lambda: None,
        )
        built = agent.build(Assignment(load_task("timber/cabin"), "human"), shop)
    person.join()
    return built, person


@pytest.fixture(scope="module")
def house(seat, tmp_path_factory) -> Path:
    """A .blend with the cabin in it, as somebody would have saved it."""
    bench = seat.bench(tmp_path_factory.mktemp("house"))
    return bench.execute(load_task("timber/cabin").program(), None, "house").scene.blend


@pytest.mark.skipif(sys.platform == "win32", reason="calls the POSIX script")
def test_what_a_person_saved_is_what_is_judged(tmp_path, seat, house):
    def work(person, folder):
        assert "Build the timber frame" in (folder / "TASK.md").read_text(encoding="utf-8")
        assert (folder / "build.blend").stat().st_size > 10_000
        assert person.run(folder, "call", "check").returncode == 1
        shutil.copyfile(house, folder / "build.blend")
        assert person.run(folder, "finish").returncode == 0

    built, person = _build(tmp_path, seat, work)
    assert [done.returncode for done in person.answers] == [1, 0], person.answers
    assert built.end == "finished" and built.program == ""
    assert len(built.execution.structure["names"]) == 199
    assert "TASK.md" in person.told[0] and "finish --skip" in person.told[0]


def test_the_session_command_hands_in_too(tmp_path, seat, house):
    def work(person, folder):
        (folder / "build.blend").unlink()
        command = [sys.executable, str(ROOT / "run_suite.py"), "session", "finish", "--dir", folder]
        for _ in range(2):
            person.answers.append(subprocess.run(command, capture_output=True, text=True))
            shutil.copyfile(house, folder / "build.blend")

    built, person = _build(tmp_path, seat, work)
    assert [done.returncode for done in person.answers] == [1, 0], person.answers
    assert "save it there" in person.answers[0].stdout
    assert len(built.execution.structure["names"]) == 199


@pytest.mark.skipif(sys.platform == "win32", reason="calls the POSIX script")
def test_a_task_can_be_left_out(tmp_path, seat):
    built, _ = _build(tmp_path, seat, lambda person, folder: person.run(folder, "finish", "--skip"))
    assert (built.execution, built.end) == (None, "gave_up") and "left it out" in built.message


def test_time_runs_out_for_people_too(tmp_path, seat, house):
    def work(person, folder):
        shutil.copyfile(house, folder / "build.blend")

    built, _ = _build(tmp_path, seat, work, seconds=1.0)
    assert built.end == "seconds" and len(built.execution.structure["names"]) == 199


def test_without_a_terminal_nobody_could_be_told(monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with pytest.raises(AgentError, match="needs a terminal"):
        human_agent()
