# SPDX-License-Identifier: GPL-3.0-or-later
"""Two piers and a flat deck of 18 m between them, two blocks wide."""

fill(0, 0, 0, 1, 3, 1, "white_concrete")
fill(20, 0, 0, 21, 3, 1, "white_concrete")
fill(2, 3, 0, 19, 3, 1, "white_concrete")
