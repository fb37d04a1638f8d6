# SPDX-License-Identifier: GPL-3.0-or-later
"""Panel *Build by Hand*: a person builds the task and is judged like everybody."""

CLASSES: tuple[type, ...] = ()
