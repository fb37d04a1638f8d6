# SPDX-License-Identifier: GPL-3.0-or-later
"""The bundled timber tasks: a folder each with task.json, build.py and flawed twins."""
