# SPDX-License-Identifier: GPL-3.0-or-later
"""What people say of findings and structures: rows, their files, agreement, exchange formats."""
