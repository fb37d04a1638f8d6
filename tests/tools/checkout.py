# SPDX-License-Identifier: GPL-3.0-or-later
"""Gives the tools beside it the package of this checkout: ``import checkout`` before ``plumbline``.

Tools are plain scripts for any Python >= 3.8; ``run_suite.py`` knows how to load the package.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

_spec = importlib.util.spec_from_file_location("plumbline_run_suite", ROOT / "run_suite.py")
assert _spec is not None and _spec.loader is not None
run_suite = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(run_suite)
if "plumbline" not in sys.modules:
    run_suite.load_package()
