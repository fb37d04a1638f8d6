# SPDX-License-Identifier: GPL-3.0-or-later
"""The bundled simulations: a folder each with task.json, build.py and flawed twins."""
