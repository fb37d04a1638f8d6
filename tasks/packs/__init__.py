# SPDX-License-Identifier: GPL-3.0-or-later
"""Task packs: folders, the released harness's SQLite files, and the one that is bundled."""
