# SPDX-License-Identifier: GPL-3.0-or-later
"""Panel *Run Folder*: attempts of a stored run, one by one or two beside each other."""

CLASSES: tuple[type, ...] = ()
