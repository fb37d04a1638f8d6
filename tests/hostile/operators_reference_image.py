# SPDX-License-Identifier: GPL-3.0-or-later
# title: An operator of an allowed subtree reads a file
# route: object.empty_image_add
# policy: refused operator
# contained: canary
# ends: finished raised
import bpy

bpy.ops.object.empty_image_add(filepath="@SECRET@")
image = bpy.data.images.load("@SECRET@")
image.pack()
print(image.packed_file.data if image.packed_file else "")
