# SPDX-License-Identifier: GPL-3.0-or-later
"""Plumbline as the validator of the released DreamHouse harness: ``docs/harness.md``."""
