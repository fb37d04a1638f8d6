# SPDX-License-Identifier: GPL-3.0-or-later
"""Seeded timber houses with their full ground truth: parameters in, members out. NumPy only."""
