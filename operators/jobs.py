# SPDX-License-Identifier: GPL-3.0-or-later
"""Calling off what is at work."""

CLASSES: tuple[type, ...] = ()
