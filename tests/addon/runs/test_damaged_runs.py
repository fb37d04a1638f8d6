# SPDX-License-Identifier: GPL-3.0-or-later
"""Run folders that something has damaged: what is whole is read, reported, exported, repeated."""

from __future__ import annotations

import contextlib
import copy
import json
import os
import random
import shutil

import pytest
from logged_run import write_run
from plumbline.addon.agent.agents import AgentError
from plumbline.addon.agent.messages import Message, Reply, ToolCall, Usage
from plumbline.addon.agent.registry import AgentOptions, agent_for
from plumbline.addon.agent.replay import ReplayProvider
from plumbline.addon.agent.transcript import Transcript, read_events
from plumbline.addon.runs.closing import closing_lines
from plumbline.addon.runs.export import FORMATS
from plumbline.addon.runs.records import to_line
from plumbline.addon.runs.report import build_report
from plumbline.addon.runs.runfolder import RunFolderError, read_run

pytestmark = pytest.mark.once

GONE = object()
ODD = (None, True, -1, 10**400, float("nan"), float("inf"), "", "a\0b", "\ud800", "\x1b[31m\n")
ODD += ("../../..", "x" * 5000, [], {}, [[None]], {"type": "text"}, "0001-01-01T00:00:00Z", GONE)


def places(value, path=()):
    yield path
    if isinstance(value, dict):
        keys = list(value)
    else:
        keys = list(range(len(value))) if isinstance(value, list) else []
    for key in keys:
        yield from places(value[key], (*path, key))


def changed(value, path, odd):
    if not path:
        return {} if odd is GONE else odd
    value = inner = copy.deepcopy(value)
    for key in path[:-1]:
        inner = inner[key]
    if odd is GONE:
        del inner[path[-1]]
    else:
        inner[path[-1]] = odd
    return value


def use(folder, out):
    """Everything that reads a run; a sentence is an answer too, any other exception is not."""
    try:
        run = read_run(folder)
    except RunFolderError:
        return
    build_report(run).encode()
    list(closing_lines(run.records))
    for record in run.records:
        to_line(record)
        if place := run.folder_of(record):
            ReplayProvider(place, "x") if (place / "transcript.jsonl").is_file() else None
    for write in FORMATS.values():
        write(run, out)
    with contextlib.suppress(AgentError):
        agent_for(f"replay:{folder}", AgentOptions())


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    return write_run(tmp_path_factory.mktemp("sound") / "run")


FILES = ("run.json", "results.jsonl", "attempts/timber/cabin/1/transcript.jsonl")


@pytest.mark.parametrize("name", FILES)
def test_values_of_other_types_anywhere(sound, tmp_path, name):
    chance = random.Random(name)
    for number in range(40):
        folder = tmp_path / str(number)
        shutil.copytree(sound, folder)
        text = (folder / name).read_text()
        lines = text.splitlines() if name.endswith("l") else [text]
        at = chance.randrange(len(lines))
        value = json.loads(lines[at])
        lines[at] = json.dumps(
            changed(value, chance.choice(list(places(value))), chance.choice(ODD))
        )
        (folder / name).write_text("\n".join(lines) + "\n")
        use(folder, tmp_path / "out")
        shutil.rmtree(folder)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("junk", [b"\0" * 100, b"\xff\xfe\x80", b"[" * 100_000 + b"\n", b"1e999\n"])
def test_junk_between_and_half_a_file(sound, tmp_path, name, junk):
    folder = tmp_path / "run"
    shutil.copytree(sound, folder)
    data = (folder / name).read_bytes()
    for place in (0, len(data) // 2, len(data)):
        (folder / name).write_bytes(data[:place] + junk + data[place:])
        use(folder, tmp_path / "out")
        (folder / name).write_bytes(data[:place])
        use(folder, tmp_path / "out")


@pytest.mark.parametrize(
    "name", ["a\0b", "x" * 5000, "..", "/etc", "attempts/../../..", "attempts"]
)
def test_records_lead_nowhere_outside(sound, tmp_path, name):
    folder = tmp_path / "run"
    shutil.copytree(sound, folder)
    (folder / "attempts" / "way-out").symlink_to("/etc")
    lines = (folder / "results.jsonl").read_text().splitlines()
    records = [
        {**json.loads(line), "attempt": name, "epoch": 7 + i} for i, line in enumerate(lines)
    ]
    records.append({**records[0], "attempt": "attempts/way-out", "epoch": 99})
    (folder / "results.jsonl").write_text("".join(f"{json.dumps(r)}\n" for r in records))
    run = read_run(folder)
    places = [run.folder_of(record) for record in run.records]
    assert len(places) == len(lines) + 1
    assert places == [None] * len(places)
    use(folder, tmp_path / "far/away/out")
    written = {path.relative_to(tmp_path).parts[0] for path in tmp_path.rglob("trajectory.json")}
    assert written == {"far"} and not os.path.exists("/etc/trajectory.json")


def test_nothing_that_is_written_is_left_out_when_read(tmp_path):
    deep = json.loads("[" * 99 + "]" * 99)
    with Transcript(tmp_path) as transcript:
        transcript.event("tool", name="measure", ok=True, answer={"gap": float("nan"), "at": deep})
        call = ToolCall("1", "run", {"x": deep})
        transcript.reply(Reply(Message("assistant", (call,)), "tools", Usage()))
    tool, message, reply = read_events(tmp_path)
    assert tool["answer"] == {"gap": None, "at": deep} and reply["stop"] == "tools"
    assert message["parts"][0]["arguments"] == {"x": deep}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.parametrize("odd", ["pipe", "device", "link"])
def test_what_is_no_file_of_the_attempt_is_not_opened(tmp_path, odd):
    """A pipe would hold up the report, a device fill the memory, a link show a file of ours."""
    from plumbline.addon.runs.report import picture_of
    from plumbline.addon.runs.storage import is_own_file

    write_run(tmp_path / "run")
    run = read_run(tmp_path / "run")
    record = next(r for r in run.records if run.folder_of(r) is not None)
    path = run.folder_of(record) / "picture.png"
    path.write_bytes(b"PNG")
    assert is_own_file(path.parent, path.name) and picture_of(run, record) == b"PNG"
    path.unlink()
    mine = tmp_path / "mine.png"
    mine.write_bytes(b"mine")
    os.mkfifo(path) if odd == "pipe" else path.symlink_to("/dev/zero" if odd == "device" else mine)
    assert not is_own_file(path.parent, path.name)
    assert picture_of(run, record) is None
    assert "bWluZQ" not in build_report(run)  # its bytes in base 64
