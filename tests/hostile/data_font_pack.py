# SPDX-License-Identifier: GPL-3.0-or-later
# title: Any file is packed as a font
# route: bpy.data.fonts.load, pack
# policy: refused file
# contained: canary
# ends: finished raised
import bpy

font = bpy.data.fonts.load("@SECRET@")
font.pack()
print(font.packed_file.data)
