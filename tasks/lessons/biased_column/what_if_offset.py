# SPDX-License-Identifier: GPL-3.0-or-later
"""The beam is pushed to one side."""


def change(value):
    """The middle of the beam lies ``value`` blocks beside that of the column."""
    for x in range(-3, 5):
        for y in (8, 9):
            for z in (0, 1):
                remove_block(x, y, z)
    fill(value - 3, 8, 0, value + 4, 9, 1, "white_concrete")
