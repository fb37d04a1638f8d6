# SPDX-License-Identifier: GPL-3.0-or-later
# title: Names that break reports
# route: object names
# policy: passes
# contained: flood
# ends: finished
import bpy

mesh = bpy.data.meshes.new("m")
mesh.from_pydata(
    [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [], [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)]
)
for name in (
    "Stud_<script>",
    "Stud_\x1b[2J",
    "Stud_\n{}",
    "Stud_../../x",
    "Stud_';--",
    "Stud_\u202e",
):
    bpy.context.scene.collection.objects.link(bpy.data.objects.new(name, mesh))
