# SPDX-License-Identifier: GPL-3.0-or-later
"""The styles by name: one file a style.

A style says from which ranges :func:`..sampling.sample` draws, what it refuses beyond what every
house refuses, and of which volumes and openings a house consists.
"""

from __future__ import annotations

from importlib import import_module

from ..parameters import STYLES, ParameterError, shown
from .style import Design, Ranges, Style

#: Style -> module of this package with its ``STYLE``; only the one asked for is imported.
MODULES: dict[str, str] = {
    "Z-Plan": ".z_plan",
    "Cruciform": ".cruciform",
    "Courtyard": ".courtyard",
    "A-Frame": ".a_frame",
    "Barn": ".barn",
    "Carriage": ".carriage",
    "Colonial": ".colonial",
    "Farmhouse": ".farmhouse",
    "Ranch": ".ranch",
    "Saltbox": ".saltbox",
    "Split-Level": ".split_level",
    "Shotgun": ".shotgun",
    "Townhouse": ".townhouse",
}


def find_style(name: str) -> Style:
    """The style of this name. Raises :class:`ParameterError` for one that there is not."""
    if not isinstance(name, str) or name not in MODULES:
        known = ", ".join(s for s in STYLES if s in MODULES)
        raise ParameterError(f"style is {shown(name)}, which is none of {known}")
    style: Style = import_module(MODULES[name], __name__).STYLE
    return style


__all__ = ["MODULES", "Design", "Ranges", "Style", "find_style"]
