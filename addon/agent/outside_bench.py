# SPDX-License-Identifier: GPL-3.0-or-later
"""A bench whose scenes nobody changes behind its back: it knows the digest of each."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .bench import TAMPERED, Bench, BenchError, Execution, Isolation, Scene


class SealedBench:
    """Passes everything on to another bench; see :class:`.bench.Bench`.

    An outside command has the person's rights and could write over a scene between two calls. It
    would not go unseen: the scene is compared with its digest, kept here, before it is used again.
    """

    def __init__(self, bench: Bench, digests: Mapping[str, str] | None = None) -> None:
        self._bench = bench
        self.digests: dict[str, str] = dict(digests or {})

    @property
    def isolation(self) -> Isolation:
        """What code runs in on the bench behind."""
        return self._bench.isolation

    def execute(self, code: str, start: Scene | None, label: str) -> Execution:
        """Run code on an unchanged scene. Raises ``BenchError`` if it was changed."""
        self.check(start)
        execution = self._bench.execute(code, start, label)
        if execution.scene is not None:
            self.digests[str(execution.scene.blend)] = digest_of(execution.scene.blend)
        return execution

    def views(
        self,
        scene: Scene,
        target: Scene | None,
        names: Sequence[str],
        size: tuple[int, int] = (512, 512),
    ) -> dict[str, bytes]:
        """See :meth:`.bench.Bench.views`."""
        self.check(scene)
        return self._bench.views(scene, target, names, size)

    def picture(self, scene: Scene, record: Mapping[str, Any], view: str) -> bytes:
        """See :meth:`.bench.Bench.picture`."""
        self.check(scene)
        return self._bench.picture(scene, record, view)

    def check(self, scene: Scene | None) -> None:
        """Raise ``BenchError`` unless the scene is as a run of code left it."""
        if scene is None:
            return
        known = self.digests.get(str(scene.blend))
        if known is not None and digest_of(scene.blend) != known:
            raise BenchError(
                f"{scene.blend.name} was changed by somebody else after it was built; start again",
                TAMPERED,
            )


def digest_of(path: Path) -> str:
    """SHA-256 of a file in hexadecimal, empty if it can't be read."""
    try:
        with open(path, "rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return ""  # it is gone, which is a change too
