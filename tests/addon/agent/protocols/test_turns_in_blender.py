# SPDX-License-Identifier: GPL-3.0-or-later
"""Turns of blocks that are really built in Blender, by models over HTTP."""

import bpy  # noqa: F401 - says to conftest that Blender is needed
import pytest
from block_episodes import ROW, blocks_of, counts_of, rows_task
from episodes import ListProvider, program, run_episode
from model_clients import client
from model_server import ModelServer, Step, code_reply
from plumbline.addon.agent.agents import Limits
from plumbline.addon.agent.messages import Picture
from plumbline.addon.agent.protocols import ProtocolOptions
from plumbline.addon.runs.seats import WorkerSeat
from plumbline.addon.sandbox.policy import DEFAULT
from plumbline.addon.scene.pixels import read_png
from plumbline.tasks import load_task

pytest.importorskip("openai")
pytestmark = pytest.mark.once

ROOM = 'hollow_box(0, 0, 0, 4, 3, 4, "oak_planks")\nplace_block(2, 0, 0, "oak_door")\n'
SECOND = "def fill(wall):\n    for y in range(4):\n        for z in range(5):\n"
SECOND += '            place_block(wall, y, z, "stone")\n\nfill(2)\n'


@pytest.fixture(scope="module")
def seat():
    seat = WorkerSeat(60.0)
    yield seat
    seat.close()


def test_five_turns_over_the_wire_and_the_program_builds_them_again(seat, tmp_path):
    """Good, lost in three ways, good again: each turn keeps what stood, also when repeated."""
    task = load_task("voxel/4-cm-9-multi(5)-turn-revision-01-01")
    script = [
        code_reply(ROOM),
        Step("No.", stop="refusal"),
        code_reply('place_block(9, 9, 9, "stone")\noops()\n'),
        code_reply("import socket\n"),
        code_reply(SECOND),
    ]
    bench = seat.bench(tmp_path, DEFAULT, {"kind": "voxel"})
    with ModelServer(script) as server:
        provider = client(server, "chat")
        try:
            done = run_episode(tmp_path, provider, bench=bench, task=task, profile="paper")
        finally:
            provider.close()
    built = done.built
    assert built.end == "finished" and len(server.requests) == 5
    first = len(blocks_of(built.execution)) - 6  # of the wall, what is no shell
    assert counts_of(built.execution)[:4] == [first] * 4
    assert (9, 9, 9) not in blocks_of(built.execution)
    assert [m.subject for m in built.mishaps] == ["turn 2", "turn 3", "turn 4"]
    again = bench.execute(built.program, None, "again")
    assert again.structure == built.execution.structure


@pytest.mark.parametrize(
    "forging",
    [
        'blocks["plumbline_turns"] = "[]"',
        'blocks.data.attributes["order"].data[0].value = 9',
        "bpy.data.objects.remove(blocks)",
    ],
)
def test_what_earlier_turns_left_cannot_be_mended(seat, tmp_path, forging):
    """In a later turn, by editing the record of blocks in place of building."""
    code = f"import bpy\nblocks = bpy.data.objects['Blocks']\n{forging}\n"
    provider = ListProvider([program(ROW), program(code)])
    bench = seat.bench(tmp_path, DEFAULT, {"kind": "voxel"})
    done = run_episode(tmp_path, provider, "atomic", bench=bench, task=rows_task(), profile="paper")
    [mishap] = done.built.mishaps
    assert "changed the record of what stood after earlier turns" in mishap.message
    assert counts_of(done.built.execution) == [4, 4]


def test_a_fault_of_blocks_is_shown(seat, tmp_path):
    task = load_task("voxel/1-se-2-walls-01-01")
    wall = 'fill(0, 0, 0, 4, 4, 0, "stone")\n'
    provider = ListProvider([program(wall + 'place_block(9, 4, 0, "stone")\n')] + ["No."])
    bench = seat.bench(tmp_path, DEFAULT, {"kind": "voxel"})
    run_episode(
        tmp_path,
        provider,
        "reactive",
        ProtocolOptions(),
        bench=bench,
        task=task,
        limits=Limits(attempts=2),
        profile="paper",
    )
    told = provider.requests[1].messages[-1]
    assert "block (9, 4, 0)" in told.text
    [shown] = [part for part in told.parts if isinstance(part, Picture)]
    red = read_png(shown.data).astype(int)
    assert (red[..., 0] - red[..., 1] > 80).sum() > 50  # what is at fault, in colour
