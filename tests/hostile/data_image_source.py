# SPDX-License-Identifier: GPL-3.0-or-later
# title: A generated image is turned into one that reads a file
# route: image.filepath, image.source
# policy: refused file
# contained: canary
# ends: finished raised
import bpy

image = bpy.data.images.new("stolen", 8, 8)
image.source = "FILE"
image.filepath = "@SECRET@"
image.reload()
image.pack()
print(image.packed_file.data if image.packed_file else "")
