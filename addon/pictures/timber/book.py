# SPDX-License-Identifier: GPL-3.0-or-later
"""The pictures of timber: which maker draws the findings of which check."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ....checks.result import Finding, Judgement
from ....checks.timber.roles import resolve
from ....checks.timber.structure import TimberStructure
from ..drawing import Picture, Shown, Subjects, metres
from .clash import clash
from .contact import bearing, notch
from .load import load_path, path, post
from .loose import open_ends
from .plain import plain
from .rows import coverage, spacing
from .shape import nameless, opening, resized, turned
from .span import overhang, span
from .ways import Explained, explain

#: A maker gives ``None`` for a finding that does not tell what its picture needs.
Maker = Callable[[Shown], Picture | None]

#: Checks of all profiles; findings of any other have the plain picture.
MAKERS: dict[str, Maker] = {
    "load_path": load_path,
    "point_load": post,
    "clear_span": span,
    "span_limits": span,
    "cantilever": overhang,
    "clash": clash,
    "spacing": spacing,
    "oc_spacing": spacing,
    "gap_detection": spacing,
    "roof_coverage": coverage,
    "bearing": bearing,
    "notching": notch,
    "opening_header": opening,
    "orientation": turned,
    "section": resized,
    "dual_end_connection": open_ends,
    "dual_end": open_ends,
    "completeness": nameless,
}


class TimberPictures:
    """See :class:`..kind.KindPictures`."""

    def subjects(self, structure: TimberStructure, findings: Iterable[Finding] = ()) -> Subjects:
        """Every member, whatever was found."""
        roles = resolve(structure, "engineering")
        return Subjects(
            structure.names, structure.corners, tuple(role or "" for role in roles.role)
        )

    def explain(
        self, structure: TimberStructure, brief: Any, judgement: Judgement
    ) -> Explained | None:
        """How loads reach the ground: from the judgement's own workings, or worked out anew."""
        return explain(structure, brief, judgement.workings)

    def picture(self, shown: Shown) -> Picture:
        """The picture of the finding's check; the plain one where the finding tells too little."""
        maker = MAKERS.get(shown.finding.check)
        made = maker(shown) if maker is not None else None
        return made or plain(shown)

    def path(
        self,
        explained: Any,
        subjects: Subjects,
        name: str,
        length: Callable[[float], str] = metres,
    ) -> Picture | None:
        """The way of a member's load to the ground, or to where it breaks."""
        return path(explained, subjects, name, length)


PICTURES = TimberPictures()
