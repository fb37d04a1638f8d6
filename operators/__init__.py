# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators: thin, one call into addon/ each; errors are reported as sentences."""

from . import (
    agent,
    annotate,
    blocks,
    checks,
    findings,
    human,
    jobs,
    learn,
    learn_motion,
    physics,
    physics_probes,
    point,
    preferences,
    runs,
    session_run,
    stress,
    tasks,
    view,
    what_if,
    workspace,
)

CLASSES = (
    *tasks.CLASSES,
    *agent.CLASSES,
    *session_run.CLASSES,
    *checks.CLASSES,
    *findings.CLASSES,
    *point.CLASSES,
    *human.CLASSES,
    *view.CLASSES,
    *annotate.CLASSES,
    *learn.CLASSES,
    *learn_motion.CLASSES,
    *physics.CLASSES,
    *physics_probes.CLASSES,
    *what_if.CLASSES,
    *runs.CLASSES,
    *blocks.CLASSES,
    *stress.CLASSES,
    *jobs.CLASSES,
    *preferences.CLASSES,
    *workspace.CLASSES,
)

__all__ = ["CLASSES"]
