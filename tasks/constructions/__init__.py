# SPDX-License-Identifier: GPL-3.0-or-later
"""Voxel construction problems: 25 files over the published parameter grids, in our own words.

``generate(seed)`` gives the 723 problems, ``lite(problems, seed)`` the 25 of a small run, and
``read_folder(path)`` reads the benchmark's own files. The grids are those of MineCEraft
(arXiv 2608.28884); no sentence of its prompts is used.
"""

from .files import FILES
from .generate import CHECKS_SHA256, checks_sha256, generate, vary
from .lite import LITE_SEEDS, lite
from .problem import CATEGORIES, Problem
from .reading import Loaded, ReadingError, read_file, read_folder
from .system_prompt import system_prompt

__all__ = [
    "CATEGORIES",
    "CHECKS_SHA256",
    "FILES",
    "LITE_SEEDS",
    "Loaded",
    "Problem",
    "ReadingError",
    "checks_sha256",
    "generate",
    "lite",
    "read_file",
    "read_folder",
    "system_prompt",
    "vary",
]
