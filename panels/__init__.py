# SPDX-License-Identifier: GPL-3.0-or-later
"""Panels, lists and viewport overlays: they draw, and change nothing."""

from . import checks, findings, overlay, task

CLASSES = (*task.CLASSES, *checks.CLASSES, *findings.CLASSES)

__all__ = ["CLASSES", "overlay"]
