# SPDX-License-Identifier: GPL-3.0-or-later
"""Panel *Learn*: lessons on why houses stand, and fall."""

CLASSES: tuple[type, ...] = ()
