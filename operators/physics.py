# SPDX-License-Identifier: GPL-3.0-or-later
"""Physics on a copy of the scene."""

CLASSES: tuple[type, ...] = ()
