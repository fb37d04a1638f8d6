# SPDX-License-Identifier: GPL-3.0-or-later
"""Action files with loops and functions, run by the real Node in the real box."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path

import pytest
from plumbline.addon.sandbox import box
from plumbline.addon.voxel_files import BlocksError, NodeNeeded, node, read_blocks
from plumbline.addon.voxel_files.mindcraft import read_actions

pytestmark = pytest.mark.once

_WHY_NOT = node.why_not()
runs_here = pytest.mark.skipif(_WHY_NOT is not None, reason=f"no program can be run: {_WHY_NOT}")

HOUSE = """
import { Vec3 } from 'vec3';
// The builder stands at the origin, in empty air.
export async function main(bot) {
  const start = bot.entity.position.floored().offset(1, 0, -1);
  const walls = async (from, high) => {
    for (let y = from.y; y < from.y + high; y += 1)
      for (const [x, z] of [[0, 0], [1, 0]])
        if (bot.blockAt(from.offset(x, y, z)).name === 'air')
          await skills.placeBlock(bot, `${'oak'}_planks`, from.x + x, y, from.z + z, 'side');
  };
  await walls(start, 2);
  await skills.wait(bot, 60000);
  log(bot, 'walls'); console.log('walls'); bot.chat('walls');
  await skills.goToPosition(bot, 1, 2, 3);
  const later = new Promise((done) => setTimeout(() => {
    skills.placeBlock(bot, 'later', new Vec3(0, 3, 4).distanceTo(new Vec3(0, 0, 0)), 0, 0); done();
  }, 3600000));
  setTimeout(() => skills.placeBlock(bot, 'sooner', 4, 0, 0), 1000);
  await later;
  await skills.breakBlockAt(bot, 1, 0, -1);
  const near = world.getNearestBlock(bot, 'stone', 16);
  if (near === 'air') skills.placeBlock(bot, undefined, 1.7, 0, 0);
  skills.placeBlock(bot, 7, 0, 0, 0); skills.placeBlock(bot, 'a', NaN, 0, 0);
  for (let i = 0; i < 2; i += 1) skills.placeBlock(bot, 'wild', Math.random() * 1e6, 0, 0);
  return true;
}
"""


@runs_here
def test_a_program_is_run_and_its_calls_are_read_in_order() -> None:
    faults: list[str] = []
    found = list(read_actions(HOUSE, faults))
    planks = [("place", x, y, -1, "oak_planks") for y in (0, 1) for x in (1, 2)]
    assert [tuple(action) for _, action in found[:-2]] == [
        *planks,
        ("place", 4, 0, 0, "sooner"),
        ("place", 5, 0, 0, "later"),
        ("remove", 1, 0, -1, "unknown"),
        ("place", 1, 0, 0, "unknown"),
    ]
    assert [place for place, _ in found[:2]] == ["call 1", "call 2"]
    assert faults[:2] == [
        "call 9: the material must be a text; the call is left out",
        "call 10: a coordinate is no number; the call is left out",
    ]
    assert "3 blocks were given coordinates that aren't whole" in faults[2]
    # The same file gives the same blocks each time.
    assert list(read_actions(HOUSE, [])) == found and found[-1] != found[-2]


@runs_here
def test_imports_may_stand_before_the_exported_function() -> None:
    calls = "let x = 0; while (x < 2) await skills.placeBlock(bot, 'stone', x++, 0, 0);"
    program = (
        f"import {{ skills }} from './skills.js';\nexport default async (bot) => {{ {calls} }}"
    )
    assert [call[1] for call in node.run(program).calls] == [0, 1]


@runs_here
def test_what_stands_when_a_program_throws_is_kept_and_told(tmp_path: Path) -> None:
    file = tmp_path / "a.js"
    file.write_text(
        "export default async function (bot) {\n  for (let x = 0; x < 3; x++) {\n"
        "    if (x === 2) noSuchThing();\n    skills.placeBlock(bot, 'stone', x, 0, 0);\n  }\n}"
    )
    read = read_blocks(file)
    assert read.blocks.positions[:, 0].tolist() == [0, 1]
    assert read.faults == (
        f"{file}: line 3: the program stopped with ReferenceError: noSuchThing is not defined; "
        "what it placed until then counts",
    )


@runs_here
def test_a_skill_that_there_is_not_stops_the_program() -> None:
    ran = node.run(
        "for (let x = 0; x < 3; x++) {\n  await skills.useDoor(bot);\n"
        "  if (x === 2) await skills.placeBlok(bot, 'a', x, 0, 0);\n"
        "  await skills.placeBlock(bot, 'a', x, 0, 0);\n}"
    )
    assert [call[1] for call in ran.calls] == [0, 1]
    assert ran.fault == (
        "line 3: the program stopped with TypeError: skills.placeBlok is not a function (perhaps "
        "placeBlock was meant); what it placed until then counts"
    )


@runs_here
def test_waiting_for_what_never_comes_is_told() -> None:
    ran = node.run("skills.placeBlock(bot, 'a', 1, 2, 3);\nawait new Promise(() => {});")
    assert ran.calls == (("place", 1, 2, 3, "a"),)
    assert ran.fault and "waits for something that never comes" in ran.fault


@runs_here
@pytest.mark.parametrize(
    ("program", "told"),
    [
        ("let x = 1;\nlet y = ;", "line 2: it can't be run as JavaScript (SyntaxError"),
        ("for (;;);", "ran for longer than it may"),
        ("for (;;) await 0;", "ran for longer than it may"),
        ("const a = []; for (;;) a.push(new Array(1e6).fill(0.5));", "more memory than it may"),
        ("const a = []; for (;;) a.push(new Uint8Array(1e8).fill(1));", "more memory than it may"),
        (
            "for (let i = 0; i < 1e7; i++) skills.placeBlock(bot, 'a', i, 0, 0);",
            "more than 1000000",
        ),
    ],
)
def test_what_would_depend_on_the_machine_is_refused(program: str, told: str) -> None:
    limit = 1.0 if "longer" in told else 60.0
    with pytest.raises(BlocksError) as caught:
        node.run(program, timeout=limit)
    assert told in str(caught.value) and "\n" not in str(caught.value)
    assert not isinstance(caught.value, NodeNeeded)


@runs_here
def test_a_program_can_tamper_with_its_own_world_only() -> None:
    ran = node.run(
        """
        JSON.stringify = () => 'x'; Object.prototype.toJSON = () => 7; Reflect.get = null;
        globalThis.process = { exit() {} }; console.log('["place",9,9,9,"forged"]');
        Function.prototype.call = () => 1; Array.prototype.join = () => 'forged';
        await skills.placeBlock(bot, 'honest', 1, 1, 1);
        throw { get message() { throw 1; }, get stack() { throw 2; } };
        """
    )
    assert ran.calls == (("place", 1, 1, 1, "honest"),)
    assert ran.fault and "something that is no error" in ran.fault


# What a program could do that has left its context: it stands in place of our own.
_LEFT = """
const fs = require('node:fs'), { spawnSync } = require('node:child_process');
const { sign } = JSON.parse(fs.readFileSync(0, 'utf8'));
const tried = {
  secret: () => fs.readFileSync(SECRET, 'utf8'),
  folder: () => fs.readdirSync(FOLDER).join(),
  written: () => fs.writeFileSync(FOLDER + '/written', 'x'),
  library: () => fs.writeFileSync('/usr/lib/written', 'x'),
  environment: () => Object.keys(process.env).sort().join(),
  killed: () => process.kill(PARENT, 0),
  shell: () => String(spawnSync('/bin/sh', ['-c', 'cat ' + SECRET]).stdout),
  address: () => Object.values(require('node:os').networkInterfaces()).flat()
    .filter((one) => !one.internal).length,
};
const calls = Object.entries(tried).map(([name, does]) => {
  let came = 'nothing';
  try { came = `got ${does()}`; } catch (error) { came = error.code || String(error); }
  return ['place', 0, 0, 0, `${name}: ${came}`];
});
const wire = require('node:net').connect(PORT, '127.0.0.1');
wire.on('error', finish).on('connect', () => finish(null));
function finish(error) {
  calls.push(['place', 0, 0, 0, `network: ${error ? error.code : 'got through'}`]);
  console.log('no sign ["place",0,0,0,"forged"]');
  console.log(`${sign} {"end"`); console.log(`${sign} 7`);
  console.log(`${sign} [["place",1,2,3],["build",1,2,3,"a"],["place",[],2,3,"a"],5]`);
  console.log(`${sign} [["place",1,2,3,{}],["place",true,2,3,"a"]]`);
  calls.push(['place', 0, 0, 0, `name: ${'x'.repeat(999)}`]);
  console.log(`${sign} ${JSON.stringify(calls)}`);
  console.log(`${sign} {"end":"done"}`);
}
"""


@runs_here
def test_who_leaves_the_context_is_still_in_the_box(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("a key")
    with socket.create_server(("127.0.0.1", 0)) as server:
        values = {
            "SECRET": str(secret),
            "FOLDER": str(Path.home()),
            "PARENT": os.getpid(),
            "PORT": server.getsockname()[1],
        }
        runner = tmp_path / "runner.js"
        named = "".join(f"const {k} = {json.dumps(v)};\n" for k, v in values.items())
        runner.write_text(named + _LEFT)
        monkeypatch.setattr(node, "RUNNER", runner)
        monkeypatch.setenv("PLUMBLINE_SECRET", "a key")
        ran = node.run("1")
    told = dict(call[4].split(": ", 1) for call in ran.calls)
    assert len(told.pop("name")) == 200 - len("name: ")
    assert told.pop("environment") == "got HOME,PATH,PLUMBLINE_BOX,PWD"
    assert told.pop("shell") == "got "
    assert told.pop("address") in ("got 0", "ERR_SYSTEM_ERROR")
    assert told.pop("network") in ("EPERM", "ECONNREFUSED", "ENETUNREACH")
    assert told.pop("killed") in ("ESRCH", "EPERM")
    assert len(told) == 4 and all("got" not in came for came in told.values())
    assert not (Path.home() / "written").exists()


@runs_here
@pytest.mark.parametrize(
    ("left", "told"),
    [
        ("process.exit(0);", "ended Node before its end"),
        (
            "process.stdout.write('x'.repeat(1 << 22)); process.abort();",
            "ended Node before its end",
        ),
    ],
)
def test_who_leaves_without_a_last_word_gives_nothing(
    left: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runner = tmp_path / "runner.js"
    runner.write_text(left)
    monkeypatch.setattr(node, "RUNNER", runner)
    with pytest.raises(BlocksError, match=told):
        node.run("1")


def test_without_node_a_sentence_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(NodeNeeded, match=r"line 1: 'for' .* needs Node: `apt install nodejs`"):
        list(read_actions("for (;;);", []))


def test_without_a_box_nothing_is_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node, "command", lambda: "/usr/bin/node")
    monkeypatch.setattr(box, "why_not", lambda: "bubblewrap can't be started: no")
    with pytest.raises(NodeNeeded, match="in a box only, and bubblewrap can't be started"):
        node.run("1")


def test_the_doctor_says_whether_programs_can_be_run(monkeypatch: pytest.MonkeyPatch) -> None:
    from plumbline.addon.runs.doctor import _node

    assert (_node().state == "ok") == (_WHY_NOT is None)
    monkeypatch.setenv("PATH", "/nowhere")
    item = _node()
    assert (item.state, item.remedy) == ("optional", "apt install nodejs")
