# SPDX-License-Identifier: GPL-3.0-or-later
# title: A text is loaded from a file
# route: bpy.data.texts.load
# policy: refused file
# contained: canary
# ends: finished raised
import bpy

print(bpy.data.texts.load("@SECRET@").as_string())
