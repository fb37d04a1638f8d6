# SPDX-License-Identifier: GPL-3.0-or-later
"""What is at work, how far it is, and the button that calls it off."""

CLASSES: tuple[type, ...] = ()
