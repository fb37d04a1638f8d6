# SPDX-License-Identifier: GPL-3.0-or-later
"""How the structure is coloured in the 3D view."""

CLASSES: tuple[type, ...] = ()
