# SPDX-License-Identifier: GPL-3.0-or-later
"""Opening run folders, their attempts, and two of them side by side."""

CLASSES: tuple[type, ...] = ()
