# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw the bundled timber houses as one sheet, ``docs/images/houses.png``.

Run with a Python that has bpy: ``python tests/tools/draw_houses.py``. Each house is built by its
own program in a fresh scene, read as the checks read it, and drawn as the reports draw it.
"""

from __future__ import annotations

import importlib.util
import sys
import tempfile
from pathlib import Path

import bpy
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
SHEET = ROOT / "docs" / "images" / "houses.png"
TILE = (400, 300)  # pixels a house
COLUMNS = 4


def package() -> None:
    """Make ``import plumbline`` mean this checkout."""
    spec = importlib.util.spec_from_file_location(
        "plumbline", ROOT / "__init__.py", submodule_search_locations=[str(ROOT)]
    )
    module = importlib.util.module_from_spec(spec)
    sys.modules["plumbline"] = module
    spec.loader.exec_module(module)


def tile(program: str, folder: Path) -> np.ndarray:
    """Picture of what a program builds, (height, width, 4), 0..1, top first."""
    from plumbline.addon.scene.members import structure_from_scene
    from plumbline.addon.scene.picture import render

    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    exec(compile(program, "build.py", "exec"), {"__name__": "__main__"})
    file = render(structure_from_scene(), folder / "tile.png", size=TILE)
    image = bpy.data.images.load(str(file), check_existing=False)
    pixels = np.empty(TILE[0] * TILE[1] * 4, dtype=np.float32)
    image.pixels.foreach_get(pixels)
    return pixels.reshape(TILE[1], TILE[0], 4)[::-1]


def main() -> None:
    package()
    from plumbline import tasks
    from plumbline.addon.scene.pixels import write_png

    with tempfile.TemporaryDirectory() as folder:
        tiles = [tile(task.program(), Path(folder)) for task in tasks.select()]
    rows = [np.concatenate(tiles[i : i + COLUMNS], axis=1) for i in range(0, len(tiles), COLUMNS)]
    SHEET.parent.mkdir(parents=True, exist_ok=True)
    write_png(SHEET, np.concatenate(rows, axis=0))
    print(f"drew {len(tiles)} houses: {SHEET.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
