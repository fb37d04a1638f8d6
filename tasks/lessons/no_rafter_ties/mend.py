# SPDX-License-Identifier: GPL-3.0-or-later
"""A ceiling joist from plate to plate beside every couple of rafters."""

import bpy

CORNERS = [(x, y, z) for x in (-0.019, 0.019) for y in (-3.064, 3.064) for z in (-0.07, 0.07)]
FACES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]

for i in range(21):
    name = f"CeilingJoist_{i + 1:02d}"
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(CORNERS, [], FACES)
    tie = bpy.data.objects.new(name, mesh)
    beside = i * 0.406 + 0.038 if i < 20 else i * 0.406 - 0.038
    tie.location = (beside + 0.019, 3.064, 3.468)
    bpy.context.scene.collection.objects.link(tie)
