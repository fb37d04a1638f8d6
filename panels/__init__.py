# SPDX-License-Identifier: GPL-3.0-or-later
"""Panels, lists and viewport overlays: they draw, and change nothing."""

from . import agent, checks, findings, overlay, session_run, task

CLASSES = (
    *task.CLASSES,
    *agent.CLASSES,
    *session_run.CLASSES,
    *checks.CLASSES,
    *findings.CLASSES,
)

__all__ = ["CLASSES", "overlay"]
