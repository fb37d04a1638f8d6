# SPDX-License-Identifier: GPL-3.0-or-later
"""Panel *Plumbline* among the scene's properties: how the scene stands, in short."""

CLASSES: tuple[type, ...] = ()
