# SPDX-License-Identifier: GPL-3.0-or-later
"""Episodes in an open Blender: a thread that thinks, and the main thread that owns the scene."""
