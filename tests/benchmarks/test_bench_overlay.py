# SPDX-License-Identifier: GPL-3.0-or-later
"""What colouring 5,000 members costs: 3 ms of our code a redraw, a frame 1.15 times as long.

Frames are measured in a real window, with and without the colours side by side. There the processor
also does the work of a graphics card (rasterising in software), which a real one would take over.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

MEMBERS = 5_000
WINDOW = Path(__file__).parents[1] / "window"

pytestmark = pytest.mark.benchmark


@pytest.fixture(scope="module")
def crowd():
    """Subjects and a judgement: every seventh at fault, all of them measured."""
    from plumbline.addon.pictures.drawing import Subjects
    from plumbline.checks.result import CheckResult, Finding, Judgement, Measures
    from plumbline.checks.timber.structure import CORNER_SIGNS

    names = tuple(f"Stud_{i}" for i in range(MEMBERS))
    corners = CORNER_SIGNS[None] * 0.05 + np.arange(MEMBERS)[:, None, None]
    findings = tuple(
        Finding("bearing", n, "It bears too little.", related=(names[i - 1],))
        for i, n in enumerate(names)
        if i % 7 == 0
    )
    measures = Measures(names, np.linspace(0, 1.3, MEMBERS), np.ones(MEMBERS), "m")
    check = CheckResult("bearing", "failed", findings, measures=(measures,))
    return Subjects(names, corners, ("Stud",) * MEMBERS), Judgement("timber", "paper", (check,))


@pytest.mark.parametrize("mode", ["verdict", "check", "role", "margin"])
def test_colours_of_all_members(benchmark, crowd, mode):
    """Once a check and mode, not once a redraw."""
    from plumbline.addon.colouring import colours_of
    from plumbline.addon.palette import STANDARD

    found = benchmark.pedantic(colours_of, args=(*crowd, mode, STANDARD), rounds=20)
    assert found.rgb.shape == (MEMBERS, 3)


def test_the_mesh_of_all_members(benchmark, crowd):
    """Once a mode, and when another member is hidden or moved for the first time."""
    from plumbline.addon.painted import painted

    corners = crowd[0].corners.astype(np.float32)
    rgb = np.full((MEMBERS, 3), 0.5, np.float32)
    benchmark.pedantic(painted, args=(corners, rgb, 0.001), rounds=20)


def test_the_place_of_a_label(benchmark):
    """At every redraw with a chosen finding: beside a long beam and a hundred others."""
    from plumbline.addon.placing import Rect, free_place

    points = np.random.default_rng(7).uniform(0, 800, (1_080, 2))
    view = Rect(0, 0, 1200, 800)
    benchmark(free_place, (400, 26), (600, 400), view, points, [Rect(0, 0, 300, 200)], points)


def test_looking_where_all_members_stand_after_an_edit(benchmark):
    """Once an edit: poses of 5,000 objects, read and compared."""
    bpy = pytest.importorskip("bpy")
    from plumbline.addon import review
    from plumbline.addon.scene.members import structure_from_scene
    from plumbline.addon.session import standing
    from plumbline.checks.result import Judgement

    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    scene = bpy.context.scene
    mesh = bpy.data.meshes.new("post")
    corners = [(x, y, z) for x in (0, 0.1) for y in (0, 0.1) for z in (0, 1.0)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    mesh.from_pydata(corners, [], faces)
    for i in range(MEMBERS):
        obj = bpy.data.objects.new(f"Stud_{i}", mesh)
        obj.location = (i % 72, i // 72, 0)
        scene.collection.objects.link(obj)
    bpy.context.view_layer.update()
    graph = bpy.context.evaluated_depsgraph_get()
    structure = structure_from_scene(scene, graph)
    poses = review.poses_of(scene, graph)
    found = review.Review(Judgement("timber", "paper", ()), structure, None, 0.1, poses)
    stand = standing.Standing(found, scene)
    scene.objects["Stud_7"].location.z = 1.0
    bpy.context.view_layer.update()

    def edited():
        standing._note_edit()
        stand.refresh(scene)

    benchmark.pedantic(edited, rounds=30, warmup_rounds=2)
    assert stand.here.all() and stand.moved.sum() == 1


def _zip(folder: Path) -> Path:
    """The zip that is released; ``PLUMBLINE_EXTENSION_ZIP`` names one that is built already."""
    from plumbline.addon.runs.extension import build_zip

    given = os.environ.get("PLUMBLINE_EXTENSION_ZIP")
    return Path(given) if given else build_zip(folder / "zip")


@pytest.mark.window
@pytest.mark.real_blender
def test_frames_with_and_without_colours(tmp_path, rounds, record_property):
    """Prints, for each mode, the median frame without and with, and our own part of it."""
    from plumbline.addon.runs.system import cache_folder
    from virtual_display import VirtualDisplay, missing_tools
    from windowed_blender import WindowedBlender

    binary = cache_folder() / "bin" / "blender-5.2"
    if not binary.exists() or missing_tools():
        pytest.skip("no Blender 5.2 with a window here: tests/tools/provision_blender.py makes one")
    with VirtualDisplay() as display:
        blender = WindowedBlender(binary, tmp_path / "window", display)
        try:
            blender.install(_zip(tmp_path))
            blender.start()
            blender.run("bpy.ops.wm.read_homefile(use_factory_startup=True)")
            blender.run("open_tab()")
            blender.run((WINDOW / "overlay_times.py").read_text(encoding="utf-8"))
            blender.run(f"crowd({MEMBERS})")
            nine, five = rounds(9), rounds(5)
            for name, call in {
                "verdict": f"measure('verdict', {nine})",
                "role": f"measure('role', {nine})",
                "margin": f"measure('margin', {nine})",
                "margin, nothing faded": f"measure('margin', {nine}, False)",
                "verdict, one dragged": f"measure('verdict', {nine}, True, move_one)",
                "verdict, all dragged": f"measure('verdict', {five}, True, move_all)",
            }.items():
                plain, coloured, ours, drawing = blender.run(f"result = {call}")
                record_property(name, coloured / plain)
                print(
                    f"  {name:24} {1000 * plain:6.1f} -> {1000 * coloured:6.1f} ms "
                    f"({coloured / plain:.2f}), ours {1000 * ours:5.2f} ms, "
                    f"rasterised in software {1000 * drawing:5.1f} ms"
                )
                assert drawing > 0.0, "nothing was drawn"
        finally:
            blender.kill()
