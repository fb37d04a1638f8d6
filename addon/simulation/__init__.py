# SPDX-License-Identifier: GPL-3.0-or-later
"""Physics on copies of scenes: what can be asked of them, and how it is run."""
