# SPDX-License-Identifier: GPL-3.0-or-later
"""Lessons: data files that show a fault, ask, explain the rule, and let it be mended."""
