# SPDX-License-Identifier: GPL-3.0-or-later
"""The arch becomes flatter or higher."""


def change(value):
    """The deck rises by ``value`` blocks: a parabola in steps, which are joined by faces."""
    for x in range(2, 20):
        for y in range(3, 9):
            for z in (0, 1):
                remove_block(x, y, z)
    levels = [3, *(round(3 + value * (1 - ((x - 10.5) / 9) ** 2)) for x in range(2, 20)), 3]
    for x, (before, level, after) in enumerate(
        zip(levels, levels[1:], levels[2:], strict=False), 2
    ):
        fill(x, min(before, level, after), 0, x, level, 1, "white_concrete")
