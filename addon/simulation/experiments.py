# SPDX-License-Identifier: GPL-3.0-or-later
"""The runs that a rubric asks for: the scene as it is, once more, and made otherwise, on copies.

Each run has a copy of its own, taken away at its end, so that one holds no more than trajectories.
Runs that are the same are made once. The person's scene is never touched.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import closing

import bpy

from ...checks.reconstruction.bodies import TrajectoryError
from ...checks.reconstruction.brief import Counterfactual, ReconstructionBrief
from ...checks.reconstruction.counterfactual import Runs
from ...checks.reconstruction.interventions import Intervention
from ...checks.reconstruction.profiles import check_ids
from ...checks.reconstruction.simulation import Simulation
from ...checks.reconstruction.trajectory import Trajectory
from .alter_settings import has_field, switch_off
from .altered_run import put_right, same, size_of
from .altering import Names, alter, called
from .copying import SceneCopy, copied
from .hashing import state_hash
from .kept import keep_trajectory, kept_trajectory
from .recording import frames_of, record
from .steps import SimulationError, Steps

#: Recorded runs are kept until this many bytes: more are refused. Cloth of 10,000 vertices over
#: 240 frames takes 58 MB a run.
MOST = 1_500_000_000
_NONE = Intervention("none")
_NAMES = ("branch", "positive", "negative")


def simulate(
    scene: bpy.types.Scene,
    brief: ReconstructionBrief | None = None,
    *,
    first: int | None = None,
    last: int | None = None,
    kept: bool = False,
) -> Steps[Simulation]:
    """Run a scene, and whatever its rubric asks for, on copies.

    Parameters
    ----------
    scene
        Any scene of the file; it is the same afterwards.
    brief
        The rubric. Its counterfactual criteria need the scene twice and each altered scene once;
        its wind, if there are force fields, the scene without them.
    first, last
        Frames to record, the scene's own range by default.
    kept
        Whether runs that were made of this very scene before are taken as they are
        (:mod:`.kept`), and new ones kept: for a window, where people ask the same again. That the
        scene repeats itself is always tried out.

    Yields (done, total) frames of all runs. What can't be done of an altered run stands in
    ``Runs.refused``, by a sentence. Raises :class:`.steps.SimulationError` if the scene itself
    can't be simulated.
    """
    work = _Experiments(scene, brief or ReconstructionBrief(), first, last, kept)
    with closing(work.all()) as steps:
        return (yield from steps)


def what_if(
    scene: bpy.types.Scene,
    interventions: Sequence[Intervention],
    *,
    roles: Mapping[str, str] | None = None,
    first: int | None = None,
    last: int | None = None,
    baseline: Trajectory | None = None,
    kept: bool = False,
) -> Steps[tuple[Trajectory, Trajectory]]:
    """The scene as it is, and with all of the interventions, each on a copy.

    ``baseline`` is the scene as it is, of the same frames, where that was run already; ``kept`` as
    for :func:`simulate`. What was done stands in ``source["applied"]`` of the second. Raises
    :class:`.steps.SimulationError` for what can't be done.
    """
    work = _Experiments(scene, ReconstructionBrief(roles=roles or {}), first, last, kept)
    work.count = 1 + (baseline is None)
    base = baseline if baseline is not None else (yield from work.run(()))
    altered = yield from work.run(tuple(interventions), base)
    return base, altered


class _Experiments:
    """One scene, one rubric, and the runs that were made of them."""

    def __init__(
        self,
        scene: bpy.types.Scene,
        brief: ReconstructionBrief,
        first: int | None,
        last: int | None,
        kept: bool = False,
    ) -> None:
        self.state = state_hash(scene) if kept else None
        self.scene = scene
        self.brief = brief
        self.first, self.last = frames_of(scene, first, last)
        self.names: Names = called(scene, brief.roles)
        self.count = 1
        self._run = 0
        self._bytes = 0
        self._made: dict[str, Trajectory | str] = {}

    def all(self) -> Steps[Simulation]:
        """Every run, the baseline first."""
        asked = {c.id: c.counterfactual for c in self.brief.criteria if c.counterfactual}
        wind = "wind" in check_ids(self.brief) and any(has_field(o) for o in self.scene.objects)
        self.count = 1 + wind + (1 + len(self._different(asked)) if asked else 0)
        base = yield from self.run(())
        notes: list[str] = []
        without = None
        if wind:
            try:
                without = yield from self.run((), base, fields=False)
            except (SimulationError, TrajectoryError) as error:
                notes.append(f"the scene could not be run without its fields: {error}")
        again = (yield from self._again(base)) if asked else base
        runs = {}
        for name, one in asked.items():
            runs[name] = yield from self._runs(one, base, again)
        return Simulation(base, runs, without, tuple(notes))

    def _different(self, asked: Mapping[str, Counterfactual]) -> set[str]:
        wanted = [several for c in asked.values() for several in _interventions(c).values()]
        return {_key(several) for several in wanted if several}

    def _again(self, base: Trajectory) -> Steps[Trajectory | str]:
        """The baseline once more: itself where it is the same to the last bit."""
        try:
            again = yield from self.run((), base, anew=True)
        except (SimulationError, TrajectoryError) as error:
            return str(error)
        return base if same(base, again) else again

    def _runs(
        self, asked: Counterfactual, base: Trajectory, again: Trajectory | str
    ) -> Steps[Runs]:
        made: dict[str, Trajectory] = {"baseline": base}
        refused: dict[str, str] = {}
        if isinstance(again, str):
            refused["repeat"] = again
        else:
            made["repeat"] = again
        for name, several in _interventions(asked).items():
            if not several and not isinstance(again, str):
                made[name] = again
                continue
            found = yield from self._once(several, base)
            if isinstance(found, str):
                refused[_WORDS[name]] = found
            else:
                made[name] = found
        return Runs(**made, refused=refused)

    def _once(self, several: tuple[Intervention, ...], base: Trajectory) -> Steps[Trajectory | str]:
        """An altered run, or why there is none; each is tried once."""
        key = _key(several)
        if key not in self._made:
            try:
                self._made[key] = yield from self.run(several, base)
            except (SimulationError, TrajectoryError) as error:
                self._made[key] = str(error)
        return self._made[key]

    def run(
        self,
        interventions: tuple[Intervention, ...],
        base: Trajectory | None = None,
        fields: bool = True,
        anew: bool = False,
    ) -> Steps[Trajectory]:
        """One run, made now or kept. Raises ``SimulationError`` and ``TrajectoryError``."""
        key = (self.state, self.first, self.last, _key(interventions), fields)
        found = None if anew or self.state is None else kept_trajectory(key)
        if found is None:
            found = yield from self._made_now(interventions, base, fields)
            if self.state is not None and not anew:
                keep_trajectory(key, found)
        self._run += 1
        self._bytes += size_of(found)
        return found

    def _made_now(
        self, interventions: tuple[Intervention, ...], base: Trajectory | None, fields: bool
    ) -> Steps[Trajectory]:
        """One run on a copy of its own."""
        for one in interventions:
            self._check(one)
        if self._bytes > MOST:
            raise SimulationError(
                f"the runs before it take {self._bytes / 1e9:.1f} GB already: ask for fewer "
                f"frames, or for fewer criteria at a time"
            )
        with copied(self.scene, f"Copy of {self.scene.name}") as stage:
            if not fields:
                _without_fields(stage)
            applied = [alter(stage, one, self.names, baseline=base) for one in interventions]
            frames = self.last - self.first + 1
            whole = max(self.count, self._run + 1) * frames
            with closing(record(stage, self.first, self.last)) as steps:
                while True:
                    try:
                        done, total = next(steps)
                    except StopIteration as end:
                        found: Trajectory = end.value
                        break
                    # A run may begin some frames earlier than others.
                    yield self._run * frames + done * frames // total, whole
        return put_right(found, applied, base) if interventions else found

    def _check(self, one: Intervention) -> None:
        if one.at_frame is not None and not self.first <= one.at_frame < self.last:
            raise SimulationError(
                f"at_frame {one.at_frame} leaves nothing to be otherwise: the frames that are run "
                f"are {self.first} to {self.last}"
            )


#: What a run is called where it is told why it could not be made.
_WORDS = {
    "branch": "altered scene",
    "positive": "positive control",
    "negative": "negative control",
}


def _interventions(asked: Counterfactual) -> dict[str, tuple[Intervention, ...]]:
    """What is done in each run. A control is the altered scene with one thing more otherwise.

    A control in which nothing is otherwise is the scene as it is.
    """
    first = () if asked.intervention == _NONE else (asked.intervention,)
    found: dict[str, tuple[Intervention, ...]] = {"branch": first}
    for name, control in (("positive", asked.positive), ("negative", asked.negative)):
        if control is not None:
            one = control.intervention
            found[name] = () if one == _NONE else (*first, one)
    return found


def _key(several: tuple[Intervention, ...]) -> str:
    return json.dumps([one.to_plain() for one in several], sort_keys=True)


def _without_fields(stage: SceneCopy) -> None:
    for obj in stage.scene.objects:
        if has_field(obj):
            switch_off(obj)
