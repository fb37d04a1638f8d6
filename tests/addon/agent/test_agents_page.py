# SPDX-License-Identifier: GPL-3.0-or-later
"""What docs/agents.md shows does what it says."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from plumbline.addon.agent.agents import Assignment, Limits, Workshop
from plumbline.addon.agent.outside import OutsideAgent
from plumbline.addon.agent.providers.base import Cancel
from plumbline.addon.agent.tools import timber
from plumbline.addon.agent.tools.box import ToolBox
from plumbline.addon.agent.tools.registry import budgets_for, toolset_for
from plumbline.addon.agent.transcript import Transcript
from plumbline.addon.runs.seats import WorkerSeat
from plumbline.tasks import load_task

pytest.importorskip("bpy")
pytestmark = [
    pytest.mark.once,
    pytest.mark.skipif(sys.platform == "win32", reason="runs POSIX examples"),
]

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")


def example(name: str) -> str:
    """The code block behind its mark."""
    match = re.search(rf"<!-- tested: {name} -->\n```\w+\n(.*?)```", PAGE, re.DOTALL)
    assert match, f"docs/agents.md has no example {name}"
    return match[1]


def test_tools_of_ones_own():
    space: dict = {}
    exec(compile(example("tools"), "docs/agents.md", "exec"), space)
    assert isinstance(space["box"], ToolBox) and json.loads(json.dumps(space["state"]))


def test_the_smallest_agent_builds_and_hands_in(tmp_path):
    agent_file = tmp_path / "agent.py"
    agent_file.write_text(example("agent"), encoding="utf-8")
    folder = tmp_path / "attempt"
    folder.mkdir()
    agent = OutsideAgent(shlex.join([sys.executable, str(agent_file)]))
    seat = WorkerSeat(60.0)
    try:
        with Transcript(folder) as transcript:
            shop = Workshop(
                seat.bench(folder),
                folder,
                transcript,
                "engineering",
                Cancel(),
                Limits(),
                lambda: None,
            )
            built = agent.build(Assignment(load_task("timber/cabin"), agent.name), shop)
    finally:
        seat.close()
    log = (folder / "outside" / "command.log").read_text(encoding="utf-8")
    assert (built.end, built.fault) == ("finished", None), log
    assert built.execution.structure["names"] == ["Sill_01"]
    assert "completeness" in log and '"submitted": true' in log.replace("'", '"').lower()


def test_single_calls(tmp_path):
    program = shlex.join([sys.executable, str(ROOT / "run_suite.py")])
    script = f'set -e\nplumbline() {{ {program} "$@"; }}\n{example("session")}'
    done = subprocess.run(["sh", "-c", script], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "it was not passed" in done.stdout
    assert '"members": 0, "listed": []' in done.stdout
    assert '"verdict": "failed"' in done.stdout


def test_the_table_of_tools_is_that_of_the_tools(tmp_path):
    task = load_task("timber/cabin")
    rows = dict(re.findall(r"^\| `(\w+)` \|([^|]*\|[^|]*)\|", PAGE, re.MULTILINE))
    tools = toolset_for(task, None, "engineering", tmp_path).tools()
    assert list(rows) == [tool.name for tool in tools]
    limits = budgets_for(task, Limits()).groups
    for tool in tools:
        arguments, _, budget = rows[tool.name].partition("|")
        assert re.findall(r"`(\w+)`", arguments) == list(tool.parameters["properties"])
        if tool.budget:
            assert f"`{tool.budget}`: {limits[tool.budget]}" in budget
    assert f"{timber.CALLS} calls in all" in PAGE
