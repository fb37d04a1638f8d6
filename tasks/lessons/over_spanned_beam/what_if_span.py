# SPDX-License-Identifier: GPL-3.0-or-later
"""The post and its footing slide to the left, so that the span beside it grows."""

import bpy


def change(value):
    """The beam spans ``value`` m between this post and the next one."""
    post = bpy.data.objects["Post_N_2"]
    moved = bpy.data.objects["Post_N_3"].location.x - 0.140 - value - post.location.x
    post.location.x += moved
    bpy.data.objects["Footing_N_2"].location.x += moved
