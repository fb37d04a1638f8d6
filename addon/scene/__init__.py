# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes and files to plain structures and back: Blender scenes, submission JSON, IFC, pictures."""
