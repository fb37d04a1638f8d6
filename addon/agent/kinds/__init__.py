# SPDX-License-Identifier: GPL-3.0-or-later
"""The kinds of tasks that protocols can be run on."""
