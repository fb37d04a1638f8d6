# SPDX-License-Identifier: GPL-3.0-or-later
"""Stress in voxel constructions: the published particle solver, and a sound static one."""
