# SPDX-License-Identifier: GPL-3.0-or-later
# title: Objects run code when they are thrown away
# route: __del__, weakref, gc
# policy: refused name
# contained: outlives
# ends: finished raised
class Later:
    def __init__(self):
        self.kept = print

    def __del__(self):
        self.kept("later")
        open("@OUTSIDE@/stolen.txt", "w").write("written")


held = [Later() for _ in range(3)]
held.append(held)
