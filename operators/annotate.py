# SPDX-License-Identifier: GPL-3.0-or-later
"""Agreeing, disagreeing and marking what the checks have missed."""

CLASSES: tuple[type, ...] = ()
