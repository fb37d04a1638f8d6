# SPDX-License-Identifier: GPL-3.0-or-later
"""Four columns, three blocks tall, and a roof that hovers one block above them."""

for x in (0, 4):
    for z in (0, 4):
        fill(x, 0, z, x, 2, z, "stone")
fill(0, 4, 0, 4, 4, 4, "oak_planks")
