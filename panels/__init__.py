# SPDX-License-Identifier: GPL-3.0-or-later
"""Panels, lists and viewport overlays: they draw, and change nothing."""

from . import (
    agent,
    annotate,
    blocks,
    checks,
    findings,
    human,
    jobs,
    learn,
    menu,
    overlay,
    overlay_blocks,
    physics,
    physics_captions,
    physics_probes,
    physics_what_if,
    preferences,
    runs,
    session_run,
    stress,
    summary,
    task,
    view,
)

CLASSES = (
    *preferences.CLASSES,
    *jobs.CLASSES,
    *task.CLASSES,
    *human.CLASSES,
    *agent.CLASSES,
    *session_run.CLASSES,
    *checks.CLASSES,
    *findings.CLASSES,
    *view.CLASSES,
    *annotate.CLASSES,
    *learn.CLASSES,
    *physics.CLASSES,
    *physics_probes.CLASSES,
    *physics_what_if.CLASSES,
    *runs.CLASSES,
    *blocks.CLASSES,
    *stress.CLASSES,
    *summary.CLASSES,
)

__all__ = ["CLASSES", "menu", "overlay", "overlay_blocks", "physics_captions"]
