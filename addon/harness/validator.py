# SPDX-License-Identifier: GPL-3.0-or-later
"""The file that ``DREAMHOUSE_VALIDATOR`` names: the released harness loads it inside its Blender.

The harness imports this file by its path, knows nothing of the package round it, and calls
:func:`run_all_tests` with the collection that it rebuilt. Standard library only up to there, so
that whatever is missing becomes an error of the harness's job and never a pass.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from typing import Any

PACKAGE = "plumbline"
OLDEST_PYTHON = (3, 11)  # that of Blender 4.2


class PlumblineError(RuntimeError):
    """Nothing was judged; ``str()`` is one sentence. The harness marks the job as failed by it."""


def run_all_tests(collection: Any) -> dict[str, Any]:
    """Judge what was submitted, in the harness's result format.

    ``collection`` is the ``bpy`` collection that the harness rebuilt; it is read only where the
    command line names no submission. Raises :class:`PlumblineError` if nothing could be judged
    through a fault of the installation; a fault of the submission is a result that fails.
    """
    try:
        _load_package()
        answer = importlib.import_module(f"{PACKAGE}.addon.harness.answer")
        result: dict[str, Any] = answer.answer(collection, sys.argv)
        return result
    except Exception as error:
        said = " ".join(str(error).split()) or type(error).__name__
        raise PlumblineError(f"Plumbline judged nothing, so nothing passed: {said}") from error


def _load_package() -> None:
    """Make the package that this file lies in importable, wherever and however it is installed."""
    if PACKAGE in sys.modules:
        return
    if sys.version_info < OLDEST_PYTHON:
        python = ".".join(map(str, sys.version_info[:2]))
        raise PlumblineError(
            f"this Blender has Python {python}; set BLENDER_PATH to a 4.2 or newer"
        )
    root = Path(__file__).resolve().parents[2]
    spec = importlib.util.spec_from_file_location(
        PACKAGE, root / "__init__.py", submodule_search_locations=[str(root)]
    )
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[PACKAGE] = module
    spec.loader.exec_module(module)
