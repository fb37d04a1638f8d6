# SPDX-License-Identifier: GPL-3.0-or-later
# title: The stack overflows in C
# route: recursion in a C function
# policy: passes
# contained: crash
# ends: crashed finished raised timeout memory
class House:
    def __init__(self, inner):
        self.inner = inner

    def __repr__(self):
        return repr([self.inner])


value = House(None)
for _ in range(200_000):
    value = House(value)
value = None
