# SPDX-License-Identifier: GPL-3.0-or-later
# title: A library is loaded from another .blend
# route: bpy.data.libraries.load
# policy: refused file
# contained: canary writes
# ends: finished raised
import bpy

with bpy.data.libraries.load("@OUTSIDE@/kept.blend") as (there, here):
    here.texts = there.texts
print([text.as_string() for text in bpy.data.texts])
