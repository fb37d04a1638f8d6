# SPDX-License-Identifier: GPL-3.0-or-later
# title: An operator opens another .blend
# route: wm.open_mainfile
# policy: refused operator
# contained: canary writes
# ends: finished raised
import bpy

bpy.ops.wm.open_mainfile(filepath="@OUTSIDE@/kept.blend", use_scripts=True)
print([text.as_string() for text in bpy.data.texts])
