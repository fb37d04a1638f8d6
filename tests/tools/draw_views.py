# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw the canonical views of a house and of what might be built instead, and tell S of each.

Run with a Python that has bpy: ``python tests/tools/draw_views.py``. The sheet is
``docs/images/views.png``; the values are those of the table in docs/cameras.md.
"""

from __future__ import annotations

import sys
from dataclasses import replace

import bpy
import numpy as np
from draw_houses import ROOT, package

SHEET = ROOT / "docs" / "images" / "views.png"
TARGET = "timber/gable_house"
GAP = 8  # pixels between pictures


def built(program: str):
    """The structure that a program leaves in an empty scene."""
    from plumbline.addon.scene.members import structure_from_scene

    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    exec(compile(program, "build.py", "exec"), {"__name__": "__main__"})
    structure = structure_from_scene()
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    return structure


def candidates() -> dict:
    """What is compared with the target, by the words of the table."""
    from plumbline.tasks import load_task

    task = load_task(TARGET)
    house = built(task.program())
    bare = np.array(["Rafter" not in name for name in house.names])
    found = {"the same": house}
    for words, twin in (("one stud missing", "missing_stud"), ("no rafter ties", "no_rafter_ties")):
        found[words] = built(task.twin(twin).program())
    for shift in (0.02, 0.05, 0.10, 0.50):
        moved = replace(house, center=house.center + (shift, 0.0, 0.0))
        found[f"moved {100 * shift:.0f} cm to the right"] = moved
    found["without rafters"] = house.subset(bare)
    found["every second member"] = house.subset(np.arange(0, len(house), 2))
    for other in ("hip_roof", "two_storey", "wing_house", "cabin"):
        found[f"`{other}` instead"] = built(load_task(f"timber/{other}").program())
    found["nothing"] = house.subset([])
    return found


def main() -> None:
    package()
    from plumbline.addon.scene.pixels import on_colour, read_png, shrunk, write_png
    from plumbline.addon.scene.similarity import similarity
    from plumbline.addon.scene.views import render_views

    found = candidates()
    points = found["the same"].corners.reshape(-1, 3)
    views = {words: render_views(structure, points) for words, structure in found.items()}
    for words, own in views.items():
        like = similarity(views["the same"], own)
        shown = " ".join(f"{value:.2f}" for value in like.views.values())
        print(f"| {words} | {like.value:.3f} | {shown} |", file=sys.stderr)
    rows = []
    for words in ("the same", "`hip_roof` instead"):
        large = [read_png(png) / np.float32(255.0) for png in views[words].values()]
        pictures = [shrunk(picture, 2) for picture in large]
        gap = np.zeros((pictures[0].shape[0], GAP, 4), np.float32)
        rows.append(np.concatenate([p for picture in pictures for p in (picture, gap)], axis=1))
    write_png(SHEET, on_colour(np.concatenate(rows, axis=0), (1.0, 1.0, 1.0)))


if __name__ == "__main__":
    main()
