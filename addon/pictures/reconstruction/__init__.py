# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of what can be wrong with a simulated scene, one for each kind of fault."""
