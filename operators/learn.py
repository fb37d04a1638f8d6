# SPDX-License-Identifier: GPL-3.0-or-later
"""Opening a lesson, answering, mending, and asking what if."""

CLASSES: tuple[type, ...] = ()
