# SPDX-License-Identifier: GPL-3.0-or-later
# title: A field of a format text follows private names
# route: str.format
# policy: refused format
# contained: canary writes
# ends: finished raised
import bpy

print("{0.path._os.environ}".format(bpy))
