# SPDX-License-Identifier: GPL-3.0-or-later
"""``plumbline harness``: where our validator for the released DreamHouse harness lies."""

from __future__ import annotations

import argparse

from ..harness.install import VALIDATOR, InstallError, install, remove
from .cli import PASSED, UNREADABLE
from .console import Console


def harness(options: argparse.Namespace, terminal: Console) -> int:
    """Print the file for ``DREAMHOUSE_VALIDATOR``, or put it where ``dreamhouse run`` looks."""
    try:
        path = install() if options.install else remove() if options.remove else VALIDATOR
    except InstallError as error:
        terminal.warn(str(error))
        return UNREADABLE
    terminal.line(str(path))
    return PASSED
