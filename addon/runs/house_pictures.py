# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of generated houses, drawn by one worker Blender after another: as models get them."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...tasks.houses.program import program
from ...tasks.packs.entry import Entry
from ..agent.bench import BenchError
from ..scene.cameras import VIEWS
from .seats import WorkerSeat

#: How long a house may take to build, s.
_BUILD_SECONDS = 120.0


class HousePictures:
    """A Blender that draws house after house; close it, or use it as a context."""

    def __init__(self) -> None:
        self._seat = WorkerSeat(_BUILD_SECONDS)
        self._folder = tempfile.TemporaryDirectory(prefix="plumbline-pictures-")

    def __enter__(self) -> HousePictures:
        return self

    def __exit__(self, *_: Any) -> None:
        self._seat.close()
        self._folder.cleanup()

    def frame(self, entry: Entry) -> Mapping[str, bytes]:
        """The five canonical views of the frame, PNG. Raises ``BenchError``."""
        return self._views(program(entry.recipe.house()), entry.name)

    def skin(self, entry: Entry) -> Mapping[str, bytes]:
        """The same of the closed house. Raises ``BenchError``."""
        raise BenchError(f"{entry.name}: no closed house can be drawn yet")

    def _views(self, code: str, name: str) -> Mapping[str, bytes]:
        bench = self._seat.bench(Path(self._folder.name), None)
        built = bench.execute(code, None, name)
        if not built.ok or built.scene is None:
            raise BenchError(f"{name}: {built.message or built.unreadable}")
        return bench.views(built.scene, None, tuple(VIEWS))
