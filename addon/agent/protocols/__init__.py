# SPDX-License-Identifier: GPL-3.0-or-later
"""How a model is led through a task."""
