# SPDX-License-Identifier: GPL-3.0-or-later
"""How near one has to go to see a finding."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...checks.result import Finding

#: Round an overlap, and at least round a contact area or a cut of a few centimetres, m.
_OVERLAP, _NEAREST = 0.7, 0.28
#: Round a place where something is missing, whatever its size, m.
_PLACE, _FARTHEST = 1.6, 6.0
#: Gaps shorter than this are lost in a picture of the whole post, m.
_SMALL = 0.3


def radius_of(finding: Finding) -> float | None:
    """The radius round its location in which a finding is seen, m.

    ``None`` where the whole member is what one looks at.
    """
    detail = finding.detail
    if not isinstance(detail, Mapping):
        return None
    if _half_extent(detail, "solid") is not None:
        return _OVERLAP
    for key in ("needed", "cut"):
        half = _half_extent(detail, key)
        if half is not None:
            return max(4.0 * half, _NEAREST)
    if finding.subject_kind == "place":
        spread = max((_half_extent(detail, key) or 0.0) for key in ("places", "cells", "missing"))
        return min(max(0.8 * spread + 0.8, _PLACE), _FARTHEST)
    gap = _half_extent({"gap": [detail.get("from"), detail.get("to")]}, "gap")
    if finding.check == "point_load" and gap is not None and gap < 0.5 * _SMALL:
        return _OVERLAP
    return None


def _half_extent(detail: Mapping[str, Any], key: str) -> float | None:
    """Half of the longest side of the box round places of a detail, m."""
    value = detail.get(key)
    if not isinstance(value, (list, tuple)) or not value:
        return None
    try:
        places = np.asarray(value, dtype=np.float64).reshape(-1, 3)
    except (TypeError, ValueError, OverflowError):
        return None
    if not np.isfinite(places).all():
        return None
    return float(0.5 * np.ptp(places, axis=0).max())
