# SPDX-License-Identifier: GPL-3.0-or-later
"""What a finding looks like: plain geometry that any drawer can draw. No ``bpy`` in here."""
