# SPDX-License-Identifier: GPL-3.0-or-later
"""The pictures of simulations: which maker draws the findings of which probe."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from ....checks.reconstruction.simulation import Simulation
from ....checks.result import Finding, Judgement
from ..drawing import Picture, Shown, Solid, Subjects, metres
from ..solids import boxes, grown
from . import motion
from .branches import counterfactual
from .drivers import prescribed_motion
from .energy import energy
from .held import support
from .inside import penetration
from .media import cloth, liquid, rigidity, soft, wind
from .parts import SKIN
from .places import MOST_TRIANGLES, corners_of, subjects_in, surface
from .plain import plain
from .strip import Strip, energy_strip

#: A maker gives ``None`` for a finding that does not tell what its picture needs.
Maker = Callable[[Shown], Picture | None]

#: By probe. Findings of any other check are those of counterfactual criteria, by their ids.
MAKERS: dict[str, Maker] = {
    "numerical_stability": motion.stability,
    "gravity": motion.gravity,
    "mass": plain,
    "prescribed_motion": prescribed_motion,
    "interpenetration": penetration,
    "support": support,
    "contact": motion.contact,
    "energy": energy,
    "rigidity": rigidity,
    "cloth": cloth,
    "liquid": liquid,
    "wind": wind,
    "friction": motion.friction,
    "restitution": motion.restitution,
    "soft_body": soft,
}


def surfaces_at(structure: Simulation, frame: int, rows: Iterable[int]) -> list[Solid]:
    """The visible surface of each of these bodies in a frame, a little larger than it is.

    Boxes instead, once they have more triangles together than a redraw should send.
    """
    run = structure.trajectory
    row = run.row(frame)
    wanted = list(rows)
    if sum(len(run.bodies[k].triangles) for k in wanted) > MOST_TRIANGLES:
        return [boxes(corner[None]) for corner in grown(corners_of(run, row)[wanted])]
    made = [surface(run, k, row, SKIN * run.bodies[k].size) for k in wanted]
    every = corners_of(run, row)
    return [
        solid if len(solid.triangles) else boxes(every[[k]])
        for k, solid in zip(wanted, made, strict=True)
    ]


@dataclass(frozen=True)
class Explained:
    """What is worked out once a check: the energy over time, ``None`` where it wasn't measured."""

    strip: Strip | None


class ReconstructionPictures:
    """See :class:`..kind.KindPictures`."""

    def subjects(self, structure: Simulation, findings: Iterable[Finding] = ()) -> Subjects:
        """Every body where it is in the first frame."""
        return subjects_in(structure.trajectory, 0)

    def subjects_at(self, structure: Simulation, frame: int) -> Subjects:
        """Every body where it is in a frame; in the nearest one that was simulated."""
        run = structure.trajectory
        return subjects_in(run, run.row(frame))

    def explain(self, structure: Simulation, brief: Any, judgement: Judgement) -> Explained:
        """The energy strip."""
        return Explained(energy_strip(judgement, int(structure.trajectory.frames[0])))

    def picture(self, shown: Shown) -> Picture:
        """The picture of the finding's probe; the plain one where the finding tells too little."""
        made = MAKERS.get(shown.finding.check, counterfactual)(shown)
        return made or plain(shown)

    def path(
        self,
        explained: Any,
        subjects: Subjects,
        name: str,
        length: Callable[[float], str] = metres,
    ) -> None:
        """Bodies have no load path: how they move is what there is to see."""


PICTURES = ReconstructionPictures()
