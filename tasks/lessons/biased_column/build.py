# SPDX-License-Identifier: GPL-3.0-or-later
"""A column of 2 x 2 blocks with a beam that lies three blocks beside its middle."""

fill(0, 0, 0, 1, 7, 1, "white_concrete")
fill(0, 8, 0, 7, 9, 1, "white_concrete")
