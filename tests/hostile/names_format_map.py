# SPDX-License-Identifier: GPL-3.0-or-later
# title: A format text from pieces follows private names
# route: str.format_map
# policy: refused dynamic
# contained: canary writes
# ends: finished raised
import bpy

print(("{0.pa" + "th._o" + "s.environ}").replace("0", "b").format_map({"b": bpy}))
