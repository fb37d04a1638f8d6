# SPDX-License-Identifier: GPL-3.0-or-later
"""The checks: pure functions from a structure to findings. NumPy and SciPy only, never ``bpy``."""
