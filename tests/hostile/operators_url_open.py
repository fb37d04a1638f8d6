# SPDX-License-Identifier: GPL-3.0-or-later
# title: An operator opens an address in a browser
# route: wm.url_open
# policy: refused operator
# contained: network
# ends: finished raised
import bpy

bpy.ops.wm.url_open(url="http://127.0.0.1:@PORT@/stolen")
