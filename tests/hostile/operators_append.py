# SPDX-License-Identifier: GPL-3.0-or-later
# title: An operator appends from another .blend
# route: wm.append
# policy: refused operator
# contained: canary writes
# ends: finished raised
import bpy

bpy.ops.wm.append(directory="@OUTSIDE@/kept.blend/Text/", filename="canary")
print([text.as_string() for text in bpy.data.texts])
