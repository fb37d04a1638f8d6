# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether Blender may go online, where we run in one. No ``bpy`` is imported for it."""

from __future__ import annotations

import sys


def online() -> bool:
    """``bpy.app.online_access`` in a running Blender; outside of one nobody has said no.

    ``bpy`` as a module in somebody's own Python has no preferences that a person set.
    """
    app = getattr(sys.modules.get("bpy"), "app", None)
    if not getattr(app, "binary_path", ""):
        return True
    return bool(getattr(app, "online_access", False))
