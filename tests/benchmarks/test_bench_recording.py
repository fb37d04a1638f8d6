# SPDX-License-Identifier: GPL-3.0-or-later
"""How much a copy and its recording cost beside bare stepping: 1.1 times is the figure to reach.

Fifty boxes over 240 frames, side by side in one process; ``-s`` prints the ratio and what twenty
bodies really moved by the solver take to be judged, which shall be 5 s at most. Nothing is asserted
on times, but that both make the same bits.
"""

from __future__ import annotations

import time

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

import bullet_scenes as bullet  # noqa: E402
from plumbline.addon.simulation.copying import copied  # noqa: E402
from plumbline.addon.simulation.recording import record  # noqa: E402
from plumbline.addon.simulation.steps import finish  # noqa: E402
from plumbline.checks.reconstruction import judge  # noqa: E402

pytestmark = pytest.mark.benchmark

FRAMES = 240


def boxes(count: int):
    """Boxes in two layers that fall on each other and on a floor."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    scene = bullet.start(FRAMES)
    bullet.floor(40.0)
    for k in range(count):
        bullet.box(f"box {k}", (k % 5 * 1.1, k // 5 % 5 * 1.1, 1 + 1.6 * (k // 25)))
    bpy.context.view_layer.update()
    return scene


def stepped(scene):
    for frame in range(1, FRAMES + 1):
        scene.frame_set(frame)
    return np.array([o.matrix_world.translation for o in scene.objects])


def trajectory(scene):
    with copied(scene, "Trial") as stage:
        return finish(record(stage))


def test_fifty_boxes_beside_bare_stepping(benchmark, empty_scene, rounds):
    """In turns and by this process's own time, since a busy machine slows whole seconds."""
    bare, ours = [], []
    for _ in range(rounds(3)):
        scene = boxes(50)
        start = time.process_time()
        made = trajectory(scene)
        ours.append(time.process_time() - start)
        scene = boxes(50)
        start = time.process_time()
        poses = stepped(scene)
        bare.append(time.process_time() - start)
        assert np.array_equal(made.position[-1].astype(np.float32), poses.astype(np.float32))
    print(
        f"\nrecorded {min(ours):.3f} s, bare {min(bare):.3f} s: {min(ours) / min(bare):.3f} times"
    )
    benchmark.pedantic(trajectory, setup=lambda: ((boxes(50),), {}), rounds=1)


def test_twenty_real_bodies_are_judged(benchmark, empty_scene):
    made = trajectory(boxes(20))
    judgement = benchmark.pedantic(lambda: judge(made), rounds=1)
    assert not [c.id for c in judgement.checks if c.status == "failed"]
    print(f"\n{len(made.bodies)} bodies, {len(made)} frames")
