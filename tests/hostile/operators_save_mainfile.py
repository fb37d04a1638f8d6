# SPDX-License-Identifier: GPL-3.0-or-later
# title: An operator saves the .blend over another
# route: wm.save_as_mainfile
# policy: refused operator
# contained: canary writes
# ends: finished raised
import bpy

bpy.ops.wm.save_as_mainfile(filepath="@OUTSIDE@/kept.blend")
