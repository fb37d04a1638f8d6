# SPDX-License-Identifier: GPL-3.0-or-later
"""Is everything there that the task asks for, and is it known what each member is?"""

from __future__ import annotations

import numpy as np

from ...result import Finding
from .joints import Joints
from .outcome import Outcome, point

_CHECK = "completeness"
#: What to add where a category has no member.
_EXAMPLES = {
    "foundation": "footings, piers or sills",
    "floor": "joists and beams",
    "walls": "studs and plates",
    "roof": "rafters and a ridge",
}


def completeness(joints: Joints) -> Outcome:
    """Categories that the task requires are present; every member has a role (specification, 2).

    The subject of a missing category is the place, in the middle of what there is. A member whose
    name says nothing is never dropped silently: it is a finding of its own.
    """
    frame, roles = joints.frame, joints.frame.roles
    n = len(frame)
    low, high = frame.structure.aabb
    middle = point(0.5 * (low.min(axis=0) + high.max(axis=0))) if n else (0.0, 0.0, 0.0)
    present = set(roles.category)
    missing = [c for c in joints.brief.required_categories if c not in present]
    findings = [
        Finding(
            _CHECK,
            f"place for {category}",
            f"The structure has no {category} members; "
            f"add {_EXAMPLES[category]}, named by their role.",
            subject_kind="place",
            measured=0.0,
            limit=1.0,
            unit="members",
            margin=-1.0,
            location=middle,
            clause="specification 2",
        )
        for category in missing
    ]
    unknown = [i for i, role in enumerate(roles.role) if role is None]
    spots = np.round(frame.center, 4).tolist()
    findings += [_nameless(joints, i, spots[i]) for i in unknown]
    figures = {
        "members": n,
        "members_without_role": len(unknown),
        "missing_categories": missing,
    }
    return Outcome(
        n + len(joints.brief.required_categories), tuple(findings), figures, "no members at all"
    )


def _nameless(joints: Joints, member: int, spot: list[float]) -> Finding:
    name = joints.frame.names[member]
    explicit = joints.frame.structure.explicit_roles[member]
    why = (
        f"its plumbline_role {explicit!r} is no known role"
        if explicit is not None
        else "its name holds no known role"
    )
    return Finding(
        _CHECK,
        name,
        f"What {name} is can't be told: {why}; rename it or set plumbline_role.",
        location=(spot[0], spot[1], spot[2]),
        clause="specification 2",
    )
