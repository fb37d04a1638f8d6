# SPDX-License-Identifier: GPL-3.0-or-later
"""The kinds of structure that can be judged, each with its profiles, brief and checks.

Whatever handles several kinds asks here, and knows nothing else of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from ..checks.reconstruction import profiles as reconstruction
from ..checks.reconstruction.brief import ReconstructionBrief
from ..checks.reconstruction.simulation import Simulation, judge_simulation
from ..checks.result import Judgement
from ..checks.result import Kind as Name
from ..checks.timber import judge as judge_timber
from ..checks.timber import profiles as timber
from ..checks.timber.brief import TimberBrief
from ..checks.timber.structure import TimberStructure
from ..checks.voxel import judge as judge_voxel
from ..checks.voxel import profiles as voxel
from ..checks.voxel.brief import VoxelBrief
from ..checks.voxel.rules import DEFAULT as VOXEL_DEFAULT
from ..checks.voxel.structure import VoxelStructure, with_turns

Structure: TypeAlias = TimberStructure | VoxelStructure | Simulation
Brief: TypeAlias = TimberBrief | VoxelBrief | ReconstructionBrief

#: Asked for instead of a profile: that of each task's kind.
OWN_PROFILE = "default"


@dataclass(frozen=True)
class Kind:
    """One kind: ``counted`` is what its structures are made of, also the metric of their number.

    ``brief`` reads a task's ``brief`` and raises ``ValueError`` naming the place; ``judge`` is
    called with structure, brief (or ``None``), profile and perhaps ``progress``; ``empty`` makes a
    structure of nothing; ``check_ids`` gives the ids of all checks for a profile and a brief.
    """

    name: Name
    profiles: tuple[str, ...]
    profile: str
    counted: str
    structure: type
    brief: Callable[[Mapping[str, Any]], Any]
    judge: Callable[..., Judgement]
    empty: Callable[[], Any]
    check_ids: Callable[[str, Any], tuple[str, ...]]

    def profile_for(self, asked: str | None) -> str:
        """The profile to judge by. Raises ``ValueError`` for one that the kind hasn't."""
        if asked is None or asked == OWN_PROFILE:
            return self.profile
        if asked not in self.profiles:
            known = ", ".join(self.profiles)
            raise ValueError(f"{self.name} has no profile {asked!r}; known: {known}")
        return asked

    def brief_of(self, task: Any) -> Any:
        """The brief of a task of this kind, ``None`` without one. Raises ``ValueError``."""
        return None if task is None else self.brief(task.brief)

    def after_episode(self, structure: Any, brief: Any) -> Any:
        """The structure that an episode left, as it is judged."""
        return structure

    def read_as(self, task: Any) -> dict[str, Any]:
        """What whoever reads a scene for a task of this kind must know, as plain data."""
        return {"kind": self.name}


class _Voxel(Kind):
    """Blocks: an episode that ends early leaves its last blocks standing for the turns to come."""

    def after_episode(self, structure: Any, brief: Any) -> Any:
        return with_turns(structure, len(brief.turns)) if brief is not None else structure


class _Reconstruction(Kind):
    """Simulations: a scene is read by running it, as often as the rubric asks for altered runs."""

    def read_as(self, task: Any) -> dict[str, Any]:
        return {"kind": self.name, "rubric": None if task is None else dict(task.brief)}


def _timber_ids(profile: str, brief: TimberBrief | None) -> tuple[str, ...]:
    judged = judge_timber(_no_members(), None, profile)
    return tuple(check.id for check in judged.checks)


def _voxel_ids(profile: str, brief: VoxelBrief | None) -> tuple[str, ...]:
    return voxel.check_ids(brief)


def _reconstruction_ids(profile: str, brief: ReconstructionBrief | None) -> tuple[str, ...]:
    return reconstruction.check_ids(brief)


def _no_members() -> TimberStructure:
    return TimberStructure.from_boxes((), (), (), ())


KINDS: Mapping[str, Kind] = {
    "timber": Kind(
        "timber",
        timber.PROFILES,
        timber.DEFAULT,
        "members",
        TimberStructure,
        TimberBrief.from_mapping,
        judge_timber,
        _no_members,
        _timber_ids,
    ),
    "voxel": _Voxel(
        "voxel",
        voxel.PROFILES,
        VOXEL_DEFAULT,
        "blocks",
        VoxelStructure,
        VoxelBrief.from_mapping,
        judge_voxel,
        VoxelStructure.empty,
        _voxel_ids,
    ),
    "reconstruction": _Reconstruction(
        "reconstruction",
        reconstruction.PROFILES,
        reconstruction.DEFAULT,
        "bodies",
        Simulation,
        ReconstructionBrief.from_mapping,
        judge_simulation,
        Simulation.empty,
        _reconstruction_ids,
    ),
}

#: Every profile of any kind, in the order of kinds: what a command line offers.
PROFILES: tuple[str, ...] = tuple(dict.fromkeys(p for k in KINDS.values() for p in k.profiles))


def kind_of(structure: Any) -> Kind:
    """The kind of a structure. Raises ``TypeError`` for anything else."""
    for kind in KINDS.values():
        if isinstance(structure, kind.structure):
            return kind
    raise TypeError(f"a {type(structure).__name__} is no structure")


def read_as(task: Any) -> dict[str, Any]:
    """What whoever reads a scene for a task must know. Raises ``ValueError`` for its kind."""
    return kind_named(task.kind).read_as(task)


def with_source(structure: Structure, source: Mapping[str, Any]) -> Structure:
    """The same structure with other data on where it came from."""
    if isinstance(structure, Simulation):
        return replace(structure, trajectory=replace(structure.trajectory, source=source))
    return replace(structure, source=source)


def how_many(metrics: Mapping[str, Any]) -> int:
    """How many members, blocks or bodies metrics tell of; 0 where they tell nothing."""
    counted = (kind.counted for kind in KINDS.values())
    return next((int(metrics[name] or 0) for name in counted if name in metrics), 0)


def kind_named(name: str) -> Kind:
    """The kind of that name. Raises ``ValueError`` naming those there are."""
    if name not in KINDS:
        raise ValueError(f"kind {name!r} can't be judged; known: {', '.join(KINDS)}")
    return KINDS[name]


def common_profile(kinds: set[str], asked: str | None) -> str:
    """What a run of tasks of these kinds is judged by, :data:`OWN_PROFILE` where they differ.

    Raises ``ValueError`` if one of them hasn't the profile that is asked for.
    """
    found = {kind_named(name).profile_for(asked) for name in kinds}
    return found.pop() if len(found) == 1 else OWN_PROFILE
