# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators of the extension: thin, each one call into ``addon``."""

from . import checks, findings, tasks

CLASSES = (*tasks.CLASSES, *checks.CLASSES, *findings.CLASSES)
