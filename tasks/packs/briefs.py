# SPDX-License-Identifier: GPL-3.0-or-later
"""Briefs of generated tasks: what is stored of them, and what is read back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from ...checks.timber.brief import BriefError, TimberBrief
from ..model import TaskError


def stored_brief(brief: TimberBrief) -> dict[str, Any]:
    """The values that differ from the defaults, as JSON takes them."""
    usual = TimberBrief()
    values = {f.name: getattr(brief, f.name) for f in fields(TimberBrief)}
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in values.items()
        if value != getattr(usual, name)
    }


def checked_brief(file: Path, brief: Mapping[str, Any]) -> Mapping[str, Any]:
    """The brief itself, if the checks can use it. Raises :class:`TaskError`."""
    try:
        TimberBrief.from_mapping(brief)
    except BriefError as error:
        raise TaskError(file, "brief", str(error), "see the fields of the brief") from None
    return brief
