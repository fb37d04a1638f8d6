# SPDX-License-Identifier: GPL-3.0-or-later
"""Building a task by hand: begin, add members, hand in, give up."""

CLASSES: tuple[type, ...] = ()
