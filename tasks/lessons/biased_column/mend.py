# SPDX-License-Identifier: GPL-3.0-or-later
"""The beam lies over the middle of the column."""

for x in range(8):
    for y in (8, 9):
        for z in (0, 1):
            remove_block(x, y, z)
fill(-3, 8, 0, 4, 9, 1, "white_concrete")
