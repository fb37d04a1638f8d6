# SPDX-License-Identifier: GPL-3.0-or-later
"""Panel *Physics*: what happens to a copy of the scene if something pushes it."""

CLASSES: tuple[type, ...] = ()
