# SPDX-License-Identifier: GPL-3.0-or-later
"""Tools: what an agent may call, within which budgets, and the loop that lets a model call them."""
