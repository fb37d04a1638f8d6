# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender in a process of its own: the worker that runs there and the client that waits for it."""
