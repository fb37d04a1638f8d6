# SPDX-License-Identifier: GPL-3.0-or-later
"""The frames of an altered run that are worth a picture, and how far each body got from its way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .responses import Response, apart
from .trajectory import Trajectory

#: Bodies whose greatest difference is kept, those that differ most.
MOST = 20


def moments(
    begins: int, base: Trajectory, branch: Trajectory, answers: Sequence[Response]
) -> dict[str, Any]:
    """Frame numbers by what is to be seen in them, as plain data.

    ``intervention`` is ``begins``, from which on something is otherwise, ``first_difference`` the
    first in which a body is elsewhere, ``largest_difference`` that in which one is farthest from
    where the baseline has it, ``first_intrusion`` the first in which a body is deeper in another
    than is let pass, ``response`` that of the first expectation that doesn't hold, else of the
    first. ``bodies`` give each body's greatest distance in m from its place in the baseline, and
    its frame.
    """
    told: dict[str, Any] = {"intervention": begins}
    bodies, first = {}, None
    for name in base.names:
        if name not in branch.names:
            continue
        far = np.nan_to_num(apart(branch, base, name))
        if not far.any():
            continue
        row = int(far.argmax())
        bodies[name] = {"distance": float(far[row]), "frame": int(base.frames[row])}
        parted = int(base.frames[int((far > 0).argmax())])
        first = parted if first is None else min(first, parted)
    order = sorted(bodies, key=lambda name: -bodies[name]["distance"])
    if order:
        told["first_difference"] = first
        told["largest_difference"] = {"body": order[0], **bodies[order[0]]}
    inside = [r.figures["first_inside"] for r in answers if "first_inside" in r.figures]
    if inside:
        told["first_intrusion"] = min(inside)
    response = next((r for r in answers if r.holds is False), answers[0] if answers else None)
    if response is not None and response.frame is not None:
        told["response"] = response.frame
    told["bodies"] = {name: bodies[name] for name in order[:MOST]}
    return told
