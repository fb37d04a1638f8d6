# SPDX-License-Identifier: GPL-3.0-or-later
"""The program as people start it, and packs of small tasks that misbehave on purpose."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

STUD = """
import bpy

def add(name, size, centre):
    corners = [(x * size[0] / 2, y * size[1] / 2, z * size[2] / 2)
               for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(corners, [], faces)
    member = bpy.data.objects.new(name, mesh)
    member.location = centre
    bpy.context.scene.collection.objects.link(member)

add("Sill_01", (3.0, 0.089, 0.038), (0, 0, 0.019))
add("Stud_01", (0.038, 0.089, 2.4), (0, 0, 1.438))
print("built")
"""


@pytest.fixture
def make_pack(tmp_path):
    """``make_pack({"name": program})`` writes a pack of tasks and returns its path."""

    def make(programs, folder="pack"):
        pack = tmp_path / folder
        for name, program in programs.items():
            task = pack / "timber" / name
            task.mkdir(parents=True)
            texts = {"title": name, "style": "test", "description": "For a test."}
            data = {
                "id": f"timber/{name}",
                "kind": "timber",
                **texts,
                "constraints": {},
                "brief": {},
            }
            (task / "task.json").write_text(json.dumps(data))
            (task / "build.py").write_text(program)
        return pack

    return make


@pytest.fixture
def stud_program():
    """A program that builds a sill and a stud which floats above it."""
    return STUD


class Program:
    """Starts ``run_suite.py`` with this Python in a folder of its own."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.command = [sys.executable, str(root / "run_suite.py")]
        self.folder = folder
        self.environment = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "DISPLAY")}
        blender = getattr(getattr(sys.modules.get("bpy"), "app", None), "binary_path", "")
        if blender:  # inside a real one: the program is to use it, not what set-up may have made
            self.environment["PLUMBLINE_BLENDER"] = blender

    def __call__(self, *arguments, timeout=300, **options):
        return subprocess.run(
            [*self.command, *map(str, arguments)],
            capture_output=True,
            text=True,
            cwd=self.folder,
            env=self.environment,
            timeout=timeout,
            **options,
        )

    def start(self, *arguments, **options):
        """The running process, its output readable line by line."""
        return subprocess.Popen(
            [*self.command, *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=self.folder,
            env={**self.environment, "PYTHONUNBUFFERED": "1"},
            **options,
        )


@pytest.fixture
def plumbline(root, tmp_path):
    """The program; its current folder is the test's."""
    return Program(root, tmp_path)
