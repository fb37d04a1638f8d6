# SPDX-License-Identifier: GPL-3.0-or-later
import bpy

bpy.data.objects["Stud_E_05"].name = "Member_05"
