# SPDX-License-Identifier: GPL-3.0-or-later
"""What touches Blender or the outside world: scenes, workers, agents, runs."""
