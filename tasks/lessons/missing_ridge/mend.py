# SPDX-License-Identifier: GPL-3.0-or-later
"""The ridge board between the upper ends of the rafters, as long as the roof."""

import bpy

LOW, HIGH = (0.0, 2.030, 4.193858), (6.128, 2.068, 4.479858)  # opposite corners, m
FACES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]

half = [(high - low) / 2 for low, high in zip(LOW, HIGH, strict=True)]
corners = [
    (x, y, z) for x in (-half[0], half[0]) for y in (-half[1], half[1]) for z in (-half[2], half[2])
]
mesh = bpy.data.meshes.new("Ridge")
mesh.from_pydata(corners, [], FACES)
ridge = bpy.data.objects.new("Ridge", mesh)
ridge.location = [(low + high) / 2 for low, high in zip(LOW, HIGH, strict=True)]
bpy.context.scene.collection.objects.link(ridge)
