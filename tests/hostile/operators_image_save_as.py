# SPDX-License-Identifier: GPL-3.0-or-later
# title: An operator saves an image anywhere
# route: image.save_as
# policy: refused operator
# contained: writes
# ends: finished raised
import bpy

image = bpy.data.images.new("stolen", 8, 8)
image.filepath_raw = "@OUTSIDE@/stolen.png"
image.file_format = "PNG"
image.save()
with bpy.context.temp_override(edit_image=image):
    bpy.ops.image.save_as(filepath="@OUTSIDE@/kept.txt")
