# SPDX-License-Identifier: GPL-3.0-or-later
"""Panel *Colours*: what the colours in the 3D view mean, and how to change them."""

CLASSES: tuple[type, ...] = ()
