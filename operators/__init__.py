# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators of the extension: thin, each one call into ``addon``."""

from . import agent, checks, findings, session_run, tasks

CLASSES = (
    *tasks.CLASSES,
    *agent.CLASSES,
    *session_run.CLASSES,
    *checks.CLASSES,
    *findings.CLASSES,
)
