# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of what can be wrong with a construction of blocks, one for each kind of fault."""
