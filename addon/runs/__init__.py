# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs: judging, the run folder, reports, the command line and set-up."""
