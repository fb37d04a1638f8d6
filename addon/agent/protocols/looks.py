# SPDX-License-Identifier: GPL-3.0-or-later
"""How much what was built looks like the target: views of both, and their similarity."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ...scene.similarity import Similarity, similarity
from ..agents import Target
from ..bench import UNDRAWABLE, Bench, BenchError, Scene
from ..feedback import side_by_side
from ..messages import Picture


class Unseen(Exception):
    """What was built can't be drawn, or there is nothing of it to see."""


#: A program that leaves of a scene only what is named.
_KEEP_ONLY = """\
import bpy

kept = {names!r}
for item in list(bpy.data.objects):
    if item.name not in kept:
        bpy.data.objects.remove(item)
"""


@dataclass(frozen=True)
class Compared:
    """What was built beside the target."""

    similarity: Similarity
    target: Mapping[str, bytes]
    own: Mapping[str, bytes]

    @property
    def value(self) -> float:
        """S, 0 to 1."""
        return self.similarity.value

    @property
    def by_view(self) -> str:
        """``front 0.41, back 0.38`` for people and models."""
        return ", ".join(f"{name} {value:.2f}" for name, value in self.similarity.views.items())

    def pictures(self) -> list[Picture]:
        """Each view, target and own side by side."""
        return side_by_side(self.target, self.own, tuple(self.similarity.views))


class Looks:
    """Compares with the target, which is made when it is first asked for."""

    def __init__(self, bench: Bench, target: Callable[[], Target | None]) -> None:
        self._bench = bench
        self._make = target
        self._made = False
        self._target: Target | None = None
        self._parts: dict[str, Mapping[str, bytes]] = {}

    @property
    def target(self) -> Target | None:
        """What should be built, ``None`` where the task doesn't have it. Raises ``BenchError``."""
        if not self._made:
            self._target, self._made = self._make(), True
        return self._target

    def compare(self, scene: Scene) -> Compared | None:
        """The scene beside the whole target, ``None`` without one.

        Raises :class:`Unseen` and ``BenchError``.
        """
        return self._compare(scene, self.target.views) if self.target else None

    def compare_part(self, scene: Scene, name: str, kept: Sequence[str]) -> Compared | None:
        """The scene beside that part of the target which consists of ``kept``.

        The cameras stay those of the whole target. ``name`` says which part it is: its views are
        made once. Raises :class:`Unseen` and ``BenchError``.
        """
        target = self.target
        if target is None:
            return None
        if name not in self._parts:
            program = _KEEP_ONLY.format(names=sorted(kept))
            part = self._bench.execute(program, target.scene, f"target-{name}")
            if part.scene is None:
                raise BenchError(f"the target's part {name!r} can't be made: {part.message}")
            views = self._bench.views(part.scene, target.scene, tuple(target.views))
            self._parts[name] = views
        return self._compare(scene, self._parts[name])

    def _compare(self, scene: Scene, target: Mapping[str, bytes]) -> Compared:
        assert self.target is not None
        try:
            own = self._bench.views(scene, self.target.scene, tuple(target))
            return Compared(similarity(target, own), target, own)
        except BenchError as error:
            if error.kind != UNDRAWABLE:
                raise
            raise Unseen(str(error)) from error
        except ValueError as error:  # nothing is on either picture
            raise Unseen(str(error)) from error
