# SPDX-License-Identifier: GPL-3.0-or-later
"""Versions of what takes part in a judgement, for records and for ``doctor``."""

from __future__ import annotations

import platform
import tomllib
from functools import lru_cache
from importlib import metadata
from pathlib import Path

import numpy as np

MANIFEST = Path(__file__).resolve().parents[2] / "blender_manifest.toml"


@lru_cache(maxsize=1)
def plumbline() -> str | None:
    """Our version: that of the manifest, which travels with every way of installing."""
    try:
        return str(tomllib.loads(MANIFEST.read_text(encoding="utf-8"))["version"])
    except (OSError, KeyError, ValueError):
        pass
    try:
        return metadata.version("plumbline")
    except metadata.PackageNotFoundError:
        return None


def own() -> dict[str, str | None]:
    """Versions of this process: ours, Python's and NumPy's."""
    return {
        "plumbline": plumbline(),
        "python": platform.python_version(),
        "numpy": np.__version__,
    }
