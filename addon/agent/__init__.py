# SPDX-License-Identifier: GPL-3.0-or-later
"""Agents: who builds what a task asks for."""
