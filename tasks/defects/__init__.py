# SPDX-License-Identifier: GPL-3.0-or-later
"""Labelled defects put into sound houses, and changes that must not matter. NumPy only."""
