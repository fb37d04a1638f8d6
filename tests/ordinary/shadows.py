# SPDX-License-Identifier: GPL-3.0-or-later
import copy
import random
import string

import bpy

string.digits
random.seed(4)
mesh = bpy.data.meshes.new("m")
first = bpy.data.objects.new("Stud_01", mesh)
copy = first.copy()
copy.name = "Stud_02"
copy.location.x = random.uniform(1, 2)
for string in (first, copy):
    bpy.context.scene.collection.objects.link(string)
    string.name = string.name + "_a"


def paint(data):
    print(data.name)


data = bpy.data
data = data.objects["Stud_01_a"].data
paint(data)
first["load"] = 1.9
print(first.bl_rna.name, first.users_collection[0].name, first.animation_data is None)
