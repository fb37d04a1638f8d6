# SPDX-License-Identifier: GPL-3.0-or-later
"""The bundled lessons: a folder each with lesson.json, mend.py and what_if_ID.py."""
