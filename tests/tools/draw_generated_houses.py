# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw generated houses for docs/houses.md: one framed and skinned, and one of each style.

Run with a Python that has bpy: ``python tests/tools/draw_generated_houses.py``. Pictures are drawn
in Cycles; those of a pack are by Workbench.
"""

from __future__ import annotations

import itertools

import numpy as np
from draw_houses import ROOT, package

IMAGES = ROOT / "docs" / "images"
#: The house that is shown large: style and seed.
SHOWN = ("Farmhouse", 2)
LARGE, SMALL = (520, 400), (264, 198)  # pixels
COLUMNS = 5


def sheet(tiles: list[np.ndarray], columns: int) -> np.ndarray:
    """Pictures (height, width, 4) beside and below each other on white."""
    blank = np.zeros_like(tiles[0])
    rows = [[*tiles[i : i + columns]] for i in range(0, len(tiles), columns)]
    rows[-1] += [blank] * (columns - len(rows[-1]))
    return np.concatenate([np.concatenate(row, axis=1) for row in rows], axis=0)


def main() -> None:
    package()
    from plumbline.addon.scene.house_views import renderer
    from plumbline.addon.scene.pixels import on_colour, read_png, write_png
    from plumbline.tasks.houses.generate import generate
    from plumbline.tasks.houses.parameters import STYLES

    def drawn(draw, house, skin):
        pixels = read_png(draw(house, skin)["front_right"])
        return (pixels / np.float32(255)).astype(np.float32)

    with renderer("cycles", LARGE, ["front_right"]) as draw:
        house = generate(*SHOWN)
        pair = [drawn(draw, house, skin) for skin in (False, True)]
    with renderer("cycles", SMALL, ["front_right"]) as draw:
        styles = zip(STYLES, itertools.repeat(2))
        each = [drawn(draw, generate(*known), True) for known in styles]
    for name, picture in (
        ("house_frame_and_skin.png", sheet(pair, 2)),
        ("house_styles.png", sheet(each, COLUMNS)),
    ):
        write_png(IMAGES / name, on_colour(picture, (1.0, 1.0, 1.0)))
        print(f"{name}: {(IMAGES / name).stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
