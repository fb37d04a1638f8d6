# SPDX-License-Identifier: GPL-3.0-or-later
"""What panels say of a checked simulation beyond what they say of every structure."""

from __future__ import annotations

from collections.abc import Mapping

import bpy

from ..addon import review
from ..addon.i18n import say
from ..addon.motion_words import figure_words, validity_words
from ..checks.result import CheckResult, Finding
from .text import wrapped


def facts(found: review.Review) -> list[str]:
    """Which frames were simulated, and how much of the rubric holds."""
    frames = found.structure.trajectory.frames
    lines = [say("frames {first} to {last}", first=int(frames[0]), last=int(frames[-1]))]
    validity = validity_words(found.judgement.metrics)
    return [*lines, validity] if validity else lines


def draw_facts(layout: bpy.types.UILayout, context: bpy.types.Context, result: CheckResult) -> None:
    """The figures of a probe in words, where it has any that tell something."""
    told = figure_words(result.id, result.figures)
    if told and result.status in ("passed", "failed"):
        wrapped(layout, context, told, icon="BLANK1")


def frames_of(finding: Finding) -> str:
    """The frame of a finding, and how long it lasts where it says so."""
    frames = finding.detail.get("frames") if isinstance(finding.detail, Mapping) else None
    at = str(finding.frame)
    if isinstance(frames, (list, tuple)) and len(frames) == 2 and frames[0] != frames[1]:
        return say("{frame}, lasting {first} to {last}", frame=at, first=frames[0], last=frames[1])
    return at
