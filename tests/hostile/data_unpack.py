# SPDX-License-Identifier: GPL-3.0-or-later
# title: A packed file is unpacked to any path
# route: image.unpack
# policy: refused file
# contained: writes
# ends: finished raised
import bpy

image = bpy.data.images.new("stolen", 8, 8)
image.pack()
image.packed_files[0].filepath = "@OUTSIDE@/stolen.png"
image.filepath = "@OUTSIDE@/stolen.png"
image.unpack(method="WRITE_ORIGINAL")
