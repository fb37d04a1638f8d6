# SPDX-License-Identifier: GPL-3.0-or-later
# title: An operator writes the sound of a scene
# route: sound.mixdown
# policy: refused operator
# contained: writes
# ends: finished raised
import bpy

bpy.ops.sound.mixdown(filepath="@OUTSIDE@/stolen.wav", container="WAV", codec="PCM")
