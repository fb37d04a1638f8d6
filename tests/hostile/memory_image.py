# SPDX-License-Identifier: GPL-3.0-or-later
# title: An image of sixteen gigabytes
# route: bpy.data.images.new
# policy: passes
# contained: memory
# ends: memory raised crashed timeout finished
import bpy

image = bpy.data.images.new("huge", 32768, 32768, float_buffer=True)
image.pixels[5] = 1.0
